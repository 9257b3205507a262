/** The WebAssembly module: its memory, its functions, and the structures of the headers of C in it. */

import { MAX_POINTS } from "./formats.js";

const PLAY_SIZE = 40; // BGR_PLAY_SIZE

/** The names of the statuses of bgrace.h, without BGR_ERR_, in order. */
export const STATUSES = ["OK", "POINTS", "CHECKERS", "POSITION", "INDEX", "ROLL", "SIZE", "MEMORY", "OPEN", "READ", "FORMAT",
  "VERSION", "COMPRESSED", "DAMAGED", "CHANGED", "COVERAGE", "SCORE", "CONTACT", "STAKES", "ARGUMENT", "STOPPED",
  "NOT_COMPARED"];

/** What cannot be answered, and why. */
export class EngineError extends Error {
  /**
   * @param {string} code of bgrace.h, without BGR_ERR_
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "EngineError";
    /** @type {string} */
    this.code = code;
    /** @type {[number, number][] | undefined} offset and length of each range of a file that has to be fetched first */
    this.missing = undefined;
  }
}

/** @typedef {{name: string, kind: string, of: string, at: number, size: number}} Member  Of a structure of the C library. */
/** @typedef {(bytes: number) => number} Take  Memory until an answer is there. */

/** @type {Record<string, number>} bytes of members, by their letters in scripts/kernel_interfaces.py */
const BYTES = { d: 8, i: 4, l: 8, b: 1, s: 4 };

/** @typedef {Record<string, (...numbers: number[]) => number>} Calls */

/** The module: its memory, what it calls, and what is taken of its memory for one question. */
export class Room {
  /**
   * @param {WebAssembly.Module} module
   * @returns {Promise<Room>}
   */
  static async of(module) {
    const room = new Room();
    const progress = (/** @type {number} */ done) => Number(room.tell?.(done) ?? false);
    const page = { progress, read: room._readRanges.bind(room) };
    const { exports } = await WebAssembly.instantiate(module, { page });
    room.calls = /** @type {Calls} */ (/** @type {unknown} */ (exports));
    room._memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    let structure = { size: 0, members: /** @type {Member[]} */ ([]) };
    for (let from = room.calls.page_members(); ; from += 20) {
      const [of, kind, at, size, name] = room.integers(from, 5);
      if (!of) return room;
      if (kind) structure.members.push({ name: room.text(name), kind: String.fromCharCode(kind), of: room.text(of), at, size });
      else room._structures[room.text(of)] = structure = { size, members: [] };
    }
  }

  constructor() {
    this.calls = /** @type {Calls} */ ({});
    this._memory = new WebAssembly.Memory({ initial: 0 }); // until the module has brought its own
    /** @type {((done: number) => boolean) | null} hears how much of a question is done; true stops it */
    this.tell = null;
    /** @type {Map<string, Uint8Array>} ranges of the file that is asked next */
    this.ranges = new Map();
    /** @type {[number, number][]} */
    this.missing = [];
    /** @type {Record<string, {size: number, members: Member[]}>} structures of the headers of C, by name */
    this._structures = {};
  }

  /**
   * Copy ranges, a bgr_range each, to where the module wants them; what there is not is noted.
   * @param {number} at
   * @param {number} n
   */
  _readRanges(at, n) {
    const { size: each } = this._structures.bgr_range;
    const wanted = Array.from({ length: n }, (_, k) => this.read("bgr_range", (at >>> 0) + each * k));
    this.missing = [];
    for (const { offset, size, bytes: to } of wanted) {
      const bytes = this.ranges.get(`${offset}+${size}`);
      if (bytes) this.bytes(to, size).set(bytes);
      else this.missing.push([offset, size]);
    }
    return this.missing.length;
  }

  /**
   * A structure as an object.
   * @param {string} name
   * @param {number} from
   * @returns {Record<string, any>}
   */
  read(name, from) {
    const view = new DataView(this._memory.buffer);
    /** @type {Record<string, any>} */
    const found = {};
    for (const { name: member, kind, of, at, size } of this._structures[name].members) {
      if (kind === "c") found[member] = this.text(from + at);
      else {
        const each = kind === "o" ? this._structures[of].size : BYTES[kind];
        found[member] = size === each ? this._value(view, kind, of, from + at)
          : Array.from({ length: size / each }, (_, k) => this._value(view, kind, of, from + at + k * each));
      }
    }
    return found;
  }

  /**
   * @param {DataView} view
   * @param {string} kind
   * @param {string} of
   * @param {number} at
   */
  _value(view, kind, of, at) {
    switch (kind) {
      case "d": return view.getFloat64(at, true);
      case "i": return view.getInt32(at, true);
      case "l": return Number(view.getBigInt64(at, true));
      case "b": return view.getInt8(at);
      case "s": return this.text(view.getInt32(at, true));
      default: return this.read(of, at);
    }
  }

  /**
   * A structure with these members, and zeros.
   * @param {Take} take
   * @param {string} name
   * @param {Record<string, number | boolean | readonly number[]>} values
   */
  write(take, name, values) {
    const { size, members } = this._structures[name], from = take(size);
    this.bytes(from, size).fill(0);
    const view = new DataView(this._memory.buffer);
    for (const { name: member, kind, at } of members) {
      const given = member === "size" ? size : values[member];
      if (given !== undefined) [given].flat().forEach((value, k) => {
        if (kind !== "d" && !Number.isInteger(Number(value)))
          throw new EngineError("ARGUMENT", `${member}: ${value} is not a whole number`);
        if (kind === "d") view.setFloat64(from + at + 8 * k, Number(value), true);
        else if (kind === "l") view.setBigInt64(from + at + 8 * k, BigInt(Number(value)), true);
        else if (kind === "b") view.setInt8(from + at + k, Number(value));
        else view.setInt32(from + at + 4 * k, Number(value), true);
      });
    }
    return from;
  }

  /**
   * A structure that a call fills.
   * @param {string} name
   * @param {(out: number, take: Take) => number} call
   * @returns {Record<string, any>}
   */
  ask(name, call) {
    return this.with((take) => {
      const out = this.write(take, name, {});
      this.check(call(out, take));
      return this.read(name, out);
    });
  }

  /**
   * A list of structures that a call fills, which also says how many they are.
   * @param {string} name
   * @param {number} most
   * @param {(out: number, n: number, take: Take) => number} call
   */
  list(name, most, call) {
    return this.with((take) => {
      const { size } = this._structures[name], out = take(size * most), n = take(4);
      this.check(call(out, n, take));
      return Array.from({ length: this.integers(n, 1)[0] }, (_, k) => this.read(name, out + k * size));
    });
  }

  /**
   * An integer, such as a pointer, that a call writes.
   * @param {(out: number, take: Take) => number} call
   */
  integer(call) {
    return this.with((take) => {
      const out = take(4);
      this.check(call(out, take));
      return this.integers(out, 1)[0];
    });
  }

  /** @param {number} bytes */
  take(bytes) {
    const at = this.calls.page_malloc(Math.max(bytes, 1));
    if (!at) throw new EngineError("MEMORY", "out of memory: ask with a smaller budget");
    return at >>> 0;
  }

  /**
   * Memory may have moved since the last call, so views are made anew.
   * @param {number} at
   * @param {number} n
   */
  doubles(at, n) {
    return new Float64Array(this._memory.buffer, at >>> 0, n);
  }

  /**
   * @param {number} at
   * @param {number} n
   */
  integers(at, n) {
    return new Int32Array(this._memory.buffer, at >>> 0, n);
  }

  /**
   * @param {number} at
   * @param {number} n
   */
  bytes(at, n) {
    return new Int8Array(this._memory.buffer, at >>> 0, n);
  }

  /** @param {number} at */
  text(at) {
    if (!at) return "";
    const bytes = new Uint8Array(this._memory.buffer, at >>> 0);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /** @param {number} status */
  check(status) {
    if (!status) return;
    const error = new EngineError(STATUSES[status] ?? "UNKNOWN", this.text(this.calls.bgr_strerror(status)));
    if (error.code === "READ" && this.missing.length) error.missing = this.missing;
    throw error;
  }

  /**
   * Run with memory that is free again afterwards.
   * @template T
   * @param {(take: (bytes: number) => number) => T} body
   * @returns {T}
   */
  with(body) {
    /** @type {number[]} */
    const taken = [];
    try {
      return body((bytes) => {
        const at = this.take(bytes);
        taken.push(at);
        return at;
      });
    } finally {
      for (const at of taken.reverse()) this.calls.page_free(at);
    }
  }

  /**
   * @param {(bytes: number) => number} take
   * @param {ArrayLike<number>} counts
   * @param {number} [points]
   */
  counts(take, counts, points = MAX_POINTS) {
    const at = take(points), to = this.bytes(at, points).fill(0);
    for (let k = 0; k < Math.min(points, counts.length); k++) to[k] = counts[k];
    return at;
  }

  /**
   * A play in the usual notation.
   * @param {ArrayLike<number>} position
   * @param {ArrayLike<number>} result
   * @param {readonly [number, number]} roll
   */
  play(position, result, roll) {
    return this.with((take) => {
      const text = take(PLAY_SIZE);
      this.check(this.calls.bgr_play_text(MAX_POINTS, this.counts(take, position), this.counts(take, result), ...roll, text));
      return this.text(text);
    });
  }
}
