/** engine-worker.js in a thread of Node, with the names that it has in a page. */

import { parentPort } from "node:worker_threads";

if (!parentPort) throw new Error("node-worker.js is started by startEngine");
const port = parentPort;
Object.assign(globalThis, {
  postMessage: (/** @type {unknown} */ message) => port.postMessage(message),
  addEventListener: (/** @type {string} */ kind, /** @type {(event: {data: unknown}) => void} */ listener) =>
    port.on(kind, (data) => listener({ data })),
});
await import("./engine-worker.js");
