/** What Node and pages have in common. */

export { Database, Engine } from "./engine.js";
export * from "./formats.js";
export { EngineError } from "./memory.js";
export { DEFAULT_MET } from "./met.js";
export { RangeFile } from "./ranges.js";
export { RemoteEngine } from "./remote.js";
export * from "./types.js";

/** Where the WebAssembly module is. */
export const MODULE_URL = new URL("./bgrace.wasm", import.meta.url);
