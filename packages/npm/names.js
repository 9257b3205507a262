/** What Node and pages have in common. */

export { Database, Engine, EngineError, RemoteEngine } from "./engine.js";
export * from "./formats.js";
export { DEFAULT_MET } from "./met.js";
export { RangeFile } from "./ranges.js";

/** @typedef {import("./engine.js").Answer} Answer */
/** @typedef {import("./engine.js").Bounds} Bounds */
/** @typedef {import("./engine.js").Budget} Budget */
/** @typedef {import("./engine.js").Cube} Cube */
/** @typedef {import("./engine.js").CubeAction} CubeAction */
/** @typedef {import("./engine.js").EarlyAnswer} EarlyAnswer */
/** @typedef {import("./engine.js").Estimate} Estimate */
/** @typedef {import("./engine.js").MatchEquityTable} MatchEquityTable */
/** @typedef {import("./engine.js").Play} Play */
/** @typedef {import("./engine.js").PlayReason} PlayReason */
/** @typedef {import("./engine.js").Question} Question */
/** @typedef {import("./engine.js").Reasons} Reasons */
/** @typedef {import("./engine.js").RiskAnswer} RiskAnswer */
/** @typedef {import("./engine.js").RiskQuestion} RiskQuestion */
/** @typedef {import("./engine.js").Score} Score */
/** @typedef {import("./engine.js").SideAnswer} SideAnswer */
/** @typedef {import("./engine.js").Stakes} Stakes */
/** @typedef {import("./engine.js").Turn} Turn */
/** @typedef {import("./engine.js").Verdict} Verdict */

/** Where the WebAssembly module is. */
export const MODULE_URL = new URL("./bgrace.wasm", import.meta.url);
