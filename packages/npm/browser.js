/** The engine in a page: `bgrace.wasm` and `engine-worker.js` are fetched from beside this file. */

import { Engine } from "./engine.js";
import { MODULE_URL } from "./names.js";
import { RemoteEngine } from "./remote.js";

export * from "./names.js";

/**
 * The engine in this thread.
 * @returns {Promise<Engine>}
 */
export async function loadEngine() {
  const response = await fetch(MODULE_URL);
  if (!response.ok) throw new Error(`${MODULE_URL}: ${response.status} ${response.statusText}`);
  return Engine.load(await response.arrayBuffer());
}

/**
 * The engine in a worker.
 * @returns {Promise<RemoteEngine>}
 */
export function startEngine() {
  return RemoteEngine.start(MODULE_URL);
}
