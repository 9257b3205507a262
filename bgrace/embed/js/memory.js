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

/** @type {Record<string, any>} of members, by their letters in scripts/kernel_interfaces.py */
const VIEWS = { d: Float64Array, i: Int32Array, l: BigInt64Array, b: Int8Array, s: Int32Array };

/** @typedef {Record<string, (...numbers: number[]) => number>} Calls */

/** The module: its memory, what it calls, and what is taken of its memory for one question. */
export class Room {
  /**
   * @param {WebAssembly.Module} module
   * @returns {Promise<Room>}
   */
  static async of(module) {
    const progress = (/** @type {number} */ done) => Number(room.tell?.(done) ?? false);
    const read = (/** @type {number} */ at, /** @type {number} */ n) => room._readRanges(at, n);
    const { exports } = await WebAssembly.instantiate(module, { page: { progress, read } });
    const room = new Room(exports);
    return room;
  }

  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    this.calls = /** @type {Calls} */ (/** @type {unknown} */ (exports));
    this._memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    /** @type {((done: number) => boolean) | null} hears how much of a question is done; true stops it */
    this.tell = null;
    /** @type {Map<string, Uint8Array>} ranges of the file that is asked next */
    this.ranges = new Map();
    /** @type {[number, number][]} */
    this.missing = [];
    /** @type {Record<string, {size: number, members: Member[]}>} structures of the headers of C, by name */
    this._structures = {};
    let structure = { size: 0, members: /** @type {Member[]} */ ([]) };
    for (let from = this.calls.page_members(); ; from += 20) {
      const [of, kind, at, size, name] = this.view(Int32Array, from, 5);
      if (!of) return;
      if (kind) structure.members.push({ name: this.text(name), kind: String.fromCharCode(kind), of: this.text(of), at, size });
      else this._structures[this.text(of)] = structure = { size, members: [] };
    }
  }

  /**
   * Copy ranges, a bgr_range each, to where the module wants them; what there is not is noted.
   * @param {number} at
   * @param {number} n
   */
  _readRanges(at, n) {
    this.missing = [];
    for (const { offset, size, bytes: to } of this._objects("bgr_range", at, n)) {
      const bytes = this.ranges.get(`${offset}+${size}`);
      if (bytes) this.view(Int8Array, to, size).set(bytes);
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
    /** @type {Record<string, any>} */
    const found = {};
    for (const { name: member, kind, of, at, size } of this._structures[name].members) {
      if (kind === "c") found[member] = this.text(from + at);
      else {
        const values = kind === "o" ? this._objects(of, from + at, size / this._structures[of].size)
          : this._numbers(kind, from + at, size);
        found[member] = values.length > 1 ? values : values[0];
      }
    }
    return found;
  }

  /**
   * @param {string} name of their structure
   * @param {number} at
   * @param {number} n
   */
  _objects(name, at, n) {
    return Array.from({ length: n }, (_, k) => this.read(name, at + k * this._structures[name].size));
  }

  /**
   * Numbers or texts.
   * @param {string} kind
   * @param {number} at
   * @param {number} size
   */
  _numbers(kind, at, size) {
    const View = VIEWS[kind], numbers = Array.from(this.view(View, at, size / View.BYTES_PER_ELEMENT), Number);
    return kind === "s" ? numbers.map((text) => this.text(text)) : numbers;
  }

  /**
   * A structure with these members, and zeros.
   * @param {Take} take
   * @param {string} name
   * @param {Record<string, number | boolean | readonly number[]>} values
   */
  write(take, name, values) {
    const { size, members } = this._structures[name], from = take(size);
    this.view(Int8Array, from, size).fill(0);
    for (const { name: member, kind, at } of members) {
      const given = member === "size" ? size : values[member];
      if (given === undefined) continue;
      const all = [given].flat(), odd = all.find((value) => kind !== "d" && !Number.isInteger(Number(value)));
      if (odd !== undefined) throw new EngineError("ARGUMENT", `${member}: ${odd} is not a whole number`);
      this.view(VIEWS[kind], from + at, all.length).set(all.map((one) => (kind === "l" ? BigInt(one) : Number(one))));
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
      return this._objects(name, out, this.view(Int32Array, n, 1)[0]);
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
      return this.view(Int32Array, out, 1)[0];
    });
  }

  /** @param {number} bytes */
  take(bytes) {
    const at = this.calls.page_malloc(Math.max(bytes, 1));
    if (!at) throw new EngineError("MEMORY", "out of memory: ask with a smaller budget");
    return at >>> 0;
  }

  /**
   * Numbers in memory, which may have moved since the last call.
   * @template T
   * @param {new (memory: ArrayBuffer, at: number, n: number) => T} View
   * @param {number} at
   * @param {number} n
   */
  view(View, at, n) {
    return new View(this._memory.buffer, at >>> 0, n);
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
    const at = take(points);
    this.view(Int8Array, at, points).fill(0).set(Array.from(counts).slice(0, points));
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
