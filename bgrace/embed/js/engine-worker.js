/**
 * The engine in a worker, one message at a time: RemoteEngine of remote.js sends them, and reads the answers.
 *
 * Messages: {call: "load", module, warm}, {call: "solve", question, early}, {call: "open", file}, and
 * {call, words} of any other method of Engine; with `ranges` of the file that were missing; with `quiet` there is no answer.
 * Answers: {value}, {error: {name, code, message, missing}}, and before them any number of {progress}, and of a question
 * that is `early` one {verdict}.
 */

import { Engine } from "./engine.js";
import { EngineError } from "./memory.js";

/** @import { Database } from "./engine.js" */

/** @type {Promise<Engine> | null} */
let loading = null;
/** @type {Database | null} */
let database = null;

/**
 * @param {Engine} engine
 * @param {Record<string, any>} message
 */
function answer(engine, message) {
  switch (message.call) {
    case "load":
      // It works out what the first side that is not home would otherwise wait for.
      return message.warm ? engine.alone([0, 0, 0, 0, 0, 0, 1]) : undefined;
    case "solve":
      return engine.solve({ ...message.question, database: message.question.database ? database : null },
        { onProgress: (progress) => void postMessage({ progress }),
          onVerdict: message.early ? (verdict) => postMessage({ verdict }) : undefined });
    case "open": {
      const opened = engine.open(message.file);
      database?.close();
      database = opened;
      return undefined;
    }
    default:
      return /** @type {any} */ (engine)[message.call](...message.words);
  }
}

addEventListener("message", async ({ data }) => {
  try {
    loading ??= Engine.load(data.module);
    const engine = await loading;
    engine.know(data.ranges ?? []);
    const value = answer(engine, data);
    if (!data.quiet) postMessage({ value });
  } catch (error) {
    const { name, code, message, missing } = error instanceof EngineError
      ? error
      : { name: "Error", code: "MEMORY", message: error instanceof Error ? error.message : String(error), missing: undefined };
    if (!data.quiet) postMessage({ error: { name, code, message, missing } });
  }
});
