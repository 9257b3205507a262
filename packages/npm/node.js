/** The engine in Node: files are read from beside this one, and workers are threads. */

import { readFile } from "node:fs/promises";
import { Worker as Thread } from "node:worker_threads";

import { Engine } from "./engine.js";
import { MODULE_URL } from "./names.js";
import { RemoteEngine } from "./remote.js";

export * from "./names.js";

/** A thread that is spoken to as a page speaks to a worker. */
class ThreadWorker {
  constructor() {
    this._thread = new Thread(new URL("./node-worker.js", import.meta.url));
  }

  /**
   * @param {string} kind
   * @param {(event: any) => void} listener
   */
  addEventListener(kind, listener) {
    this._thread.on(kind, (value) => listener(kind === "error" ? { message: String(value) } : { data: value }));
  }

  /** @param {unknown} message */
  postMessage(message) {
    this._thread.postMessage(message);
  }

  terminate() {
    void this._thread.terminate();
  }
}

/**
 * The engine in this thread.
 * @returns {Promise<Engine>}
 */
export async function loadEngine() {
  return Engine.load(await readFile(MODULE_URL));
}

/**
 * The engine in a worker; close it, or the process goes on.
 * @returns {Promise<RemoteEngine>}
 */
export async function startEngine() {
  const worker = () => /** @type {Worker} */ (/** @type {unknown} */ (new ThreadWorker()));
  return RemoteEngine.start(await readFile(MODULE_URL), { worker });
}
