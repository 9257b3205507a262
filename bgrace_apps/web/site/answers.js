/**
 * One interface to whatever answers: the server that the page came from, or the engine in the page.
 *
 * `answers.solve(question)`, `.prove`, `.counts`, `.map` and `.risk` take the fields of the interface for programs and give its JSON.  A
 * newer question of a kind cancels the older one, which then rejects with an AbortError.
 */

import { parseBoard, stakesOf } from "./formats.js";
import { parseRace, placeAtScore } from "./race.js";
import { language } from "./texts.js";

/** A missing answer: `kind` is "wrong" (the question), "busy", "offline" or "unloaded" (the page's engine). */
export class NoAnswer extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** What is promised; undefined if it is stopped, or there is no answer. */
export const orNothing = (promised) =>
  promised.catch((error) => {
    if (error.name !== "AbortError" && !(error instanceof NoAnswer)) throw error;
  });

/** The races that are drawn at random, by what they are for. */
export const recordedRaces = async () =>
  (await fetch("races.json").catch((error) => Promise.reject(new NoAnswer("offline", String(error.message))))).json();

/** @param {any} _told */
const unheard = (_told) => {};

/** @returns {(response: any) => Promise<void>} */
const eachLine = (heard) => async (response) => {
  const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await lines.read(); !part.done; part = await lines.read()) {
    const complete = (rest + part.value).split("\n");
    rest = complete.pop() ?? "";
    complete.forEach((line) => heard(JSON.parse(line)));
  }
};

/** What is asked, on a line for each kind: a newer question takes the place of an older one. */
class Lines {
  #under = new Map();

  /** @param {string} line @returns {AbortSignal} */
  begin(line) {
    this.stop(line);
    const controller = new AbortController();
    this.#under.set(line, controller);
    return controller.signal;
  }

  /** Stops what is asked on one line. */
  stop(line) {
    this.#under.get(line)?.abort();
    this.#under.delete(line);
  }

  cancel() {
    for (const line of [...this.#under.keys()]) this.stop(line);
  }
}

class Server extends Lines {
  /** Seconds of work for a first answer where no file has it. */
  quick = 0.2;
  /** @type {string | null | undefined} */
  table = null;

  /** How far a server is with an answer is not known, and all of it comes at once: the rest is for the engine in the page. */
  solve(question, line = "solve", _onProgress = unheard, _onVerdict = unheard) {
    return this.#ask("solve", line, question);
  }

  counts(question) {
    return this.#ask("counts", "counts", question);
  }

  /** Between which values the answer is proved to lie. */
  async prove(question) {
    return (await this.#ask("solve", "proof", { ...question, prove: true })).bounds ?? null;
  }

  /** A bearoff against men behind. */
  risk(question, line = "solve") {
    return this.#ask("risk", line, question);
  }

  /** Tells each score of a map as it comes. */
  map(question, onScore) {
    return this.#ask("map", "map", question, eachLine(onScore));
  }

  /** Reviews the matches of a file: tells how far it is, and each report. */
  review(file, onPart) {
    return this.#ask(`review?name=${encodeURIComponent(file.name)}&language=${language}`, "review", file, eachLine(onPart));
  }

  async #ask(what, line, question, read = (response) => response.json()) {
    const signal = this.begin(line);
    let response;
    try {
      response = await fetch(`api/${what}`, {
        method: "POST",
        headers: { "Content-Type": question instanceof Blob ? "application/octet-stream" : "application/json" },
        body: question instanceof Blob ? question : JSON.stringify(question),
        signal,
      });
      if (response.ok) return await read(response);
      if (response.status === 503) throw new NoAnswer("busy", "");
      throw new NoAnswer("wrong", (await response.json()).message);
    } catch (error) {
      if (error.name === "AbortError" || error instanceof NoAnswer) throw error;
      throw new NoAnswer("offline", String(error.message));
    }
  }
}

const COUNTED = 0.3; // seconds
const TABLE_AGAIN = 30_000; // milliseconds after which a table that could not be read is tried again

/** @param {string} name @returns {string | undefined} */
const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? undefined;

/** What the engine in the page says to a question that is still asked. */
async function said(signal, ask) {
  signal.throwIfAborted();
  try {
    return await ask();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new NoAnswer("wrong", error.message);
  }
}

/** The engine in a worker; it is started with the first question. */
class Page extends Lines {
  quick = 0.05;
  /** Matches are read by the server alone. */
  review = null;
  /** The address of a packed file of pairs, which questions with `table` are asked. */
  table = meta("bgrace-table");
  /** @type {Promise<any> | null} */
  #opened = null;
  #tableAfter = 0;
  /** Why the table could not be read; every answer says so until the table is tried again. */
  #without = "";
  /** @type {Promise<any> | null} */
  #started = null;

  /** Tells how far it is, from 0 to 1, and the verdict with chances and equities as soon as they are there. */
  async solve(question, line = "solve", onProgress = unheard, onVerdict = unheard) {
    const signal = this.begin(line);
    const engine = await this.#start();
    const asked = this.#translated(question), options = { keep: line !== "solve", signal, onProgress, onVerdict };
    if (question.table && Date.now() >= this.#tableAfter) {
      try {
        await (this.#opened ??= this.#openTable(engine));
        this.#without = "";
        const found = await this.#solved(engine, { ...asked, budget: { seconds: this.quick }, database: true }, options);
        if (["two-sided", "solved"].includes(found.method)) return found;
      } catch (error) {
        if (error.name === "AbortError") throw error;
        this.#opened = null;
        this.#tableAfter = Date.now() + TABLE_AGAIN;
        this.#without = error.message;
      }
    }
    const without = question.table && this.#without;
    return { ...(await this.#solved(engine, asked, options)), ...(without && { without }) };
  }

  async #openTable(engine) {
    const { RangeFile } = await import("./ranges.js");
    return engine.open(await RangeFile.open(new URL(String(this.table), document.baseURI)));
  }

  #solved(engine, asked, options) {
    return said(options.signal, () => engine.solve(asked, options));
  }

  /** Between which values the answer is proved to lie. */
  async prove(question) {
    const signal = this.begin("proof");
    const engine = await this.#start();
    return said(signal, () => engine.prove(this.#translated(question), { signal }));
  }

  /** A bearoff against men behind. */
  async risk(question, line = "solve") {
    const signal = this.begin(line);
    const engine = await this.#start();
    const { mine, theirs, roll } = /** @type {import("./race.js").Race} */ (parseRace(question.xgid));
    return said(signal, () => engine.risk({ onRoll: mine, opponent: theirs, dice: roll, allRolls: question.rolls }, { signal }));
  }

  /** What counts say, computed as the server does; at a score the cube is in one place only. */
  async counts(question) {
    const signal = this.begin("counts");
    const [engine, { judgeCounts }] = await Promise.all([this.#start(), import("./counts.js")]);
    const asked = this.#translated({ ...question, seconds: COUNTED });
    const race = { ...asked, dice: null, allRolls: false, state: null };
    const turned = (asked.stakes.cubeValue ?? 1) > 1;
    const at = (cube, there) => (there || !asked.stakes.match ? this.#solved(engine, { ...race, cube }, { keep: true, signal }) : null);
    const centered = await at("centered", !turned);
    const mine = await at("mine", turned);
    const known = centered ?? mine;
    const why = known.reasons;
    const points = { [turned ? "redouble" : "double"]: why?.double.needed ?? null, take: why?.take.needed ?? null };
    return judgeCounts(engine, asked.onRoll, asked.opponent, {
      epc: [known.on_roll.epc, known.opponent.epc],
      winProbability: known.win_probability,
      method: known.method,
      error: known.error,
      stakes: known.stakes,
      double: centered?.cube_action ?? null,
      redouble: mine?.cube_action ?? null,
      points: asked.stakes.match ? points : null,
      reasons: { centered: centered?.reasons, mine: mine?.reasons },
    });
  }

  /** Tells each score of a map as it is solved. */
  async map(question, onScore) {
    const signal = this.begin("map");
    const engine = await this.#start();
    const length = Number(question.length ?? 7);
    const asked = this.#translated(question);
    for (let a = 1; a <= length; a++) {
      for (let b = 1; b <= length; b++) {
        for (const crawford of Math.min(a, b) === 1 && a !== b ? [true, false] : [false]) {
          const cubeValue = asked.stakes.cubeValue ?? 1;
          const stakes = { gammons: asked.stakes.gammons, cubeValue, match: { onRollNeeds: a, opponentNeeds: b, crawford } };
          const cube = placeAtScore(cubeValue, asked.cube);
          const budget = { seconds: question.seconds ?? 0.1 };
          const race = { ...asked, stakes, cube, budget, dice: null, allRolls: false, state: null };
          const answer = await this.#solved(engine, race, { keep: true, signal });
          onScore({ on_roll_needs: a, opponent_needs: b, crawford, cube_action: answer.cube_action, method: answer.method, error: answer.error });
        }
      }
    }
  }

  #start() {
    this.#started ??= (async () => {
      try {
        const { RemoteEngine } = await import("./remote.js");
        return await RemoteEngine.start(new URL("bgrace.wasm", document.baseURI));
      } catch (error) {
        this.#started = null;
        throw new NoAnswer("unloaded", String(error.message));
      }
    })();
    return this.#started;
  }

  /** The question in the engine's words. */
  #translated(question) {
    const board = parseBoard(question.xgid);
    const stakes = { ...stakesOf(board), gammons: question.gammons ?? true };
    const atScore = Boolean(stakes.match);
    return {
      onRoll: board.onRoll,
      opponent: board.opponent,
      stakes,
      cube: atScore ? placeAtScore(board.cubeValue, board.cube) : board.cube,
      dice: question.roll ?? board.roll,
      allRolls: Boolean(question.rolls),
      budget: { seconds: question.seconds ?? 1 },
      state: atScore ? { score: board.score, matchLength: board.matchLength } : null,
    };
  }
}

const kind = meta("bgrace-answers");

if (kind === "page") navigator.serviceWorker?.register("offline.js").catch(() => {}); // then it needs a network

/** Whatever answers this page. */
export const answers = kind === "page" ? new Page() : new Server();
