/**
 * The engine in a page: the C library of bgrace as WebAssembly, with the answers of `bgrace solve --json`, bit for bit.
 *
 *     import { Engine } from "./engine.js";
 *     const engine = await Engine.load(await (await fetch("bgrace.wasm")).arrayBuffer());
 *     const answer = engine.solve({ onRoll: [2, 2, 1, 1, 2, 1], opponent: [1, 1, 2, 1, 2, 2], dice: [6, 3] });
 *     answer.cube_action?.verdict; answer.plays?.[0].play;
 *
 * That answers at once and keeps its thread busy meanwhile.  A page asks a worker instead, which has the same methods,
 * each giving a promise; a newer question cancels the older ones:
 *
 *     import { RemoteEngine } from "./engine.js";
 *     const engine = await RemoteEngine.start("bgrace.wasm");      // or the bytes; starts engine-worker.js
 *     try {
 *         const answer = await engine.solve(question, { onProgress: (done) => bar.value = done });
 *     } catch (error) {
 *         if (error.name !== "AbortError") throw error;            // a newer question has come
 *     }
 *
 * Words.  A position is one side's checkers: counts[0] stand on its own ace point, up to 24 counts, 15 checkers at most.
 * What goes in is named as JavaScript names things; what comes out has the field names of the JSON of `bgrace solve`
 * (on_roll, win_probability, cube_action, ...), so that a page can show an answer of the server and of the engine alike.
 * All values are for the player on roll: for money in points per unit of the present cube; at a score `equities` and the
 * plays' `equity` are normalised points, `match_chances`, `mwc` and the values of `cube_action` chances to win the match.
 *
 * Errors.  EngineError, with `code` the name of a status of bgrace.h: "POSITION", "CONTACT", "STAKES", "ROLL", "MEMORY",
 * ... and a message for readers; an AbortError (a DOMException) from a RemoteEngine for what was cancelled.
 *
 * No dependency, no network access but what `RemoteEngine.start` is given, no state outside the objects.
 */

// ------------------------------------------------------------------ what goes in

/** @typedef {"none" | "centered" | "mine" | "theirs"} Cube  Where the cube is, seen by the player on roll. */

/**
 * What a game is played for.  Money, unless `match` is there.
 * @typedef {object} Stakes
 * @property {boolean} [gammons]  whether gammons count twice, backgammons three times [true]
 * @property {boolean} [jacoby]   money: both count once as long as the cube is centered [false]
 * @property {boolean} [beavers]  money: who is doubled may turn the cube once more at once, and keep it [false]
 * @property {Score | null} [match]  the score of a match [money]
 * @property {number} [cubeValue] before this roll: 1, 2, 4, ... [1]; at a score 1 is in the middle, more is on a side
 */

/**
 * @typedef {object} Score
 * @property {number} onRollNeeds    points to go
 * @property {number} opponentNeeds  points to go
 * @property {boolean} [crawford]    whether this is the Crawford game [false]
 */

/**
 * A match equity table, of the same two players in the same order: `pre_crawford` and `post_crawford` of Python's
 * `MatchEquityTable`.
 * @typedef {object} MatchEquityTable
 * @property {string} name
 * @property {number[][]} preCrawford   n x n: the chance of the player on roll who needs i + 1, the other j + 1
 * @property {number[][]} postCrawford  2 x m: the chance of the trailer who needs i + 1; row 1 if that is the opponent
 */

/**
 * About what an answer may take; Python's `bgrace.solve` with the same numbers gives the same bits.
 * @typedef {object} Budget
 * @property {number} [seconds]      counted as work, not timed: the same on every machine [1]
 * @property {number} [memoryBytes]  [512 MiB]
 */

/**
 * @typedef {object} Question
 * @property {ArrayLike<number>} onRoll
 * @property {ArrayLike<number>} opponent
 * @property {Stakes} [stakes]             [money with gammons, cube 1]
 * @property {MatchEquityTable} [met]      [the table that comes with bgrace, Kazaross XG2]
 * @property {Cube | null} [cube]          for cube_action and plays [in the middle; at a score with a larger cube, mine]
 * @property {readonly [number, number] | null} [dice]  list the plays of this roll [none]
 * @property {boolean} [allRolls]          list the plays of all 21 rolls, too [false]
 * @property {Budget} [budget]
 * @property {boolean} [turns]             answer as bgr_solve of the C library does, where `bgrace.solve` would solve all
 *     pairs, too: the same values, but for the chances of gammons, which are then those of cubeless play [false]
 * @property {Database | null} [database]  a file in memory, whose pairs are looked up where it has them [none]
 * @property {{score: readonly [number, number], matchLength: number} | null} [state]
 *     points won so far, for the answer's xgid: kept where it is the score of `stakes`
 */

// ------------------------------------------------------------------ what comes out

/**
 * One side by itself.
 * @typedef {object} SideAnswer
 * @property {number[]} position
 * @property {number} index
 * @property {number} pips
 * @property {number} epc              expected pip count; less `pips` it is the wastage
 * @property {number} mean_rolls
 * @property {number} variance_rolls
 * @property {number[]} roll_distribution  chance of being off in exactly 0, 1, ... rolls
 */

/** @typedef {{cubeless: number | null, centered: number | null, mine: number | null, theirs: number | null}} Equities */

/** @typedef {"no cube" | "no double" | "double/take" | "double/beaver" | "double/pass" | "too good"} Verdict */

/**
 * @typedef {object} CubeAction
 * @property {Cube} cube
 * @property {number} [cube_value]            at a score
 * @property {number} no_double
 * @property {number | null} double_take
 * @property {number | null} double_pass
 * @property {boolean | null} double
 * @property {boolean | null} take
 * @property {Verdict} verdict
 * @property {boolean} [beaver]               where beavers are played
 * @property {string | null} [reason]         at a score: why there is no cube to turn
 * @property {{no_double: number | null, double_take: number | null, double_pass: number | null}} [normalised]
 *     at a score: the three in points per unit of the cube
 */

/**
 * @typedef {object} Play
 * @property {string} play        such as "4/2 3/off"
 * @property {number[]} position  what is left, on as many points as `onRoll` was given on
 * @property {number} equity
 * @property {number} loss        against the best, 0 or more
 * @property {number} [mwc]       at a score: chance to win the match
 */

/** @typedef {{roll: [number, number], plays: Play[]}} RollPlays  The larger die first. */

/**
 * @typedef {object} MatchStakes
 * @property {number} on_roll_needs
 * @property {number} opponent_needs
 * @property {boolean} crawford
 * @property {number} cube_value
 * @property {string} table
 */

/**
 * What `bgrace solve --json` prints, with `solver` beside it.
 * @typedef {object} Answer
 * @property {SideAnswer} on_roll
 * @property {SideAnswer} opponent
 * @property {number} win_probability
 * @property {"solved" | "turns"} method     "solved": exact
 * @property {MatchStakes} [match]           at a score
 * @property {Equities} [match_chances]      at a score
 * @property {Equities} equities             null where the cube cannot be
 * @property {CubeAction} cube_action
 * @property {Play[] | null} plays           of `dice`, best first; null without
 * @property {string} stakes                 in words
 * @property {number | null} gammon_win      chances of at least a gammon or a backgammon; null: not known
 * @property {number | null} gammon_loss
 * @property {number | null} backgammon_win
 * @property {number | null} backgammon_loss
 * @property {number} error                  0 if exact; else the greatest that was found for such races: not a bound
 * @property {string} xgid
 * @property {RollPlays[]} [rolls]           all 21, if asked for
 */

/** @typedef {Omit<Answer, "on_roll" | "opponent" | "plays" | "rolls">} EarlyAnswer  What is there first. */

/**
 * What a file says of a pair: see bgr_equities in bgrace.h.
 * @typedef {object} FileEquities
 * @property {number} cubeless
 * @property {number} centered
 * @property {number} mine
 * @property {number} theirs
 * @property {number} centered_roll
 * @property {number} mine_roll
 * @property {number} jacoby
 * @property {number} jacoby_roll
 */

/**
 * @typedef {object} FileInfo
 * @property {number} points
 * @property {number} checkers
 * @property {number} two_sided_checkers
 * @property {boolean} gammons
 * @property {number} n_rolls
 * @property {number} file_size
 */

/*
 * The interface.
 *
 * class Engine
 *     static load(source: BufferSource | WebAssembly.Module): Promise<Engine>
 *     version: string                               of the C library
 *     solve(question: Question, options?: {onProgress?: (done: number) => void, onVerdict?: (early: EarlyAnswer) => void})
 *         : Answer                              done: 0 .. 1; early: verdict, chances and equities, before plays and sides
 *     alone(counts): SideAnswer                     one side by itself
 *     remember(side: SideAnswer): void              one that is known already, and need not be worked out again
 *     warm(): void                                  work out what the first question would otherwise wait for
 *     prepare(stakes: Stakes, checkers: number, met?): void
 *         all pairs of so many checkers a side (1 .. 8) solved for these stakes, for answers by turns that are quicker
 *         and closer; then answers are those of Python with the same boundary, no longer those of a plain `bgrace.solve`
 *     open(file: Uint8Array): Database              a copy of the file is kept in the engine's memory
 *
 * class Database
 *     info: FileInfo
 *     epc(counts): number
 *     rolls(counts): {mean_rolls, variance_rolls}
 *     rollDistribution(counts): number[]
 *     winProbability(onRoll, opponent): {win_probability: number, method: "two-sided" | "one-sided"}
 *     equities(onRoll, opponent): FileEquities
 *     close(): void
 *
 * class RemoteEngine                                the same in a worker
 *     static start(source: string | URL | BufferSource | WebAssembly.Module, options?: {worker?: string | URL})
 *         : Promise<RemoteEngine>
 *     solve(question, options?: {onProgress?, onVerdict?, signal?: AbortSignal, keep?: boolean}): Promise<Answer>
 *         cancels the questions asked before, unless `keep` is true: then it waits for its turn
 *     alone(counts): Promise<SideAnswer>            waits for its turn, cancels nothing
 *     prepare(stakes, checkers, met?): Promise<void>
 *     open(file: Uint8Array): Promise<void>         asked by every later question whose `database` is not null
 *     cancel(): void                                whatever is under way
 *     close(): void
 *
 * class EngineError extends Error { code: string }
 *
 * formats.js, which needs no engine
 *     parseBoard(text): Board         a position ID, positionID:matchID, or an XGID (throws a FormatError)
 *     formatXgid(board), formatPositionId(board), formatMatchId(board): string
 *     parsePosition(text): number[]   "5,1,8,1,0,0", "1x5 2x1 3x8 4x1", "off"
 *     formatPosition(counts): string  "1x5 2x1 3x8 4x1"
 *     pips(counts): number
 *     Board = {onRoll, opponent, roll: [number, number] | null, cubeValue, cube, doubleOffered, score: [number, number],
 *              matchLength, crawford, jacoby: boolean | null, beavers: boolean | null}
 *     stakesOf(board): Stakes         what an ID names, as bgrace.Stakes.of
 *
 * met.js: DEFAULT_MET, Kazaross XG2 with its notice
 */

import { checkedCounts, formatPlay, formatPosition, formatXgid, highest, isRace, pips } from "./formats.js";
import { DEFAULT_MET } from "./met.js";

// ------------------------------------------------------------------ constants, as Python has them

const MEAN_PIPS = 49 / 6;
const MAX_POINTS = 24;
const GAMMON_CHECKERS = 15;
const BACKGAMMON_POINT = 19; // the first of the loser's points that lie in the winner's home board
const TIE = 1e-9; // equities that differ by no more are equal
const MIN_SCALE = 1e-5; // of a match: where winning and losing differ by less than twice this, ties are of chances
const MET_ROUNDING = 1e-6; // of chances to win the match

const FLOAT64_BELOW = 2 ** 29; // of all pairs: bgrace/solving/pairs.py
const POSITION_BYTES = 2500;
const MAX_STATES = 64;
const DIGITS = 12;

const BESIDE_BYTES = 128 * 2 ** 20; // one side: bgrace/solving/alone.py
const QUICK_BYTES = 160 * 2 ** 20;
const CARRIED_BYTES = 16;
const FOLLOWED = 20_000;
const FOLLOWED_IN_LAYER = 3_000;
const MOST_ROLLS = 193;
const MOST_SIDES = 64; // that are kept
const KEPT_BYTES = 64 * 2 ** 20; // of what the last question found

const MIN_MEMORY = 2 ** 20;
const MOST_MEMORY = 2 ** 31;
const DEFAULT_SECONDS = 1;
const DEFAULT_MEMORY = 2 ** 29;

/** @type {readonly Cube[]} in the order of the C library */
const CUBES = ["none", "centered", "mine", "theirs"];

/** The names of the statuses of bgrace.h, without BGR_ERR_, in order. */
const STATUSES = ["OK", "POINTS", "CHECKERS", "POSITION", "INDEX", "ROLL", "SIZE", "MEMORY", "OPEN", "READ", "FORMAT",
  "VERSION", "COMPRESSED", "DAMAGED", "CHANGED", "COVERAGE", "SCORE", "CONTACT", "STAKES", "ARGUMENT", "STOPPED"];

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
  }
}

// ------------------------------------------------------------------ memory

/** @typedef {Record<string, (...numbers: number[]) => number>} Calls */

/** The module's memory, and what is taken of it for one question. */
class Room {
  /**
   * @param {WebAssembly.Instance} instance
   */
  constructor(instance) {
    this.calls = /** @type {Calls} */ (/** @type {unknown} */ (instance.exports));
    this._memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  }

  /** @param {number} bytes */
  take(bytes) {
    const at = this.calls.page_malloc(Math.max(bytes, 1));
    if (!at) throw new EngineError("MEMORY", "out of memory: ask with a smaller budget");
    return at >>> 0;
  }

  /** @param {number} at */
  free(at) {
    this.calls.page_free(at);
  }

  /**
   * Memory may have moved since the last call, so views are made anew.
   * @param {number} at
   * @param {number} n
   */
  doubles(at, n) {
    return new Float64Array(this._memory.buffer, at >>> 0, n);
  }

  /**
   * @param {number} at
   * @param {number} n
   */
  integers(at, n) {
    return new Int32Array(this._memory.buffer, at >>> 0, n);
  }

  /**
   * @param {number} at
   * @param {number} n
   */
  bytes(at, n) {
    return new Int8Array(this._memory.buffer, at >>> 0, n);
  }

  /** @param {number} at */
  text(at) {
    const bytes = new Uint8Array(this._memory.buffer, at >>> 0);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /**
   * @param {number} status
   * @param {string} [about]
   */
  check(status, about) {
    if (status === 0) return;
    const said = this.text(this.calls.page_strerror(status));
    throw new EngineError(STATUSES[status] ?? "UNKNOWN", about ? `${about}: ${said}` : said);
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
      for (const at of taken.reverse()) this.free(at);
    }
  }

  /**
   * @param {(bytes: number) => number} take
   * @param {ArrayLike<number>} counts
   * @param {number} [points]
   */
  counts(take, counts, points = counts.length) {
    const at = take(points), to = this.bytes(at, points).fill(0);
    for (let k = 0; k < Math.min(points, counts.length); k++) to[k] = counts[k];
    return at;
  }
}

// ------------------------------------------------------------------ stakes

/**
 * @typedef {object} FullStakes
 * @property {boolean} gammons
 * @property {boolean} jacoby
 * @property {boolean} beavers
 * @property {{onRollNeeds: number, opponentNeeds: number, crawford: boolean} | null} match
 * @property {MatchEquityTable | null} met
 * @property {number} cubeValue
 */

/** @param {string} message */
const wrongStakes = (message) => new EngineError("STAKES", message);

/** @param {unknown} n */
const isWhole = (n) => typeof n === "number" && Number.isInteger(n);

/**
 * @param {Stakes | undefined} given
 * @param {MatchEquityTable | undefined} met
 * @returns {FullStakes}
 */
function fullStakes(given, met) {
  const { gammons = true, jacoby = false, beavers = false, match = null, cubeValue = 1 } = given ?? {};
  if (!isWhole(cubeValue) || cubeValue < 1 || cubeValue > 2 ** 20 || !Number.isInteger(Math.log2(cubeValue)))
    throw wrongStakes(`cube value ${cubeValue} is not on a cube: give 1, 2, 4, 8, ...`);
  if (!match) return { gammons, jacoby, beavers, match: null, met: null, cubeValue };
  const { onRollNeeds, opponentNeeds, crawford = false } = match;
  for (const needs of [onRollNeeds, opponentNeeds])
    if (!isWhole(needs) || needs < 1) throw wrongStakes(`${needs} is not a number of points to go: give 1 or more`);
  if (crawford && Math.min(onRollNeeds, opponentNeeds) > 1)
    throw wrongStakes(
      `${onRollNeeds}-away, ${opponentNeeds}-away is not a Crawford game: in one, a side needs 1`);
  if (jacoby || beavers)
    throw wrongStakes(`${jacoby ? "Jacoby's rule is" : "beavers are"} for money, leave it out at a match score`);
  const table = met ?? DEFAULT_MET, length = table.preCrawford.length;
  if (Math.max(onRollNeeds, opponentNeeds) > length)
    throw wrongStakes(`${table.name} has no score of ${onRollNeeds} and ${opponentNeeds} points to go: its matches ` +
      `have up to ${length} points`);
  return { gammons, jacoby, beavers, match: { onRollNeeds, opponentNeeds, crawford }, met: table, cubeValue };
}

/**
 * Chance of the player on roll right after a game that they win by so many points, or lose if negative; for money the
 * points themselves.
 * @param {FullStakes} stakes
 * @param {number} points in units of the present cube
 */
function payoff(stakes, points) {
  const { match, met } = stakes;
  if (!match || !met) return points;
  const won = points * stakes.cubeValue;
  const mine = match.onRollNeeds - Math.max(won, 0), theirs = match.opponentNeeds - Math.max(-won, 0);
  if (mine <= 0) return 1;
  if (theirs <= 0) return 0;
  const crawford = match.onRollNeeds > 1 && match.opponentNeeds > 1;
  if (crawford || Math.min(mine, theirs) > 1 || mine === theirs) return met.preCrawford[mine - 1][theirs - 1];
  return theirs === 1 ? met.postCrawford[0][mine - 1] : 1 - met.postCrawford[1][theirs - 1];
}

/** @param {FullStakes} stakes */
const isCrawford = ({ match }) =>
  match !== null && match.crawford && !(match.onRollNeeds === 1 && match.opponentNeeds === 1);

/**
 * @param {FullStakes} stakes
 * @returns {readonly Cube[]} where the cube can be
 */
function cubesOf(stakes) {
  if (!stakes.match) return ["centered", "mine", "theirs", "none"];
  return stakes.cubeValue === 1 ? ["centered", "none"] : ["mine", "theirs", "none"];
}

/**
 * @param {FullStakes} stakes
 * @param {Cube | null | undefined} cube
 * @returns {Cube}
 */
function checkedCube(stakes, cube) {
  const cubes = cubesOf(stakes);
  const where = cube ?? cubes[0];
  if (!CUBES.includes(where)) throw wrongStakes(`cube ${where} is unknown: use ${CUBES.join(", ")}`);
  if (!cubes.includes(where))
    throw wrongStakes(`a cube of ${stakes.cubeValue} cannot be ${where}: it is ` +
      (stakes.cubeValue === 1 ? "in the middle (centered)" : "on a side (mine or theirs)"));
  return where;
}

/**
 * @param {FullStakes} stakes
 * @param {number} value
 * @returns {number | null} in points per unit of the cube; null where the table does not tell winning from losing
 */
function normalised(stakes, value) {
  if (!stakes.match) return value;
  if (!(value >= -MET_ROUNDING && value <= 1 + MET_ROUNDING))
    throw new EngineError("STAKES", `${value} is not a chance to win the match: the table is not one`);
  const won = payoff(stakes, 1), lost = payoff(stakes, -1);
  return won > lost ? (2 * value - won - lost) / (won - lost) : null;
}

/**
 * @param {FullStakes} stakes
 * @returns {string} in words
 */
function stakesText(stakes) {
  const { match, cubeValue } = stakes;
  const rules = [stakes.gammons ? "" : "no gammons", stakes.jacoby ? "Jacoby rule" : "",
    stakes.beavers ? "beavers" : ""];
  const parts = match
    ? [
        `${match.onRollNeeds}-away, ${match.opponentNeeds}-away`,
        Math.min(match.onRollNeeds, match.opponentNeeds) > 1 || match.onRollNeeds === match.opponentNeeds
          ? ""
          : match.crawford ? "Crawford" : "post-Crawford",
        `cube ${cubeValue}`,
        ...rules,
      ]
    : ["money", ...rules, cubeValue > 1 ? `cube ${cubeValue}` : ""];
  return parts.filter(Boolean).join(", ");
}

// ------------------------------------------------------------------ where values stand

/** @typedef {{plane: number, middle: number, scale: number}} View */
/** @typedef {{now: View, turned: [View | null, View | null]}} Place */
/** @typedef {Map<Cube, Place>} Places */
/** @typedef {{rows: Float64Array[], places: Places}} Rows  one row of values by plane for each position */

/** @param {Float64Array} numbers 4 x 9, as the module writes them */
function placesOf(numbers) {
  /** @type {Places} */
  const places = new Map();
  const view = (/** @type {number} */ at) =>
    numbers[at] < 0 ? null : { plane: numbers[at], middle: numbers[at + 1], scale: numbers[at + 2] };
  CUBES.forEach((cube, k) => {
    const now = view(9 * k);
    if (now) places.set(cube, { now, turned: [view(9 * k + 3), view(9 * k + 6)] });
  });
  return places;
}

/**
 * @param {View} view
 * @param {Float64Array} row
 */
const valueOf = (view, row) => view.middle + view.scale * row[view.plane];

/**
 * For the opponent on roll.
 * @param {View} view
 * @param {Float64Array} row
 * @param {number} total what both sides add up to
 */
const valueToOther = (view, row, total) => total - view.middle + view.scale * row[view.plane];

/**
 * @param {number} noDouble
 * @param {number} taken
 * @param {number} passed
 */
function withDouble(noDouble, taken, passed) {
  const doubled = taken < passed ? taken : passed;
  return doubled > noDouble ? doubled : noDouble;
}

// ------------------------------------------------------------------ all pairs: bgrace/tables/exact.py

/**
 * Numbers of a plane by side, as the module writes them: win, gammon, turned, factor, offset, passed.
 * @typedef {object} Plane
 * @property {number[]} win
 * @property {number[]} gammon
 * @property {number[]} turned
 * @property {number[]} factor
 * @property {number[]} offset
 * @property {number[]} passed
 */

/** @typedef {{together: boolean, states: number[][][], places: [number[], number[]], bytes: number}} Plan */

/** @param {Float64Array} numbers n x 12 */
function planesOf(numbers) {
  /** @type {Plane[]} */
  const planes = [];
  for (let at = 0; at < numbers.length; at += 12) {
    const [win, gammon, turned, factor, offset, passed] = [0, 2, 4, 6, 8, 10].map((k) =>
      Array.from(numbers.slice(at + k, at + k + 2)));
    planes.push({ win, gammon, turned, factor, offset, passed });
  }
  return planes;
}

/** @type {(win: number[], gammon: number[]) => Plane} */
const plainPlane = (win, gammon) =>
  ({ win, gammon, turned: [-1, -1], factor: [0, 0], offset: [0, 0], passed: [0, 0] });

// Without a cube, only one side's gammons counting: what they add to 2 W - 1 is the chance of one.
const GAMMONS_WON = plainPlane([1, 1], [2, 1]);
const GAMMONS_LOST = plainPlane([1, 1], [1, 2]);

// A plane as a side sees it is a view: 2k for plane k and the player on roll, 2k + 1 for the opponent.

/**
 * @param {Plane[]} planes
 * @param {number} view
 * @returns {number} the view after the side has doubled, or -1
 */
function turnedView(planes, view) {
  const to = planes[view >> 1].turned[view & 1];
  return to >= 0 ? 2 * to + (view & 1) : -1;
}

/**
 * @param {Plane[]} planes
 * @param {number} view
 * @param {(other: number) => number} place
 */
function stateOf(planes, view, place) {
  const plane = planes[view >> 1], side = view & 1, turned = turnedView(planes, view);
  return [plane.win[side], plane.gammon[side], place(view ^ 1), turned >= 0 ? place(turned) : -1, plane.factor[side],
    plane.offset[side], plane.passed[side]];
}

/**
 * For each view the number of its class: views of a class have the same values everywhere.
 * @param {Plane[]} planes
 */
function classesOf(planes) {
  const views = Array.from({ length: 2 * planes.length }, (_, k) => k);
  const numbered = (/** @type {string[]} */ keys) => {
    /** @type {Map<string, number>} */
    const known = new Map();
    return keys.map((key) => {
      if (!known.has(key)) known.set(key, known.size);
      return /** @type {number} */ (known.get(key));
    });
  };
  let classes = numbered(views.map((view) => {
    const { win, gammon, factor, offset, passed } = planes[view >> 1];
    const own = [win, gammon, factor, offset, passed].map((pair) => Number(pair[view & 1].toFixed(DIGITS)) + 0);
    return [...own, turnedView(planes, view) >= 0].join();
  }));
  for (;;) {
    const finer = numbered(views.map((v) => {
      const turned = turnedView(planes, v);
      return [classes[v], classes[v ^ 1], turned >= 0 ? classes[turned] : -1].join();
    }));
    if (Math.max(...finer) === Math.max(...classes)) return finer;
    classes = finer;
  }
}

/** Two positions with all that they can come to. */
class PositionPair {
  /**
   * @param {Room} room
   * @param {number[]} onRoll
   * @param {number[]} opponent
   */
  constructor(room, onRoll, opponent) {
    this._room = room;
    this._points = onRoll.length;
    const pair = room.with((take) => {
      const sizes = take(64), out = take(4);
      const status = room.calls.page_pair_new(onRoll.length, room.counts(take, onRoll), opponent.length,
        room.counts(take, opponent), out, sizes);
      room.check(status);
      const [a, b, both, columnsA, columnsB, columnsBoth, lastA, lastB] = room.doubles(sizes, 8);
      this.n = [a, b];
      this.both = both;
      this.columns = [columnsA, columnsB, columnsBoth];
      this.last = [lastA, lastB];
      return room.integers(out, 1)[0];
    });
    this._pair = pair;
  }

  get graphBytes() {
    return this.n.reduce((all, n, k) => all + POSITION_BYTES * n + 5 * this.last[k], 0);
  }

  /**
   * The cheaper way to solve planes.
   * @param {Plane[]} planes
   * @returns {Plan}
   */
  plan(planes) {
    const classes = classesOf(planes);
    const distinctViews = Array.from({ length: Math.max(...classes) + 1 }, (_, k) => classes.indexOf(k));
    const states = distinctViews.map((view) => stateOf(planes, view, (other) => classes[other]));
    /** @type {[number[], number[]]} */
    const views = [planes.map((_, k) => classes[2 * k]), planes.map((_, k) => classes[2 * k + 1])];
    const pairs = planes.map((_, k) => [views[0][k], views[1][k]]);
    const same = (/** @type {number[]} */ p, /** @type {number[]} */ q) => p[0] === q[0] && p[1] === q[1];
    const distinct = pairs.filter((pair, k) => pairs.findIndex((other) => same(pair, other)) === k)
      .sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    const apart = 8 * distinct.length * (this.n[0] * this.columns[1] + this.n[1] * this.columns[0]);
    if (this.both >= 0 && states.length <= MAX_STATES) {
      const together = 8 * states.length * this.both * this.columns[2];
      if (together < apart) return { together: true, states: [states], places: views, bytes: together };
    }
    const places = pairs.map((pair) => distinct.findIndex((other) => same(pair, other)));
    const first = distinct.map((pair) => pairs.findIndex((other) => same(pair, other)));
    const ofSide = (/** @type {number} */ side) =>
      first.map((k) => stateOf(planes, 2 * k + side, (other) => places[other >> 1]));
    return { together: false, states: [ofSide(0), ofSide(1)], places: [places, places], bytes: apart };
  }

  /** @param {Plan} plan */
  solve(plan) {
    const room = this._room;
    this._plan = plan;
    room.with((take) => {
      const at = plan.states.map((states) => {
        const numbers = states.flat(), to = take(8 * numbers.length);
        room.doubles(to, numbers.length).set(numbers);
        return to;
      });
      room.check(room.calls.page_pair_solve(this._pair, Number(plan.together), plan.states[0].length, at[0], at[1] ?? 0));
    });
  }

  /** Values of rolling now by plane. */
  now() {
    return this._values(0, (values) => this._room.calls.page_pair_now(this._pair, values));
  }

  /** @param {number[]} result */
  after(result) {
    const room = this._room;
    return room.with((take) => {
      const counts = room.counts(take, result, this._points);
      return this._values(1, (values) => room.calls.page_pair_after(this._pair, counts, values));
    });
  }

  /**
   * @param {0 | 1} side
   * @param {(values: number) => number} ask
   */
  _values(side, ask) {
    const plan = /** @type {Plan} */ (this._plan), room = this._room, n = plan.states[0].length;
    return room.with((take) => {
      const at = take(8 * n);
      room.check(ask(at));
      const values = room.doubles(at, n);
      return Float64Array.from(plan.places[side], (place) => values[place]);
    });
  }

  free() {
    this._room.calls.page_pair_free(this._pair);
  }
}

// ------------------------------------------------------------------ what answers a pair

/**
 * @typedef {object} PairAnswers
 * @property {"solved" | "turns"} method
 * @property {number} error
 * @property {number} win  chance to win
 * @property {{win: number | null, loss: number | null, backgammonWin: number | null, backgammonLoss: number | null}}
 *     gammons  of players on roll who may win or lose one
 * @property {() => Rows} now
 * @property {(results: number[][], roll: readonly [number, number]) => Rows} after
 * @property {number} bytes  about what it holds
 * @property {() => void} begin  another question about the same pair: what is said then does not depend on earlier ones
 * @property {() => void} free
 */

/** @typedef {{seconds: number, memoryBytes: number, exactness: number}} FullBudget */

/** The module's stakes, with its match equity table. */
class KernelStakes {
  /**
   * @param {Room} room
   * @param {FullStakes} stakes
   */
  constructor(room, stakes) {
    const { match, met } = stakes;
    this._room = room;
    /** @type {number[]} */
    this._tables = [];
    const put = (/** @type {number[]} */ numbers) => {
      const at = room.take(8 * numbers.length);
      room.doubles(at, numbers.length).set(numbers);
      this._tables.push(at);
      return at;
    };
    const before = met ? put(met.preCrawford.flat()) : 0, after = met ? put(met.postCrawford.flat()) : 0;
    this.at = room.calls.page_stakes(Number(match !== null), Number(stakes.gammons), Number(stakes.jacoby),
      Number(stakes.beavers), match?.onRollNeeds ?? 0, match?.opponentNeeds ?? 0, Number(match?.crawford ?? false),
      stakes.cubeValue, met?.preCrawford.length ?? 0, met?.postCrawford[0].length ?? 0, before, after);
    if (!this.at) throw new EngineError("MEMORY", "out of memory");
  }

  /** @param {boolean} gammons whether they can happen */
  planes(gammons) {
    const room = this._room;
    return room.with((take) => {
      const planes = take(8 * 12 * 64), places = take(8 * 36), n = take(4);
      room.check(room.calls.page_planes(this.at, Number(gammons), planes, places, n), "stakes");
      return {
        planes: planesOf(room.doubles(planes, 12 * room.integers(n, 1)[0]).slice()),
        places: placesOf(room.doubles(places, 36)),
      };
    });
  }

  free() {
    for (const at of [this.at, ...this._tables]) this._room.free(at);
  }
}

/**
 * A pair solved turn by turn: TurnsAnswer of bgrace/solving/turns.py.
 * @implements {PairAnswers}
 */
class TurnsPair {
  /**
   * @param {Room} room
   * @param {number} solver
   * @param {number} kept tables of earlier questions
   * @param {[number[], number[]]} sides
   * @param {KernelStakes} stakes
   * @param {FullBudget} budget
   * @param {number} database
   */
  constructor(room, solver, kept, sides, stakes, budget, database) {
    this._room = room;
    this._solver = solver;
    this._kept = kept;
    this._sides = sides;
    this._stakes = stakes;
    this._budget = budget;
    this._database = database;
    /** @type {Map<string, TurnsRows>} what was asked for, by dice; "all" for all rolls */
    this._asked = new Map();
    this.bytes = 0;
    /** @type {string[]} the part of it that this question has asked for */
    this._ofQuestion = [];
    this._answer = this._ask([0, 0], false);
    const [win, winGammon, winBackgammon, loseGammon, loseBackgammon] = this._answer.chances;
    this.info = this._answer.info;
    /** @type {"solved" | "turns"} */
    this.method = this.info.exact ? "solved" : "turns";
    this.error = this.info.exact ? 0 : this.info.error;
    this.win = win;
    this.gammons =
      { win: winGammon, loss: loseGammon, backgammonWin: winBackgammon, backgammonLoss: loseBackgammon };
  }

  /**
   * @param {readonly [number, number]} dice
   * @param {boolean} rolls
   * @returns {TurnsRows}
   */
  _ask(dice, rolls) {
    const room = this._room;
    return room.with((take) => {
      const out = take(4);
      const status = room.calls.page_solve(this._solver, this._kept, room.counts(take, this._sides[0], MAX_POINTS),
        room.counts(take, this._sides[1], MAX_POINTS), this._stakes.at, this._budget.seconds, this._budget.memoryBytes,
        this._budget.exactness, dice[0], dice[1], Number(rolls), this._database, out);
      room.check(status);
      return new TurnsRows(room, room.integers(out, 1)[0]);
    });
  }

  begin() {
    this._ofQuestion = [];
  }

  now() {
    return { rows: [this._answer.now()], places: this._answer.places };
  }

  /**
   * @param {number[][]} results
   * @param {readonly [number, number]} roll
   */
  after(results, roll) {
    const asked = this._ofQuestion, dice = roll.join();
    const all = asked.includes("all") ? this._rowsOf("all", roll) : null;
    for (const answer of all ? [this._answer, all] : [this._answer]) {
      const rows = answer.after(results);
      if (rows) return { rows, places: answer.places };
    }
    // Who asks for the plays of a second roll is likely to ask for those of more.
    const what = asked.length === 0 || asked.includes(dice) ? dice : "all";
    if (!asked.includes(what)) asked.push(what);
    const again = this._rowsOf(what, roll), rows = again.after(results);
    if (!rows) throw new EngineError("COVERAGE", "not every play was compared");
    return { rows, places: again.places };
  }

  /**
   * @param {string} what dice or "all"
   * @param {readonly [number, number]} roll
   */
  _rowsOf(what, roll) {
    let rows = this._asked.get(what);
    if (!rows) {
      rows = what === "all" ? this._ask([0, 0], true) : this._ask(roll, false);
      this._asked.set(what, rows);
    }
    return rows;
  }

  free() {
    for (const each of [this._answer, ...this._asked.values()]) each.free();
  }
}

/** One answer of the module. */
class TurnsRows {
  /**
   * @param {Room} room
   * @param {number} answer
   */
  constructor(room, answer) {
    this._room = room;
    this._answer = answer;
    const { n, info, chances, places } = room.with((take) => {
      const info = take(72), chances = take(48), places = take(8 * 36);
      const n = room.calls.page_answer(answer, info, chances, places);
      return { n, info: Array.from(room.doubles(info, 9)), chances: Array.from(room.doubles(chances, 6)),
        places: placesOf(room.doubles(places, 36)) };
    });
    this.n = n;
    this.chances = chances;
    this.places = places;
    this.info = { exact: info[0] === 1, delta: info[1], error: info[2], boundaryCheckers: info[3],
      fromDatabase: info[4] === 1, positions: [info[5], info[6]], pairs: info[7], merged: info[8] };
  }

  now() {
    return this._room.doubles(this._room.calls.page_answer_now(this._answer), this.n).slice();
  }

  /**
   * @param {number[][]} results
   * @returns {Float64Array[] | null} null if a result was not compared
   */
  after(results) {
    const room = this._room;
    return room.with((take) => {
      const counts = take(MAX_POINTS * results.length), values = take(8 * this.n * results.length);
      const to = room.bytes(counts, MAX_POINTS * results.length).fill(0);
      results.forEach((result, k) => to.set(result, MAX_POINTS * k));
      const status = room.calls.page_answer_after(this._answer, counts, results.length, values);
      if (STATUSES[status] === "COVERAGE") return null;
      room.check(status);
      return results.map((_, k) => room.doubles(values + 8 * this.n * k, this.n).slice());
    });
  }

  free() {
    this._room.calls.page_answer_free(this._answer);
  }
}

/**
 * A pair solved in double precision with all that it can come to.
 * @implements {PairAnswers}
 */
class AllPairs {
  /**
   * @param {PositionPair} pair
   * @param {Plan} plan plane 0 is the chance to win; the last two are GAMMONS_WON and GAMMONS_LOST, if they can happen
   * @param {Places} places
   * @param {boolean} withGammons
   */
  constructor(pair, plan, places, withGammons) {
    pair.solve(plan);
    this._pair = pair;
    this._places = places;
    this.bytes = pair.graphBytes + plan.bytes;
    /** @type {"solved"} */
    this.method = "solved";
    this.error = 0;
    const row = pair.now();
    this.win = (1 + row[0]) / 2;
    const [won, lost] = withGammons ? Array.from(row.slice(-2), (value) => Math.abs(value - row[0])) : [null, null];
    this.gammons = { win: won, loss: lost, backgammonWin: null, backgammonLoss: null };
  }

  now() {
    return { rows: [this._pair.now()], places: this._places };
  }

  begin() {} // all pairs are there

  /** @param {number[][]} results */
  after(results) {
    return { rows: results.map((result) => this._pair.after(result)), places: this._places };
  }

  free() {
    this._pair.free();
  }
}

// ------------------------------------------------------------------ one answer: bgrace/answers/solution.py

/** @param {number[]} counts */
const checkersOf = (counts) => counts.reduce((all, n) => all + n, 0);

/** @param {number[]} loser */
const canBeBackgammoned = (loser) => checkersOf(loser) === GAMMON_CHECKERS && highest(loser) >= BACKGAMMON_POINT;

/** @type {readonly [number, number][]} the 21 kinds of roll, larger die first */
export const ROLLS = Array.from({ length: 6 }, (_, a) => a + 1).flatMap((a) =>
  Array.from({ length: a }, (_, b) => /** @type {[number, number]} */ ([a, b + 1])));

/** What is known about a pair. */
class Solution {
  /**
   * @param {Engine} engine
   * @param {[number[], number[]]} sides
   * @param {FullStakes} stakes
   * @param {PairAnswers} answers
   */
  constructor(engine, sides, stakes, answers) {
    this._engine = engine;
    this._sides = sides;
    this._stakes = stakes;
    this.answers = answers;
    this._now = answers.now();
  }

  /** @param {Cube} cube */
  _place(cube, places = this._now.places) {
    const place = places.get(cube);
    if (!place) throw wrongStakes(`a cube of ${this._stakes.cubeValue} cannot be ${cube}`);
    return place;
  }

  /** @param {Cube} cube */
  _worth(cube) {
    const place = this._place(cube), [row] = this._now.rows, rolled = valueOf(place.now, row);
    return place.turned[0] ? withDouble(rolled, valueOf(place.turned[0], row), payoff(this._stakes, 1)) : rolled;
  }

  equities() {
    /** @type {Equities} */
    const plain = { cubeless: null, centered: null, mine: null, theirs: null };
    const named = { ...plain };
    for (const cube of cubesOf(this._stakes)) {
      const name = cube === "none" ? "cubeless" : cube;
      plain[name] = this._worth(cube);
      named[name] = normalised(this._stakes, this._worth(cube));
    }
    return { plain, named };
  }

  gammons() {
    const [onRoll, opponent] = this._sides, known = this.answers.gammons;
    const may = this._stakes.gammons, full = [onRoll, opponent].map((side) => checkersOf(side) === GAMMON_CHECKERS);
    if (!may || !(full[0] || full[1]))
      return { gammon_win: 0, gammon_loss: 0, backgammon_win: 0, backgammon_loss: 0 };
    return {
      gammon_win: full[1] ? known.win : 0,
      gammon_loss: full[0] ? known.loss : 0,
      backgammon_win: canBeBackgammoned(opponent) ? known.backgammonWin : 0,
      backgammon_loss: canBeBackgammoned(onRoll) ? known.backgammonLoss : 0,
    };
  }

  /**
   * @param {Cube} cube
   * @returns {CubeAction}
   */
  cubeAction(cube) {
    const stakes = this._stakes, place = this._place(cube), [row] = this._now.rows;
    const won = payoff(stakes, 1), unit = (payoff(stakes, 1) - payoff(stakes, -1)) / 2;
    const tie = TIE * Math.max(unit, MIN_SCALE);
    const now = valueOf(place.now, row), taken = place.turned[0] ? valueOf(place.turned[0], row) : null;
    /** @type {CubeAction} */
    const action = { cube, no_double: now, double_take: null, double_pass: null, double: null, take: null,
      verdict: "no cube" };
    if (stakes.match) action.cube_value = stakes.cubeValue;
    if (taken !== null) {
      const takes = taken <= won + tie, beavers = stakes.beavers && taken < -tie;
      const answered = beavers ? 2 * taken : taken, least = now - tie;
      const doubles = answered >= least && won >= least;
      action.double_take = taken;
      action.double_pass = won;
      action.double = doubles;
      action.take = takes;
      action.verdict = doubles
        ? beavers ? "double/beaver" : takes ? "double/take" : "double/pass"
        : !takes && now > won ? "too good" : "no double";
      if (stakes.beavers) action.beaver = beavers;
    }
    if (stakes.match) {
      action.reason = taken === null ? this._whyNoCube(cube) : null;
      action.normalised = {
        no_double: normalised(stakes, now),
        double_take: taken === null ? null : normalised(stakes, taken),
        double_pass: taken === null ? null : normalised(stakes, won),
      };
    }
    return action;
  }

  /** @param {Cube} cube */
  _whyNoCube(cube) {
    if (cube === "none") return "played without a cube";
    if (isCrawford(this._stakes)) return "nobody may double in the Crawford game";
    if (cube === "theirs") return "the cube is the opponent's";
    return `a cube of ${this._stakes.cubeValue} already wins the match for the player on roll`;
  }

  /**
   * Every play of a roll, best first.
   * @param {readonly [number, number]} roll larger die first
   * @param {Cube} cube
   * @returns {Play[]}
   */
  plays(roll, cube) {
    const stakes = this._stakes, [onRoll, opponent] = this._sides, total = stakes.match ? 1 : 0;
    const results = this._engine._results(onRoll, roll);
    const counts = stakes.gammons && !(stakes.jacoby && cube === "centered");
    const points =
      checkersOf(opponent) === GAMMON_CHECKERS && counts ? (canBeBackgammoned(opponent) ? 3 : 2) : 1;
    const worth = results.map(() => payoff(stakes, points));
    const alive = results.flatMap((result, k) => (checkersOf(result) ? [k] : []));
    if (alive.length) {
      const { rows, places } = this.answers.after(alive.map((k) => results[k]), roll);
      const place = this._place(cube, places), passed = total - payoff(stakes, -1);
      alive.forEach((k, n) => {
        const rolled = valueToOther(place.now, rows[n], total);
        worth[k] = total - (place.turned[1]
          ? withDouble(rolled, valueToOther(place.turned[1], rows[n], total), passed)
          : rolled);
      });
    }
    const won = payoff(stakes, 1), lost = payoff(stakes, -1);
    // Where the table does not tell winning from losing, the chances themselves still rank the plays.
    const equities = worth.map((value) =>
      stakes.match ? (2 * value - won - lost) / (won > lost ? won - lost : 2) : value);
    const best = Math.max(...equities);
    return results
      .map((position, k) => {
        /** @type {Play} */
        const play = { play: formatPlay(onRoll, position, roll), position, equity: equities[k],
          loss: best - equities[k] };
        if (stakes.match) play.mwc = worth[k];
        return play;
      })
      .sort((a, b) => a.loss - b.loss);
  }
}

// ------------------------------------------------------------------ the engine

/**
 * @param {ArrayLike<number>} given
 * @param {string} name
 */
function readCounts(given, name) {
  try {
    return checkedCounts(given);
  } catch (error) {
    throw new EngineError("POSITION", `${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * @param {readonly [number, number]} dice
 * @returns {[number, number]}
 */
function readRoll(dice) {
  const given = Array.from(dice);
  if (given.length !== 2 || given.some((die) => !isWhole(die) || die < 1 || die > 6))
    throw new EngineError("ROLL", `${given.join(", ")} is not a roll: give two dice from 1 to 6`);
  return given[0] >= given[1] ? [given[0], given[1]] : [given[1], given[0]];
}

/**
 * @param {Budget | undefined} given
 * @returns {FullBudget}
 */
function fullBudget(given) {
  const { seconds = DEFAULT_SECONDS, memoryBytes = DEFAULT_MEMORY } = given ?? {};
  if (!(seconds > 0 && seconds < Infinity)) throw new EngineError("SIZE", `seconds: ${seconds}: give more than 0`);
  if (!(memoryBytes >= MIN_MEMORY && memoryBytes <= MOST_MEMORY))
    throw new EngineError("SIZE", `memoryBytes: ${memoryBytes}: give ${MIN_MEMORY} to ${MOST_MEMORY}`);
  return { seconds, memoryBytes: Math.floor(memoryBytes), exactness: 0 };
}

/**
 * @param {SideAnswer} side
 * @returns {SideAnswer}
 */
const copyOf = (side) => ({ ...side, position: [...side.position], roll_distribution: [...side.roll_distribution] });

/** The sum from the first to the last. @param {number[]} terms */
const sumOf = (terms) => terms.reduce((all, term) => all + term, 0);

/** @param {number[]} chances */
function trimmed(chances) {
  let n = chances.length;
  while (n && chances[n - 1] === 0) n--;
  return chances.slice(0, n);
}

/** The C library in this thread. */
export class Engine {
  /**
   * @param {BufferSource | WebAssembly.Module} source bgrace.wasm
   * @returns {Promise<Engine>}
   */
  static async load(source) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    /** @type {{tell: ((done: number) => void) | null}} */
    const listener = { tell: null };
    const progress = (/** @type {number} */ done) => {
      listener.tell?.(done);
      return 0;
    };
    return new Engine(await WebAssembly.instantiate(module, { page: { progress } }), listener);
  }

  /**
   * @param {WebAssembly.Instance} instance of bgrace.wasm: `Engine.load` makes it
   * @param {{tell: ((done: number) => void) | null}} listener
   */
  constructor(instance, listener) {
    this._listener = listener;
    this._room = new Room(instance);
    const room = this._room;
    this._solver = this._made(room.calls.page_solver_new);
    this._kept = this._made(room.calls.page_kept_tables_new);
    /** @type {{key: string, met: MatchEquityTable | null, database: Database | null, kernel: KernelStakes,
     *     answers: PairAnswers} | null} what the last question found */
    this._last = null;
    /** The home board with its distributions, which sides that are not home stand on: made with the first of them. */
    this._board = 0;
    /** @type {Map<string, SideAnswer>} */
    this._alone = new Map();
    /** @type {string} */
    this.version = room.text(room.calls.page_version());
  }

  /**
   * What a call makes, and keeps as long as there is the engine.
   * @param {(out: number) => number} call
   */
  _made(call) {
    const room = this._room;
    return room.with((take) => {
      const out = take(4);
      room.check(call(out));
      return room.integers(out, 1)[0];
    });
  }

  /**
   * Answer a race.
   * @param {Question} question
   * @param {{onProgress?: (done: number) => void, onVerdict?: (early: EarlyAnswer) => void}} [options]
   * @returns {Answer}
   */
  solve(question, options = {}) {
    const onRoll = readCounts(question.onRoll, "onRoll"), opponent = readCounts(question.opponent, "opponent");
    for (const [name, side] of /** @type {const} */ ([["onRoll", onRoll], ["opponent", opponent]]))
      if (!checkersOf(side)) throw new EngineError("POSITION", `${name} has no checker left: the game is over`);
    if (!isRace(onRoll, opponent))
      throw new EngineError("CONTACT", `${formatPosition(onRoll)} against ${formatPosition(opponent)}: the sides ` +
        `still have contact: give a race, where the highest points of both add up to at most ${MAX_POINTS}`);
    const stakes = fullStakes(question.stakes, question.met), cube = checkedCube(stakes, question.cube);
    const roll = question.dice ? readRoll(question.dice) : null, budget = fullBudget(question.budget);
    const { onProgress = null, onVerdict = null } = options;
    // What is told is that of the pair; plays that were not compared are solved afterwards, without a word.
    let told = 0;
    onProgress?.(0);
    this._listener.tell = onProgress && ((done) => {
      if (done > told + 0.01 && done < 1) onProgress((told = done));
    });
    try {
      const answers = this._answersOf(onRoll, opponent, stakes, budget, question);
      const solution = new Solution(this, [onRoll, opponent], stakes, answers);
      const early = this._verdict(solution, [onRoll, opponent], stakes, cube, roll, question);
      onVerdict?.(early);
      /** @type {Answer} */
      const answer = { on_roll: this.alone(onRoll), opponent: this.alone(opponent), ...early,
        plays: roll ? solution.plays(roll, cube) : null };
      if (question.allRolls)
        answer.rolls = ROLLS.map((each) => ({ roll: [...each], plays: solution.plays(each, cube) }));
      onProgress?.(1);
      return answer;
    } catch (error) {
      this._forget();
      throw error;
    } finally {
      this._listener.tell = null;
      if (this._last && this._last.answers.bytes > KEPT_BYTES) this._forget();
    }
  }

  /**
   * Those of the last question, if this is about the same pair: a page asks for its rolls after the verdict.
   * @param {number[]} onRoll
   * @param {number[]} opponent
   * @param {FullStakes} stakes
   * @param {FullBudget} budget
   * @param {Question} question
   * @returns {PairAnswers}
   */
  _answersOf(onRoll, opponent, stakes, budget, question) {
    const { met, ...rules } = stakes, { turns = false, database = null } = question;
    const key = JSON.stringify([onRoll, opponent, rules, budget, turns, database?._at]);
    if (this._last && this._last.key === key && this._last.met === met && this._last.database === database) {
      this._last.answers.begin();
      return this._last.answers;
    }
    this._forget();
    const kernel = new KernelStakes(this._room, stakes);
    try {
      const answers = this._answers(onRoll, opponent, stakes, kernel, budget, question);
      this._last = { key, met, database, kernel, answers };
      return answers;
    } catch (error) {
      kernel.free();
      throw error;
    }
  }

  /** Give the memory of the last question back. */
  _forget() {
    this._last?.answers.free();
    this._last?.kernel.free();
    this._last = null;
  }

  /**
   * @param {number[]} onRoll
   * @param {number[]} opponent
   * @param {FullStakes} stakes
   * @param {KernelStakes} kernel
   * @param {FullBudget} budget
   * @param {Question} question
   * @returns {PairAnswers}
   */
  _answers(onRoll, opponent, stakes, kernel, budget, { turns = false, database = null }) {
    const backgammons = stakes.gammons && (canBeBackgammoned(onRoll) || canBeBackgammoned(opponent));
    const exact = backgammons || turns ? null : this._allPairs(onRoll, opponent, stakes, kernel, budget);
    if (exact) return exact;
    const inFile = stakes.match ? 0 : (database?._at ?? 0);
    return new TurnsPair(this._room, this._solver, this._kept, [onRoll, opponent], kernel, budget, inFile);
  }

  /**
   * @param {number[]} onRoll
   * @param {number[]} opponent
   * @param {FullStakes} stakes
   * @param {KernelStakes} kernel
   * @param {FullBudget} budget
   * @returns {PairAnswers | null} null if they are too many for the budget
   */
  _allPairs(onRoll, opponent, stakes, kernel, budget) {
    const full = checkersOf(onRoll) === GAMMON_CHECKERS || checkersOf(opponent) === GAMMON_CHECKERS;
    const withGammons = full && stakes.gammons;
    const { planes, places } = kernel.planes(withGammons);
    const all = withGammons ? [...planes, GAMMONS_WON, GAMMONS_LOST] : planes;
    const pair = this._areFew(onRoll, opponent, all.length, budget.seconds) && this._pair(onRoll, opponent);
    if (!pair) return null;
    try {
      const plan = pair.plan(all);
      if (pair.graphBytes + plan.bytes <= Math.min(budget.memoryBytes, FLOAT64_BELOW))
        return new AllPairs(pair, plan, places, withGammons);
    } catch (error) {
      pair.free();
      throw error;
    }
    pair.free();
    return null;
  }

  /**
   * @param {number[]} onRoll
   * @param {number[]} opponent
   * @param {number} n values of each pair
   * @param {number} seconds
   */
  _areFew(onRoll, opponent, n, seconds) {
    const room = this._room;
    return room.with((take) => {
      const few = take(4);
      room.check(room.calls.page_pairs_are_few(onRoll.length, room.counts(take, onRoll), opponent.length,
        room.counts(take, opponent), n, seconds, few));
      return room.integers(few, 1)[0] === 1;
    });
  }

  /**
   * @param {number[]} onRoll
   * @param {number[]} opponent
   * @returns {PositionPair | null} null if there are too many positions to list
   */
  _pair(onRoll, opponent) {
    try {
      return new PositionPair(this._room, onRoll, opponent);
    } catch (error) {
      if (error instanceof EngineError && error.code === "SIZE") return null;
      throw error;
    }
  }

  /**
   * @param {Solution} solution
   * @param {[number[], number[]]} sides
   * @param {FullStakes} stakes
   * @param {Cube} cube
   * @param {[number, number] | null} roll
   * @param {Question} question
   * @returns {EarlyAnswer}
   */
  _verdict(solution, [onRoll, opponent], stakes, cube, roll, question) {
    const { plain, named } = solution.equities(), { match, met } = stakes;
    /** @type {EarlyAnswer} */
    const answer = {
      win_probability: solution.answers.win,
      method: solution.answers.method,
      equities: named,
      cube_action: solution.cubeAction(cube),
      stakes: stakesText(stakes),
      ...solution.gammons(),
      error: solution.answers.error,
      xgid: "",
    };
    if (match && met) {
      answer.match = { on_roll_needs: match.onRollNeeds, opponent_needs: match.opponentNeeds,
        crawford: isCrawford(stakes), cube_value: stakes.cubeValue, table: met.name };
      answer.match_chances = plain;
    }
    answer.xgid = this._xgid(onRoll, opponent, stakes, cube, roll, question.state ?? null);
    return answer;
  }

  /**
   * @param {number[]} onRoll
   * @param {number[]} opponent
   * @param {FullStakes} stakes
   * @param {Cube} cube
   * @param {[number, number] | null} roll
   * @param {NonNullable<Question["state"]> | null} state
   */
  _xgid(onRoll, opponent, stakes, cube, roll, state) {
    const { match } = stakes, place = cube === "none" ? "centered" : cube;
    const needs = match ? [match.onRollNeeds, match.opponentNeeds] : [0, 0];
    let length = match ? Math.max(...needs) : 0, score = needs.map((n) => length - n);
    if (match && state && state.score.every((points, k) => state.matchLength - points === needs[k])) {
      length = state.matchLength;
      score = [...state.score];
    }
    return formatXgid({ onRoll, opponent, roll, cubeValue: stakes.cubeValue, cube: place, doubleOffered: false,
      score: [score[0], score[1]], matchLength: length, crawford: isCrawford(stakes),
      jacoby: match ? null : stakes.jacoby, beavers: match ? null : stakes.beavers });
  }

  /**
   * Every result of a roll, in rising index.
   * @param {number[]} counts
   * @param {readonly [number, number]} roll
   */
  _results(counts, roll) {
    const room = this._room, points = counts.length;
    return room.with((take) => {
      const out = take(4), n = take(4);
      const status = room.calls.page_plays(points, checkersOf(counts), room.counts(take, counts), roll[0], roll[1], out, n);
      const at = room.integers(out, 1)[0];
      try {
        room.check(status);
        const all = room.bytes(at, points * room.integers(n, 1)[0]);
        return Array.from({ length: all.length / points }, (_, k) => Array.from(all.slice(k * points, (k + 1) * points)));
      } finally {
        room.free(at);
      }
    });
  }

  /**
   * One side by itself: exactly where that is quick, else followed turn by turn (bgrace/solving/alone.py).
   * @param {ArrayLike<number>} given
   * @returns {SideAnswer}
   */
  alone(given) {
    const position = readCounts(given, "counts"), key = position.join();
    let known = this._alone.get(key);
    if (!known) {
      const { mean, variance, chances } = highest(position) <= 6 ? this._atHome(position) : this._far(position);
      known = {
        position,
        index: this._index(position),
        pips: pips(position),
        epc: mean * MEAN_PIPS,
        mean_rolls: mean,
        variance_rolls: variance,
        roll_distribution: chances,
      };
      this.remember(known);
    }
    return copyOf(known);
  }

  /**
   * Take what is known of a side already.
   * @param {SideAnswer} side
   */
  remember(side) {
    if (this._alone.size >= MOST_SIDES) this._alone.clear();
    this._alone.set(side.position.join(), copyOf(side));
  }

  /** Work out what the first side that is not home would otherwise wait for. */
  warm() {
    this._board ||= this._made(this._room.calls.page_board_new);
  }

  /** @param {number[]} position */
  _index(position) {
    const room = this._room;
    return room.with((take) =>
      room.calls.page_index(position.length, Math.max(checkersOf(position), 1), room.counts(take, position)));
  }

  /** @param {number[]} position */
  _atHome(position) {
    const room = this._room;
    return room.with((take) => {
      const out = take(8 * (MOST_ROLLS + 2));
      room.check(room.calls.page_home(this._solver, room.counts(take, position, 6), out));
      const [mean, variance, ...chances] = room.doubles(out, MOST_ROLLS + 1);
      return { mean, variance, chances: trimmed(chances) };
    });
  }

  /** @param {number[]} position */
  _far(position) {
    const room = this._room, points = highest(position);
    const slot = room.calls.page_layer_slot_bytes() + CARRIED_BYTES;
    const most = Math.floor((QUICK_BYTES - BESIDE_BYTES) / slot);
    this.warm();
    return room.with((take) => {
      const size = take(8), mean = take(8), out = take(8 * (MOST_ROLLS + 1)), n = take(4);
      room.check(room.calls.page_layer(this._board, points, room.counts(take, position, points), most, size, mean, out));
      let chances = /** @type {number[]} */ ([]), found = 0;
      if (room.doubles(size, 1)[0] <= most) {
        chances = trimmed(Array.from(room.doubles(out, MOST_ROLLS - 1)));
        found = room.doubles(mean, 1)[0];
      } else {
        const status = room.calls.page_reach(this._solver, room.counts(take, position, MAX_POINTS), FOLLOWED_IN_LAYER,
          FOLLOWED, out, n);
        room.check(status);
        const off = Array.from(room.doubles(out, room.integers(n, 1)[0]));
        chances = off.map((chance, k) => chance - (k ? off[k - 1] : 0));
        found = sumOf(chances.map((chance, k) => chance * k));
      }
      const variance = sumOf(chances.map((chance, k) => chance * ((k - found) * (k - found))));
      return { mean: found, variance, chances };
    });
  }

  /**
   * Solve all pairs of so many checkers a side for these stakes, for later answers by turns.
   * @param {Stakes} stakes
   * @param {number} checkers 1 to 8
   * @param {MatchEquityTable} [met]
   */
  prepare(stakes, checkers, met) {
    this._forget();
    const kernel = new KernelStakes(this._room, fullStakes(stakes, met));
    try {
      this._room.check(this._room.calls.page_prepare(this._solver, kernel.at, checkers), `${checkers} checkers a side`);
    } finally {
      kernel.free();
    }
  }

  /**
   * Open a database that is in memory; a copy of it is kept in the engine's.
   * @param {Uint8Array} file
   * @returns {Database}
   */
  open(file) {
    return new Database(this._room, file);
  }
}

// ------------------------------------------------------------------ files

/** A database file in the engine's memory. */
export class Database {
  /**
   * @param {Room} room
   * @param {Uint8Array} file
   */
  constructor(room, file) {
    this._room = room;
    this._bytes = room.take(file.length);
    /** @type {number} */
    this._at = 0;
    try {
      room.bytes(this._bytes, file.length).set(file);
      this._at = room.with((take) => {
        const out = take(4);
        room.check(room.calls.page_open(this._bytes, file.length, out));
        return room.integers(out, 1)[0];
      });
      /** @type {FileInfo} */
      this.info = this._ask(6, (out) => room.calls.page_info(this._at, out), (numbers) => ({
        points: numbers[0], checkers: numbers[1], two_sided_checkers: numbers[2], gammons: numbers[3] === 1,
        n_rolls: numbers[4], file_size: numbers[5] }));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * @template T
   * @param {number} n
   * @param {(out: number, take: (bytes: number) => number) => number} call
   * @param {(numbers: number[]) => T} made
   * @returns {T}
   */
  _ask(n, call, made) {
    const room = this._room;
    if (!this._bytes) throw new EngineError("OPEN", "the database has been closed");
    return room.with((take) => {
      const out = take(8 * n);
      room.check(call(out, take));
      return made(Array.from(room.doubles(out, n)));
    });
  }

  /** @param {ArrayLike<number>} given */
  epc(given) {
    const counts = readCounts(given, "counts"), room = this._room;
    return this._ask(1, (out, take) =>
      room.calls.page_epc(this._at, counts.length, room.counts(take, counts), out), ([epc]) => epc);
  }

  /** @param {ArrayLike<number>} given */
  rolls(given) {
    const counts = readCounts(given, "counts"), room = this._room;
    return this._ask(2, (out, take) =>
      room.calls.page_rolls(this._at, counts.length, room.counts(take, counts), out),
    ([mean_rolls, variance_rolls]) => ({ mean_rolls, variance_rolls }));
  }

  /**
   * @param {ArrayLike<number>} given
   * @returns {number[]} chance to be off in exactly 0, 1, ... rolls
   */
  rollDistribution(given) {
    const counts = readCounts(given, "counts"), room = this._room, width = this.info.n_rolls + 1;
    return this._ask(width, (out, take) =>
      room.calls.page_roll_distribution(this._at, counts.length, room.counts(take, counts), width, out), trimmed);
  }

  /**
   * @param {ArrayLike<number>} onRoll
   * @param {ArrayLike<number>} opponent
   * @returns {{win_probability: number, method: "two-sided" | "one-sided"}}
   */
  winProbability(onRoll, opponent) {
    const [mine, theirs] = this._pair(onRoll, opponent), room = this._room;
    return room.with((take) => {
      const method = take(4);
      return this._ask(1, (out) =>
        room.calls.page_win_probability(this._at, mine.length, room.counts(take, mine), room.counts(take, theirs), out,
          method), ([win_probability]) =>
        ({ win_probability, method: room.integers(method, 1)[0] === 0 ? "two-sided" : "one-sided" }));
    });
  }

  /**
   * @param {ArrayLike<number>} onRoll
   * @param {ArrayLike<number>} opponent
   * @returns {FileEquities}
   */
  equities(onRoll, opponent) {
    const [mine, theirs] = this._pair(onRoll, opponent), room = this._room;
    return this._ask(8, (out, take) =>
      room.calls.page_equities(this._at, mine.length, room.counts(take, mine), room.counts(take, theirs), out),
    ([cubeless, centered, mine, theirs, centered_roll, mine_roll, jacoby, jacoby_roll]) =>
      ({ cubeless, centered, mine, theirs, centered_roll, mine_roll, jacoby, jacoby_roll }));
  }

  /**
   * @param {ArrayLike<number>} onRoll
   * @param {ArrayLike<number>} opponent
   */
  _pair(onRoll, opponent) {
    const mine = readCounts(onRoll, "onRoll"), theirs = readCounts(opponent, "opponent");
    const points = Math.max(mine.length, theirs.length);
    return [mine, theirs].map((side) => Array.from({ length: points }, (_, k) => side[k] ?? 0));
  }

  /** Give its memory back. */
  close() {
    if (this._at) this._room.calls.page_close(this._at);
    if (this._bytes) this._room.free(this._bytes);
    this._at = this._bytes = 0;
  }
}

// ------------------------------------------------------------------ in a worker

/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void, message: Record<string, any>,
 *            cancellable: boolean, onProgress?: (done: number) => void,
 *            onVerdict?: (early: EarlyAnswer) => void}} Waiting */

/** @returns {Error} */
const aborted = () => new DOMException("a newer question has come", "AbortError");

/** The C library in a worker of its own. */
export class RemoteEngine {
  /**
   * @param {string | URL | BufferSource | WebAssembly.Module} source where bgrace.wasm is, or its bytes
   * @param {{worker?: string | URL}} [options] where engine-worker.js is, unless it is beside this file
   * @returns {Promise<RemoteEngine>}
   */
  static async start(source, options = {}) {
    /** @type {WebAssembly.Module} */
    let module;
    if (source instanceof WebAssembly.Module) module = source;
    else if (typeof source === "string" || source instanceof URL) {
      const response = await fetch(source);
      if (!response.ok) throw new EngineError("OPEN", `${source}: ${response.status} ${response.statusText}`);
      module = await WebAssembly.compile(await response.arrayBuffer());
    } else module = await WebAssembly.compile(source);
    const engine = new RemoteEngine(module, options.worker ?? new URL("./engine-worker.js", import.meta.url));
    engine._worker = engine._make();
    await engine._send({ call: "version" }, { cancellable: false });
    engine._spare = engine._make(true);
    return engine;
  }

  /**
   * @param {WebAssembly.Module} module
   * @param {string | URL} script
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
    /** @type {Record<string, any>[]} what a new worker has to be told first */
    this._known = [];
    /** @type {Map<string, SideAnswer>} sides by themselves, which outlive a worker */
    this._sides = new Map();
    /** @type {Set<string>} those of them that the worker has or has been told */
    this._told = new Set();
  }

  /**
   * As Engine.solve; cancels the questions that were asked before, unless `keep` is true.
   * @param {Question} question
   * @param {{onProgress?: (done: number) => void, onVerdict?: (early: EarlyAnswer) => void, signal?: AbortSignal,
   *     keep?: boolean}} [options]
   * @returns {Promise<Answer>}
   */
  async solve(question, { onProgress, onVerdict, signal, keep = false } = {}) {
    if (signal?.aborted) throw aborted();
    if (!keep) this.cancel();
    const plain = { ...question, database: Boolean(question.database), onRoll: Array.from(question.onRoll),
      opponent: Array.from(question.opponent) };
    const message = { call: "solve", question: plain, early: Boolean(onVerdict) };
    const answer = await this._send(message, { cancellable: true, onProgress, onVerdict, signal });
    for (const side of [answer.on_roll, answer.opponent]) {
      const key = side.position.join();
      if (this._sides.size >= MOST_SIDES) this._sides.clear();
      this._sides.set(key, copyOf(side));
      this._told.add(key);
    }
    return answer;
  }

  /**
   * @param {ArrayLike<number>} counts
   * @returns {Promise<SideAnswer>}
   */
  alone(counts) {
    return this._send({ call: "alone", counts: Array.from(counts) }, { cancellable: false });
  }

  /**
   * @param {Stakes} stakes
   * @param {number} checkers
   * @param {MatchEquityTable} [met]
   * @returns {Promise<void>}
   */
  async prepare(stakes, checkers, met) {
    const message = { call: "prepare", stakes, checkers, met };
    await this._send(message, { cancellable: false });
    this._known.push(message);
  }

  /**
   * The file that questions are answered with whose `database` is not null.
   * @param {Uint8Array} file
   * @returns {Promise<void>}
   */
  async open(file) {
    const message = { call: "open", file };
    await this._send(message, { cancellable: false });
    this._known = [...this._known.filter(({ call }) => call !== "open"), message];
  }

  /** Give up whatever question is under way or waiting. */
  cancel() {
    this._drop((each) => each.cancellable);
  }

  /** Stop the worker; whatever is under way is given up. */
  close() {
    this._drop(() => true);
    this._worker?.terminate();
    this._spare?.terminate();
    this._worker = this._spare = null;
  }

  /**
   * @param {Record<string, any>} message
   * @param {{cancellable: boolean, onProgress?: (done: number) => void, onVerdict?: (early: EarlyAnswer) => void,
   *     signal?: AbortSignal}} options
   * @returns {Promise<any>}
   */
  _send(message, { cancellable, onProgress, onVerdict, signal }) {
    if (!this._worker) return Promise.reject(new EngineError("OPEN", "the engine has been closed"));
    return new Promise((resolve, reject) => {
      /** @type {Waiting} */
      const waiting = { resolve, reject, message, cancellable, onProgress, onVerdict };
      signal?.addEventListener("abort", () => this._drop((each) => each === waiting), { once: true });
      this._waiting.push(waiting);
      this._next();
    });
  }

  _next() {
    if (this._asked || !this._worker) return;
    this._asked = this._waiting.shift() ?? null;
    if (!this._asked) return;
    const { question } = this._asked.message;
    for (const side of question ? [question.onRoll, question.opponent] : []) {
      const key = side.join(), known = this._sides.get(key);
      if (!known || this._told.has(key)) continue;
      this._worker.postMessage({ call: "remember", side: known, quiet: true });
      this._told.add(key);
    }
    this._worker.postMessage(this._asked.message);
  }

  /** @param {(each: Waiting) => boolean} which */
  _drop(which) {
    const dropped = this._waiting.filter(which);
    this._waiting = this._waiting.filter((each) => !dropped.includes(each));
    if (this._asked && which(this._asked)) {
      // A thread that computes hears nothing, so its worker goes and the other takes its place.
      dropped.push(this._asked);
      this._asked = null;
      this._worker?.terminate();
      this._worker = this._spare ?? this._make();
      for (const message of this._known) this._worker.postMessage({ ...message, quiet: true });
      this._spare = this._make(true);
      this._told.clear();
    }
    for (const each of dropped) each.reject(aborted());
    this._next();
  }

  /** @param {boolean} [warm] whether it may take its time before the first question */
  _make(warm = false) {
    const worker = new Worker(this._script, { type: "module" });
    worker.addEventListener("message", ({ data }) => this._hear(worker, data));
    worker.addEventListener("error", (event) => this._fail(worker, event.message));
    worker.postMessage({ call: "load", module: this._module, warm, quiet: true });
    return worker;
  }

  /**
   * @param {Worker} worker
   * @param {{progress?: number, verdict?: EarlyAnswer, value?: any,
   *     error?: {name: string, code: string, message: string}}} data
   */
  _hear(worker, data) {
    if (worker !== this._worker || !this._asked) return;
    if (data.progress !== undefined) {
      this._asked.onProgress?.(data.progress);
      return;
    }
    if (data.verdict) {
      this._asked.onVerdict?.(data.verdict);
      return;
    }
    const { resolve, reject } = this._asked;
    this._asked = null;
    if (data.error) reject(new EngineError(data.error.code, data.error.message));
    else resolve(data.value);
    this._next();
  }

  /**
   * A worker that cannot go on: its script is missing, or memory ran out for good.
   * @param {Worker} worker
   * @param {string} message
   */
  _fail(worker, message) {
    if (worker !== this._worker) return;
    const asked = this._asked;
    this._asked = null;
    worker.terminate();
    this._worker = this._spare;
    this._spare = null;
    this._told.clear();
    asked?.reject(new EngineError("MEMORY", message || "the worker has stopped"));
    if (this._worker) for (const known of this._known) this._worker.postMessage({ ...known, quiet: true });
    this._next();
  }
}
