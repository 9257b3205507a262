/**
 * The engine in a worker: what takes time gives a promise, and a newer `solve` cancels the older questions.
 *
 *     import { RemoteEngine } from "./remote.js";
 *     const engine = await RemoteEngine.start("bgrace.wasm");      // or the bytes; starts engine-worker.js
 *     try {
 *         const answer = await engine.solve(question, { onProgress: (done) => bar.value = done });
 *     } catch (error) {
 *         if (error.name !== "AbortError") throw error;            // a newer question has come
 *     }
 *
 * What was cancelled is rejected with an AbortError (a DOMException), or with the reason of the signal that was aborted;
 * anything else with an EngineError, as from engine.js.  Only what `RemoteEngine.start` is given is fetched.
 */

import { EngineError } from "./memory.js";

/**
 * @import { Answer, Bounds, Counts, EarlyAnswer, Question, Range, RangeReader, RiskAnswer, RiskQuestion, SideAnswer, Turn }
 *   from "./types.js"
 */

/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void, message: Record<string, any>,
 *            cancellable: boolean, fetching?: boolean, onProgress?: (done: number) => void,
 *            onVerdict?: (early: EarlyAnswer) => void}} Waiting */

/**
 * What a worker can be sent of a question.
 * @template {{onRoll: ArrayLike<number>, opponent: ArrayLike<number>}} T
 * @param {T} asked
 */
const plain = (asked) => ({ ...asked, onRoll: Array.from(asked?.onRoll ?? []), opponent: Array.from(asked?.opponent ?? []) });

/** The C library in a worker of its own. */
export class RemoteEngine {
  /**
   * @param {string | URL | BufferSource | WebAssembly.Module} source where bgrace.wasm is, or its bytes
   * @param {{worker?: string | URL | (() => Worker)}} [options] where engine-worker.js is, unless it is beside this
   *     file; or what starts a worker of it
   * @returns {Promise<RemoteEngine>}
   */
  static async start(source, options = {}) {
    if (typeof source === "string" || source instanceof URL) {
      const response = await fetch(source);
      if (!response.ok) throw new EngineError("OPEN", `${source}: ${response.status} ${response.statusText}`);
      source = await response.arrayBuffer();
    }
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const engine = new RemoteEngine(module, options.worker ?? new URL("./engine-worker.js", import.meta.url));
    engine._worker = engine._make();
    await engine._send({ call: "know", words: [[]] }, { cancellable: false }); // once it is there
    engine._spare = engine._make(true);
    return engine;
  }

  /**
   * @param {WebAssembly.Module} module
   * @param {string | URL | (() => Worker)} script
   */
  constructor(module, script) {
    this._module = module;
    this._script = script;
    /** @type {Worker | null} */
    this._worker = null;
    /** @type {Worker | null} takes the place of a worker that is stopped in the midst of a question */
    this._spare = null;
    /** @type {Waiting[]} */
    this._waiting = [];
    /** @type {Waiting | null} */
    this._asked = null;
    /** @type {RangeReader | null} */
    this._file = null;
    /** @type {Record<string, any> | null} the file that a new worker has to open first */
    this._toOpen = null;
  }

  /**
   * As Engine.solve; cancels the questions that were asked before, unless `keep` is true.
   * @param {Question} question
   * @param {{onProgress?: (done: number) => void, onVerdict?: (early: EarlyAnswer) => void, signal?: AbortSignal,
   *     keep?: boolean}} [options]
   * @returns {Promise<Answer>}
   */
  solve(question, { onProgress, onVerdict, signal, keep = false } = {}) {
    if (!keep && !signal?.aborted) this.cancel();
    const asked = { ...plain(question), database: Boolean(question?.database) };
    return this._send({ call: "solve", question: asked, early: Boolean(onVerdict) }, { cancellable: true, onProgress, onVerdict, signal });
  }

  /**
   * As Engine.follow: null after a question that was cancelled, too.
   * @param {Turn} turn
   * @returns {Promise<Answer | null>}
   */
  follow(turn) {
    return this._send({ call: "follow", words: [plain(turn)] }, { cancellable: true });
  }

  /**
   * As Engine.prove, without a database.
   * @param {Question} question
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<Bounds>}
   */
  prove(question, { signal } = {}) {
    return this._send({ call: "prove", words: [{ ...plain(question), database: null }] }, { cancellable: true, signal });
  }

  /**
   * @param {ArrayLike<number>} counts
   * @returns {Promise<SideAnswer>}
   */
  alone(counts) {
    return this._send({ call: "alone", words: [Array.from(counts)] }, { cancellable: false });
  }

  /**
   * As Engine.counts.
   * @param {ArrayLike<number>} onRoll
   * @param {ArrayLike<number>} opponent
   * @param {number[]} truth
   * @returns {Promise<Counts>}
   */
  counts(onRoll, opponent, truth) {
    return this._send({ call: "counts", words: [Array.from(onRoll), Array.from(opponent), truth] }, { cancellable: false });
  }

  /**
   * @param {RiskQuestion} question
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<RiskAnswer>}
   */
  risk(question, { signal } = {}) {
    return this._send({ call: "risk", words: [plain(question)] }, { cancellable: true, signal });
  }

  /**
   * The file that questions are answered with whose `database` is not null.
   * @param {Uint8Array | RangeReader} file
   * @returns {Promise<void>}
   */
  async open(file) {
    const inMemory = file instanceof Uint8Array;
    const message = { call: "open", file: inMemory ? file : { size: file.size, head: file.head } };
    await this._send(message, { cancellable: false });
    this._file = inMemory ? null : file;
    this._toOpen = message;
  }

  /** Give up whatever question is under way or waiting. */
  cancel() {
    this._drop((each) => each.cancellable);
  }

  /** Stop the worker; whatever is under way is given up. */
  close() {
    this._drop(() => true);
    this._spare?.terminate();
    this._replace(null, null);
  }

  /**
   * @param {Record<string, any>} message
   * @param {{cancellable: boolean, onProgress?: (done: number) => void, onVerdict?: (early: EarlyAnswer) => void,
   *     signal?: AbortSignal}} options
   * @returns {Promise<any>}
   */
  _send(message, { cancellable, onProgress, onVerdict, signal }) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!this._worker)
      return Promise.reject(new EngineError("OPEN", "the engine has been closed, or has stopped: start another"));
    const settled = new AbortController();
    return new Promise((resolve, reject) => {
      /** @type {Waiting} */
      const waiting = { resolve, reject, message, cancellable, onProgress, onVerdict };
      const drop = () => this._drop((each) => each === waiting, signal?.reason);
      signal?.addEventListener("abort", drop, { signal: settled.signal });
      this._waiting.push(waiting);
      this._next();
    }).finally(() => settled.abort());
  }

  _next() {
    if (this._asked || !this._worker) return;
    const at = this._waiting.findIndex((each) => !each.fetching);
    if (at < 0) return;
    const [next] = this._waiting.splice(at, 1);
    try {
      this._worker.postMessage(next.message);
      this._asked = next;
    } catch (error) { // it has what no worker can be sent, such as a function
      next.reject(/** @type {Error} */ (error));
      this._next();
    }
  }

  /**
   * @param {(each: Waiting) => boolean} which
   * @param {any} [reason] of a signal
   */
  _drop(which, reason = new DOMException("cancelled, by a newer question or by hand", "AbortError")) {
    const dropped = this._waiting.filter(which);
    this._waiting = this._waiting.filter((each) => !dropped.includes(each));
    if (this._asked && which(this._asked)) {
      // A thread that computes hears nothing, so its worker goes and the other takes its place.
      dropped.push(this._asked);
      this._asked = null;
      this._replace(this._spare ?? this._make(), this._make(true));
    }
    for (const each of dropped) each.reject(reason);
    this._next();
  }

  /**
   * @param {Worker | null} worker in the place of the one there is
   * @param {Worker | null} spare
   */
  _replace(worker, spare) {
    this._worker?.terminate();
    this._worker = worker;
    this._spare = spare;
    if (this._toOpen) worker?.postMessage({ ...this._toOpen, quiet: true });
  }

  /** @param {boolean} [warm] whether it may take its time before the first question */
  _make(warm = false) {
    const script = this._script;
    const worker = typeof script === "function" ? script() : new Worker(script, { type: "module" });
    worker.addEventListener("message", ({ data }) => this._hear(worker, data));
    worker.addEventListener("error", (event) => this._fail(worker, event.message));
    worker.postMessage({ call: "load", module: this._module, warm, quiet: true });
    return worker;
  }

  /**
   * @param {Worker} worker
   * @param {{progress?: number, verdict?: EarlyAnswer, value?: any,
   *     error?: {name: string, code: string, message: string, missing?: [number, number][]}}} data
   */
  _hear(worker, data) {
    if (worker !== this._worker || !this._asked) return;
    const asked = this._asked;
    if (data.progress !== undefined) asked.onProgress?.(data.progress);
    else if (data.verdict) asked.onVerdict?.(data.verdict);
    else {
      this._asked = null;
      if (data.error?.code === "DAMAGED") this._file?.forget?.();
      if (data.error?.missing && this._file) void this._fetch(asked, this._file, data.error.missing);
      else if (data.error) asked.reject(new EngineError(data.error.code, data.error.message));
      else asked.resolve(data.value);
      this._next();
    }
  }

  /**
   * Ask again once the ranges are there, unless that was given up.
   * @param {Waiting} asked
   * @param {RangeReader} file
   * @param {[number, number][]} missing
   */
  async _fetch(asked, file, missing) {
    const { message } = asked;
    asked.fetching = true;
    this._waiting.unshift(asked);
    try {
      const found = await file.read(missing);
      message.ranges = file === this._file ? [...(message.ranges ?? []), ...found] : []; // another may be open by now
      asked.fetching = false;
      this._next();
    } catch (error) {
      this._drop((each) => each === asked, error);
    }
  }

  /**
   * A worker that cannot go on: its script is missing, or memory ran out for good.
   * @param {Worker} worker
   * @param {string} message
   */
  _fail(worker, message) {
    if (worker === this._spare) this._spare = null;
    if (worker !== this._worker) return;
    const error = new EngineError("MEMORY", message || "the worker has stopped"), asked = this._asked;
    this._asked = null;
    this._replace(this._spare, null);
    asked?.reject(error);
    if (this._worker) this._next();
    else this._drop(() => true, error);
  }
}
