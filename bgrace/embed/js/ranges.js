/**
 * A file on a web host, of which only what is asked for is fetched: range requests, for `open` of engine.js.
 *
 * Errors: an EngineError "READ" whose message names the address and what to do.
 */

import { EngineError } from "./memory.js";

/** @import { Range } from "./types.js" */
/** @typedef {[number, number]} Wanted  Offset and length. */

const HEAD = 24576; // BGR_HEAD_BYTES of csrc/probe/ranges.h, which asks for as much
const OVERHEAD = 512; // bytes of a part of an answer beside its range
const KEPT = 4 << 20; // bytes, for a worker that takes the place of another
const RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/** @param {Wanted} wanted */
const keyOf = ([offset, size]) => `${offset}+${size}`;

/**
 * Each part of a multipart answer: its range as the host says it, and its bytes.
 * @param {Uint8Array} body
 * @param {string} boundary
 * @returns {{told: string, bytes: Uint8Array}[]}
 */
function partsOf(body, boundary) {
  const text = new TextDecoder("latin1").decode(body), mark = `--${boundary}`;
  const parts = [];
  for (let place = text.indexOf(mark); place >= 0; ) {
    const end = text.indexOf("\r\n\r\n", place);
    if (end < 0) break;
    const told = /content-range:\s*([^\r\n]*)/i.exec(text.slice(place, end))?.[1].trim() ?? "";
    const [, first, last] = RANGE.exec(told) ?? [], n = Number(last) - Number(first) + 1;
    if (!(n > 0)) break;
    parts.push({ told, bytes: body.subarray(end + 4, end + 4 + n) });
    place = text.indexOf(mark, end + 4 + n);
  }
  return parts;
}

/** A packed file of bgrace on a web host. */
export class RangeFile {
  /**
   * @param {string | URL} url
   * @param {{seconds?: number}} [options] after which a request is given up [10]
   * @returns {Promise<RangeFile>}
   */
  static async open(url, { seconds = 10 } = {}) {
    const file = new RangeFile(String(url), seconds), first = await file._request([[0, HEAD]]);
    file.head = /** @type {Range[]} */ (first)[0];
    return file;
  }

  /**
   * @param {string} url
   * @param {number} seconds
   */
  constructor(url, seconds) {
    this.url = url;
    this.size = 0;
    /** @type {Range} */
    this.head = { offset: 0, bytes: new Uint8Array() };
    this.requests = this.bytes = 0; // what has been asked, and the bodies that came
    this._seconds = seconds;
    /** @type {boolean | null} whether the host answers several ranges at once; null until it has been asked */
    this._many = null;
    /** @type {string | null} */
    this._tag = null;
    /** @type {Map<string, Range>} */
    this._kept = new Map();
  }

  /**
   * @param {Wanted[]} missing
   * @returns {Promise<Range[]>}
   */
  async read(missing) {
    const fresh = await this._fetch(missing.filter((each) => !this._kept.has(keyOf(each))));
    const found = [...fresh, ...missing.flatMap((each) => this._kept.get(keyOf(each)) ?? [])];
    for (const range of fresh) this._kept.set(keyOf([range.offset, range.bytes.length]), range);
    let over = [...this._kept.values()].reduce((sum, { bytes }) => sum + bytes.length, -KEPT);
    for (const [key, { bytes }] of this._kept) {
      if (over <= 0) break;
      this._kept.delete(key);
      over -= bytes.length;
    }
    return found;
  }

  /** Fetch everything anew, as some of it is damaged. */
  forget() {
    this._kept.clear();
  }

  /**
   * @param {Wanted[]} wanted
   * @returns {Promise<Range[]>}
   */
  async _fetch(wanted) {
    if (this._many !== false && wanted.length > 1) {
      const found = await this._request(wanted);
      this._many ??= Boolean(found); // one connection that is lost later says nothing about the host
      if (found) return found;
    }
    return (await Promise.all(wanted.map((one) => this._request([one])))).flatMap((found) => found ?? []);
  }

  /**
   * @param {Wanted[]} wanted
   * @returns {Promise<Range[] | null>} null if several ranges at once were not answered
   */
  async _request(wanted) {
    const many = wanted.length > 1;
    const headers = { Range: `bytes=${wanted.map(([offset, n]) => `${offset}-${offset + n - 1}`).join()}` };
    const stop = new AbortController(), timer = setTimeout(() => stop.abort(), 1000 * this._seconds);
    this.requests++;
    try {
      const response = await fetch(this.url, { headers, cache: "no-store", signal: stop.signal });
      if (response.status === 200 && !many) throw this._wrong("is on a host that does not answer range requests");
      if (response.status !== 206) {
        if (many && [200, 400, 416, 431, 501].includes(response.status)) return null;
        throw this._wrong(`cannot be read: the host answers ${response.status}`);
      }
      const boundary = /^multipart\/byteranges\s*;.*boundary=("[^"]{1,70}"|[^\s;"]{1,70})/i.exec(
        response.headers.get("Content-Type") ?? "")?.[1].replaceAll('"', "");
      if (many && !boundary) return null;
      const body = await this._body(response, wanted.reduce((sum, [, n]) => sum + n + OVERHEAD, OVERHEAD));
      const whole = { told: response.headers.get("Content-Range") ?? "", bytes: body };
      const ranges = (boundary ? partsOf(body, boundary) : [whole]).map(({ told, bytes }) => this._range(told, bytes));
      const tag = response.headers.get("ETag") ?? response.headers.get("Last-Modified");
      if (tag && !tag.startsWith("W/") && tag !== (this._tag ??= tag)) throw this._wrong("was changed: open it again");
      return wanted.map(([offset, n]) => this._cut(ranges, offset, Math.min(n, this.size - offset)));
    } catch (error) {
      if (error instanceof EngineError) throw error;
      if (stop.signal.aborted) throw this._wrong(`sent too little for ${this._seconds} seconds`);
      if (many) return null; // as a host elsewhere does that has not been told to allow it
      throw this._wrong("cannot be reached");
    } finally {
      clearTimeout(timer);
      stop.abort(); // whatever else it sends
    }
  }

  /**
   * A body, as far as it may be of use.
   * @param {Response} response
   * @param {number} most
   * @returns {Promise<Uint8Array>}
   */
  async _body(response, most) {
    const body = new Uint8Array(most), reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    let n = 0;
    for (let part = await reader.read(); !part.done && n < most; part = await reader.read()) {
      body.set(part.value.subarray(0, most - n), n);
      n = Math.min(n + part.value.length, most);
    }
    this.bytes += n;
    return body.subarray(0, n);
  }

  /**
   * A part of an answer.
   * @param {string} told  its range as the host says it
   * @param {Uint8Array} bytes
   * @returns {Range}
   */
  _range(told, bytes) {
    const [, first, last, size] = (RANGE.exec(told.trim()) ?? []).map(Number);
    if (size === undefined)
      throw this._wrong("is on a host that does not say which bytes it sends: it has to show Content-Range to pages");
    if (bytes.length !== last - first + 1) throw this._wrong("came with other bytes than the host says");
    if (this.size && size !== this.size) throw this._wrong("was changed: open it again");
    this.size = size;
    return { offset: first, bytes };
  }

  /**
   * A host may put ranges together that are near each other.
   * @param {Range[]} ranges
   * @param {number} offset
   * @param {number} n
   * @returns {Range}
   */
  _cut(ranges, offset, n) {
    const found = ranges.find((each) => each.offset <= offset && offset + n <= each.offset + each.bytes.length);
    if (!found) throw this._wrong("came with other bytes than were asked for");
    return { offset, bytes: found.bytes.slice(offset - found.offset, offset - found.offset + n) };
  }

  /** @param {string} why */
  _wrong(why) {
    return new EngineError("READ", `${this.url} ${why}`);
  }
}
