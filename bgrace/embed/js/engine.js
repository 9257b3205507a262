/**
 * The engine in a page: the C library of bgrace as WebAssembly, with the answers of `bgrace solve --json`, bit for bit.
 *
 *     import { Engine } from "./engine.js";
 *     const engine = await Engine.load(await (await fetch("bgrace.wasm")).arrayBuffer());
 *     const answer = engine.solve({ onRoll: [2, 2, 1, 1, 2, 1], opponent: [1, 1, 2, 1, 2, 2], dice: [6, 3] });
 *     answer.cube_action?.verdict; answer.plays?.[0].play;
 *
 * That answers at once and keeps its thread busy meanwhile.  A page asks a worker instead, whose `solve`, `follow`, `prove`,
 * `alone`, `counts` and `risk` give promises; a newer `solve` cancels the older questions:
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
 * ... and a message for readers.  From a RemoteEngine an AbortError (a DOMException) for what was cancelled, or the
 * reason of the signal that was aborted.
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
 * @property {boolean} [beavers]  money: a doubled player may redouble at once and keep the cube [false]
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
 * @property {boolean} [estimate]          estimate, by method "estimate", whatever the budget: Engine.estimate is quicker [false]
 * @property {Database | null} [database]  a file, whose pairs are looked up where it has them [none]
 * @property {{score: readonly [number, number], matchLength: number} | null} [state]
 *     points won so far, for the answer's xgid: kept where it is the score of `stakes`
 */

/**
 * A later turn of the game that the last answer was about, with the cube where its stakes have it.
 * @typedef {object} Turn
 * @property {ArrayLike<number>} onRoll
 * @property {ArrayLike<number>} opponent
 * @property {boolean} [other]             whether the opponent of the last answer is on roll now [true]
 * @property {Cube | null} [cube]          [as for a question]
 * @property {readonly [number, number] | null} [dice]  [none]
 * @property {boolean} [allRolls]          [false]
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
 * @property {PlayReason} [reason]  of the plays that come next to the best: what they lack
 */

/** @typedef {{roll: [number, number], plays: Play[]}} RollPlays  The larger die first. */

/** @typedef {[number, number]} Interval  A value is proved to be no less than the first, no more than the second. */

/**
 * Proved bounds of an answer, with the cube where it is: docs/proofs.md.
 * @typedef {object} Bounds
 * @property {"exact" | "confined" | "clocks"} method
 * @property {number} seconds            the budget that it took
 * @property {Interval} win
 * @property {Interval} gammon_win
 * @property {Interval} gammon_loss
 * @property {Interval} no_double        as in CubeAction
 * @property {Interval | null} double_take
 * @property {Interval} value            with the right to double first
 * @property {Verdict} verdict
 * @property {boolean} proved            whether every value within the bounds gives this verdict
 */

/**
 * @typedef {object} MatchStakes
 * @property {number} on_roll_needs
 * @property {number} opponent_needs
 * @property {boolean} crawford
 * @property {number} cube_value
 * @property {string} table
 */

/**
 * Why one decision is right; terms add up to the margin.
 * @typedef {object} Reason
 * @property {number} margin                 by how many points yes beats no
 * @property {Record<string, number>} terms
 * @property {number} of_chance              points that a chance of 1 is worth with a dead cube
 * @property {number} chance                 to win, of who decides
 * @property {number | null} needed          from which on yes is right, 0 for a double that costs nothing; null: there is none
 * @property {number | null} pips            how many more would make no as good; null: no such tie
 * @property {string | null} decides         the term without which the decision would be another one
 * @property {Phrase[]} phrases
 */

/** @typedef {{key: string} & Record<string, string | number>} Phrase */

/**
 * What a play lacks beside the best one; pairs are after the best one and after this one.
 * @typedef {object} PlayReason
 * @property {number[]} checkers
 * @property {number[]} pips
 * @property {number[]} epc
 * @property {number[] | null} misses        rolls of 36; null: a checker is outside
 * @property {number[] | null} win
 * @property {number[] | null} gammon_win
 * @property {number[] | null} gammon_loss
 * @property {Phrase[]} phrases
 */

/**
 * @typedef {object} Reasons
 * @property {number[]} pips
 * @property {number[]} epc
 * @property {number[]} waste
 * @property {number[]} usual_waste
 * @property {number | null} market_losers   rolls, of 36, of the player on roll after which the opponent should pass
 * @property {Reason} double
 * @property {Reason} take
 */

/**
 * What `bgrace solve --json` prints, with `solver` beside it.
 * @typedef {object} Answer
 * @property {SideAnswer} on_roll
 * @property {SideAnswer} opponent
 * @property {number} win_probability
 * @property {"solved" | "two-sided" | "turns" | "estimate"} method   "solved": exact; "two-sided": from a packed file
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
 * @property {Reasons | null} reasons        of the cube action; null where there is no cube to turn
 * @property {number} error                  0 if exact; else the greatest that was found for such races: not a bound
 * @property {string} xgid
 * @property {string} ogid
 * @property {RollPlays[]} [rolls]           all 21, if asked for
 */

/**
 * A bearoff against men behind.
 * @typedef {object} RiskQuestion
 * @property {ArrayLike<number>} onRoll    25 counts, the bar last
 * @property {ArrayLike<number>} opponent
 * @property {readonly [number, number] | null} [dice]  list the plays of this roll [none]
 * @property {boolean} [allRolls]          list the plays of all 21 rolls, too [false]
 */

/**
 * A play of the side that bears off, and the risk after it.
 * @typedef {object} RiskPlay
 * @property {string} play        a hit is marked with an asterisk
 * @property {number[]} position
 * @property {number} shots       rolls, out of 36, that hit at once
 * @property {number} least       chance ever to be hit, by men who wait
 * @property {number | null} never_hit  at least so likely, whatever a single man does
 * @property {number} off
 * @property {number} pips
 * @property {number} epc
 */

/**
 * What `bgrace risk --json` prints, without its assumptions: docs/contact-mathematics.md.
 * @typedef {object} RiskAnswer
 * @property {number[]} position  of the side that bears off
 * @property {string} behind      "bar", "bar bar" or "3x1"
 * @property {number} shots
 * @property {number} least       with the side of the men behind to roll
 * @property {number | null} never_hit
 * @property {number} least_on_roll  with the side that bears off to roll
 * @property {number | null} never_hit_on_roll
 * @property {boolean} on_roll    whether the side that bears off is on roll; only then are there plays
 * @property {[number, number] | null} roll
 * @property {RiskPlay[]} [plays]  of `dice`, in rising order of least
 * @property {{roll: [number, number], plays: RiskPlay[]}[]} [rolls]  all 21, if asked for
 */

/**
 * What players' counts say, each with what it costs, and why; null where it does not reach the race.
 * @typedef {{counts: Record<string, object | null>, left_out: Record<string, string>}} Counts
 */

/** @typedef {Omit<Answer, "on_roll" | "opponent" | "plays" | "rolls">} EarlyAnswer  What is there first. */

/** @typedef {Omit<EarlyAnswer, "match" | "stakes" | "reasons" | "xgid" | "ogid">} Estimate */

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
 *     solve(question: Question, options?: {onProgress?: (done: number) => boolean | void,
 *           onVerdict?: (early: EarlyAnswer) => void}): Answer     done: 0 .. 1, and true from it stops the work, with an
 *         EngineError "STOPPED"; early: verdict, chances and equities, before plays and sides
 *     estimate(question: Question): Estimate        within 100 microseconds: chances, equities and the cube action alone;
 *         the answer that `follow` goes on from stays
 *     follow(turn: Turn): Answer | null             a later turn of the last answer's game, without solving it again
 *     prove(question: Question): Bounds             between which two values its answer lies, within the budget
 *     alone(counts): SideAnswer                     one side by itself
 *     risk(question: RiskQuestion): RiskAnswer      a bearoff against men behind; the first one takes half a second
 *     formatPlay(position, result, roll): string    a play in the usual notation: "4/2 3/off"
 *     warm(): void                                  work out what the first question would otherwise wait for
 *     open(file: Uint8Array | RangeFile): Database  a copy of the file is kept in the engine's memory, or ranges of it
 *     reading(file: RangeFile, ask: () => T): Promise<T>   ask, with what the answer lacks of the file fetched
 *
 * class Database
 *     info: FileInfo
 *     close(): void
 *
 * class RemoteEngine                                an Engine in a worker; what is not here is answered in an instant
 *     static start(source: string | URL | BufferSource | WebAssembly.Module, options?: {worker?: string | URL | (() => Worker)})
 *         : Promise<RemoteEngine>
 *     solve(question, options?: {onProgress?, onVerdict?, signal?: AbortSignal, keep?: boolean}): Promise<Answer>
 *         cancels the questions asked before, unless `keep` is true: then it waits for its turn
 *     follow(turn: Turn): Promise<Answer | null>    waits for its turn
 *     prove(question, options?: {signal?: AbortSignal}): Promise<Bounds>   waits for its turn
 *     alone(counts): Promise<SideAnswer>            waits for its turn, cancels nothing
 *     risk(question, options?: {signal?: AbortSignal}): Promise<RiskAnswer>   waits for its turn
 *     open(file: Uint8Array | RangeFile): Promise<void>   asked by every later question whose `database` is not null
 *     cancel(): void                                whatever is under way
 *     close(): void
 *
 * class EngineError extends Error { code: string }
 *
 * formats.js, which needs no engine
 *     parseBoard(text): Board         a position ID, positionID:matchID, an XGID or an OGID (throws a FormatError)
 *     formatXgid(board), formatOgid(board), formatPositionId(board): string
 *     parsePosition(text): number[]   "5,1,8,1,0,0", "1x5 2x1 3x8 4x1", "off"
 *     formatPosition(counts): string  "1x5 2x1 3x8 4x1"
 *     pips(counts): number
 *     Board = {onRoll, opponent, roll: [number, number] | null, cubeValue, cube, doubleOffered, score: [number, number],
 *              matchLength, crawford, jacoby: boolean | null, beavers: boolean | null}
 *     stakesOf(board): Stakes         what an ID names, as bgrace.Stakes.of
 *
 * met.js: DEFAULT_MET, Kazaross XG2 with its notice
 *
 * ranges.js
 *     RangeFile.open(url): Promise<RangeFile>   a packed file on a web host, of which only what is asked for is fetched
 */

import { MAX_POINTS, checkedCounts, checkers, formatOgid, formatXgid, pips } from "./formats.js";
import { DEFAULT_MET } from "./met.js";

// ------------------------------------------------------------------ constants

const MEAN_PIPS = 49 / 6;
const MAX_RISK_PLAYS = 252; // BGR_MAX_RISK_PLAYS
const PLAY_SIZE = 40; // BGR_PLAY_SIZE
const CULPRIT_FIELDS = ["on_roll", "true_on_roll", "opponent", "true_opponent", "limit", "true_limit", "chance", "true_chance"];
const N_COUNTED = 43; // numbers of a count that is judged: page_counts
const DECISIONS = ["double", "redouble", "take"];
const COUNT_FIELDS = ["counted", "on_roll", "opponent", "double_from", "redouble_from", "take_to", ...DECISIONS, "win_probability", "ratio"];
const MAX_REASONS = 5, ALIKE = 0.00005; // of plays that are explained

const MIN_MEMORY = 2 ** 20;
const MAX_MEMORY = 2 ** 31;
const DEFAULT_SECONDS = 1;
const DEFAULT_MEMORY = 2 ** 29;

/** @type {readonly Cube[]} in the order of the C library, as the next three */
const CUBES = ["none", "centered", "mine", "theirs"];
/** @type {readonly Verdict[]} */
const VERDICTS = ["no cube", "no double", "double/take", "double/beaver", "double/pass", "too good"];
const ANY_WAY = 0, FROM_FILE = 3, ESTIMATE = 5; // of bgr_way

/** The names of the statuses of bgrace.h, without BGR_ERR_, in order. */
const STATUSES = ["OK", "POINTS", "CHECKERS", "POSITION", "INDEX", "ROLL", "SIZE", "MEMORY", "OPEN", "READ", "FORMAT",
  "VERSION", "COMPRESSED", "DAMAGED", "CHANGED", "COVERAGE", "SCORE", "CONTACT", "STAKES", "ARGUMENT", "STOPPED",
  "NOT_COMPARED"];

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
    /** @type {[number, number][] | undefined} offset and length of each range of a file that has to be fetched first */
    this.missing = undefined;
  }
}

// ------------------------------------------------------------------ memory

/** @typedef {{name: string, kind: string, of: string, at: number, size: number}} Member  Of a structure of the C library. */
/** @typedef {(bytes: number) => number} Take  Memory until an answer is there. */

/** @type {Record<string, number>} bytes of members, by their letters in scripts/kernel_interfaces.py */
const BYTES = { d: 8, i: 4, l: 8, b: 1, s: 4 };

/** @typedef {Record<string, (...numbers: number[]) => number>} Calls */

/** @typedef {{offset: number, bytes: Uint8Array}} Range  Of a file on a web host. */
/** @typedef {{size: number, head: Range, read: (missing: [number, number][]) => Promise<Range[]>}} RangeReader  RangeFile */

/** The module: its memory, what it calls, and what is taken of its memory for one question. */
class Room {
  /**
   * @param {WebAssembly.Module} module
   * @returns {Promise<Room>}
   */
  static async of(module) {
    const room = new Room();
    const page = { progress: room._progress.bind(room), read: room._readRanges.bind(room) };
    const { exports } = await WebAssembly.instantiate(module, { page });
    room.calls = /** @type {Calls} */ (/** @type {unknown} */ (exports));
    room._memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    let structure = { size: 0, members: /** @type {Member[]} */ ([]) };
    for (let from = room.calls.page_members(); ; from += 20) {
      const [of, kind, at, size, name] = room.integers(from, 5);
      if (!of) return room;
      if (kind) structure.members.push({ name: room.text(name), kind: String.fromCharCode(kind), of: room.text(of), at, size });
      else room._structures[room.text(of)] = structure = { size, members: [] };
    }
  }

  constructor() {
    this.calls = /** @type {Calls} */ ({});
    this._memory = new WebAssembly.Memory({ initial: 0 }); // until the module has brought its own
    /** @type {((done: number) => boolean | void) | null} */
    this.tell = null;
    /** @type {Map<string, Uint8Array>} ranges of files that the module has not asked for yet */
    this.ranges = new Map();
    /** @type {[number, number][]} */
    this.missing = [];
    /** @type {Record<string, {size: number, members: Member[]}>} structures of the headers of C, by name */
    this._structures = {};
  }

  /** @param {number} done */
  _progress(done) {
    return Number(this.tell?.(done) === true);
  }

  /**
   * Copy ranges, a bgr_range each, to where the module wants them; what there is not is noted.
   * @param {number} at
   * @param {number} n
   */
  _readRanges(at, n) {
    const { size: each } = this._structures.bgr_range;
    const wanted = Array.from({ length: n }, (_, k) => this.read("bgr_range", (at >>> 0) + each * k));
    this.missing = [];
    for (const { offset, size, bytes: to } of wanted) {
      const bytes = this.ranges.get(`${offset}+${size}`);
      if (bytes) this.bytes(to, size).set(bytes);
      else this.missing.push([offset, size]);
    }
    if (!this.missing.length) for (const { offset, size } of wanted) this.ranges.delete(`${offset}+${size}`);
    return this.missing.length;
  }

  /**
   * A structure as an object.
   * @param {string} name
   * @param {number} from
   * @returns {Record<string, any>}
   */
  read(name, from) {
    const view = new DataView(this._memory.buffer);
    /** @type {Record<string, any>} */
    const found = {};
    for (const { name: member, kind, of, at, size } of this._structures[name].members) {
      if (kind === "c") found[member] = this.text(from + at);
      else {
        const each = kind === "o" ? this._structures[of].size : BYTES[kind];
        found[member] = size === each ? this._value(view, kind, of, from + at)
          : Array.from({ length: size / each }, (_, k) => this._value(view, kind, of, from + at + k * each));
      }
    }
    return found;
  }

  /**
   * @param {DataView} view
   * @param {string} kind
   * @param {string} of
   * @param {number} at
   */
  _value(view, kind, of, at) {
    switch (kind) {
      case "d": return view.getFloat64(at, true);
      case "i": return view.getInt32(at, true);
      case "l": return Number(view.getBigInt64(at, true));
      case "b": return view.getInt8(at);
      case "s": return this.text(view.getInt32(at, true));
      default: return this.read(of, at);
    }
  }

  /**
   * A structure with these members, and zeros.
   * @param {Take} take
   * @param {string} name
   * @param {Record<string, number | boolean | readonly number[]>} values
   */
  write(take, name, values) {
    const { size, members } = this._structures[name], from = take(size);
    this.bytes(from, size).fill(0);
    const view = new DataView(this._memory.buffer);
    for (const { name: member, kind, at } of members) {
      const given = member === "size" ? size : values[member];
      if (given !== undefined) [given].flat().forEach((value, k) => {
        if (kind !== "d" && !Number.isInteger(Number(value)))
          throw new EngineError("ARGUMENT", `${member}: ${value} is not a whole number`);
        if (kind === "d") view.setFloat64(from + at + 8 * k, Number(value), true);
        else if (kind === "l") view.setBigInt64(from + at + 8 * k, BigInt(Number(value)), true);
        else if (kind === "b") view.setInt8(from + at + k, Number(value));
        else view.setInt32(from + at + 4 * k, Number(value), true);
      });
    }
    return from;
  }

  /**
   * A structure that a call fills.
   * @param {string} name
   * @param {(out: number, take: Take) => number} call
   * @returns {Record<string, any>}
   */
  ask(name, call) {
    return this.with((take) => {
      const out = this.write(take, name, {});
      this.check(call(out, take));
      return this.read(name, out);
    });
  }

  /**
   * A list of structures that a call fills, which also says how many they are.
   * @param {string} name
   * @param {number} most
   * @param {(out: number, n: number, take: Take) => number} call
   */
  list(name, most, call) {
    return this.with((take) => {
      const { size } = this._structures[name], out = take(size * most), n = take(4);
      this.check(call(out, n, take));
      return Array.from({ length: this.integers(n, 1)[0] }, (_, k) => this.read(name, out + k * size));
    });
  }

  /**
   * An integer, such as a pointer, that a call writes.
   * @param {(out: number, take: Take) => number} call
   */
  integer(call) {
    return this.with((take) => {
      const out = take(4);
      this.check(call(out, take));
      return this.integers(out, 1)[0];
    });
  }

  /** @param {number} bytes */
  take(bytes) {
    const at = this.calls.page_malloc(Math.max(bytes, 1));
    if (!at) throw new EngineError("MEMORY", "out of memory: ask with a smaller budget");
    return at >>> 0;
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
    if (!at) return "";
    const bytes = new Uint8Array(this._memory.buffer, at >>> 0);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /** @param {number} status */
  check(status) {
    if (!status) return;
    const error = new EngineError(STATUSES[status] ?? "UNKNOWN", this.text(this.calls.bgr_strerror(status)));
    if (error.code === "READ" && this.missing.length) error.missing = this.missing;
    throw error;
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
      for (const at of taken.reverse()) this.calls.page_free(at);
    }
  }

  /**
   * @param {(bytes: number) => number} take
   * @param {ArrayLike<number>} counts
   * @param {number} [points]
   */
  counts(take, counts, points = MAX_POINTS) {
    const at = take(points), to = this.bytes(at, points).fill(0);
    for (let k = 0; k < Math.min(points, counts.length); k++) to[k] = counts[k];
    return at;
  }

  /**
   * A play in the usual notation.
   * @param {ArrayLike<number>} position
   * @param {ArrayLike<number>} result
   * @param {readonly [number, number]} roll
   */
  play(position, result, roll) {
    return this.with((take) => {
      const text = take(PLAY_SIZE);
      this.check(this.calls.bgr_play_text(MAX_POINTS, this.counts(take, position), this.counts(take, result), ...roll, text));
      return this.text(text);
    });
  }
}

// ------------------------------------------------------------------ stakes

/**
 * @typedef {object} FullStakes
 * @property {boolean} gammons
 * @property {boolean} jacoby
 * @property {boolean} beavers
 * @property {Score | null} match
 * @property {MatchEquityTable} met  for a match
 * @property {number} cubeValue
 */

/** @param {string} message */
const wrongStakes = (message) => new EngineError("STAKES", message);

/**
 * Refuse a field that is not known: left out in silence, a mistyped rule would make it another question.
 * @param {string} what
 * @param {object} given
 * @param {string} known
 */
function checkFields(what, given, known) {
  if (Object(given) !== given) throw new EngineError("ARGUMENT", `${given} is not ${what}: give an object with ${known}`);
  const other = Object.keys(given).find((name) => !known.split(", ").includes(name));
  if (other !== undefined) throw new EngineError("ARGUMENT", `"${other}" is not a field of ${what}: use ${known}`);
}

/**
 * @param {Stakes | undefined} given
 * @param {MatchEquityTable} [met]
 * @returns {FullStakes}
 */
function fullStakes(given, met = DEFAULT_MET) {
  checkFields("stakes", given ?? {}, "gammons, jacoby, beavers, match, cubeValue");
  checkFields("a score", given?.match ?? {}, "onRollNeeds, opponentNeeds, crawford");
  const { gammons = true, jacoby = false, beavers = false, match = null, cubeValue = 1 } = given ?? {};
  if (!Number.isInteger(cubeValue) || cubeValue < 1 || cubeValue > 2 ** 20 || !Number.isInteger(Math.log2(cubeValue)))
    throw wrongStakes(`cube value ${cubeValue} is not on a cube: give 1, 2, 4, 8, ...`);
  const { name, preCrawford: { length } } = met;
  if (match && Math.max(match.onRollNeeds, match.opponentNeeds) > length)
    throw wrongStakes(`${name} has no score of ${match.onRollNeeds} and ${match.opponentNeeds} points to go: its ` +
      `matches have up to ${length} points`);
  return { gammons, jacoby, beavers, match, met, cubeValue };
}

/** @param {FullStakes} stakes */
const isCrawford = ({ match }) =>
  Boolean(match?.crawford) && !(match?.onRollNeeds === 1 && match.opponentNeeds === 1);

/**
 * Points won so far, and the length of the match: as told where they fit the points to go, else of the shortest match.
 * @param {Score} match
 * @param {NonNullable<Question["state"]> | null} told
 * @returns {{score: [number, number], matchLength: number}}
 */
function scoreOf({ onRollNeeds, opponentNeeds }, told) {
  const fits = told && told.matchLength - told.score[0] === onRollNeeds && told.matchLength - told.score[1] === opponentNeeds;
  const matchLength = fits ? told.matchLength : Math.max(onRollNeeds, opponentNeeds);
  return { score: [matchLength - onRollNeeds, matchLength - opponentNeeds], matchLength };
}

/**
 * Whether the cube can be in a place: at a score one of 1 is in the middle, a larger one is not.
 * @param {Cube} cube
 * @param {FullStakes} stakes
 */
const canBe = (cube, { match, cubeValue }) => !match || cube === "none" || (cube === "centered") === (cubeValue === 1);

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

// ------------------------------------------------------------------ one answer of the module

/** @type {readonly [number, number][]} the 21 kinds of roll, larger die first */
export const ROLLS = Array.from({ length: 6 }, (_, a) => a + 1).flatMap((a) =>
  Array.from({ length: a }, (_, b) => /** @type {[number, number]} */ ([a, b + 1])));

/** @param {number} value */
const known = (value) => (Number.isNaN(value) ? null : value);

const TERMS = 12; // BGR_N_TERMS

/**
 * @param {Record<string, any>} found a structure with phrases
 * @returns {Phrase[]}
 */
const phrasesOf = ({ phrase, n_phrases }) => phrase.slice(0, n_phrases).map((/** @type {any} */ { key, n, name, value }) =>
  ({ key, ...Object.fromEntries(Array.from({ length: n }, (_, k) => [name[k], value[k]])) }));

/** What the module has answered, in the words of the JSON of `bgrace solve`. */
class Solution {
  /**
   * @param {Room} room
   * @param {number} at
   * @param {number[][]} sides  on roll, opponent
   * @param {FullStakes} stakes
   */
  constructor(room, at, sides, stakes) {
    this._room = room;
    this.at = at;
    this.sides = sides;
    this.stakes = stakes;
    const { way, exact, error } = room.ask("bgr_answer_info", (out) => room.calls.bgr_answer_describe(at, out));
    this.method = /** @type {Answer["method"]} */ (
      way === FROM_FILE ? "two-sided" : exact ? "solved" : way === ESTIMATE ? "estimate" : "turns");
    /** @type {number} */
    this.error = exact ? 0 : error;
  }

  /**
   * A bgr_cube_values.
   * @param {Cube} cube
   */
  _cube(cube) {
    return this._room.ask("bgr_cube_values", (out) => this._room.calls.bgr_answer_cube(this.at, CUBES.indexOf(cube), out));
  }

  /** @param {number} value */
  _normalised(value) {
    return known(this._room.calls.bgr_answer_normalised(this.at, value));
  }

  /**
   * @param {number} solver
   * @param {number} cache
   * @param {Cube} cube
   * @returns {Reasons | null}
   */
  reasons(solver, cache, cube) {
    const { calls } = this._room, found = this._room.ask("bgr_reasons", (out) =>
      calls.bgr_answer_reasons(solver, cache, this.at, CUBES.indexOf(cube), out));
    const { pips, epc, waste, usual_waste, market_losers, may_double, twice, take } = found;
    if (!may_double) return null;
    /** @param {number} term */
    const named = (term) => this._room.text(calls.bgr_term_name(term));
    /** @param {Record<string, any>} one @returns {Reason} */
    const reason = ({ margin, term, of_chance, chance, needed, pips, decides, ...phrases }) => ({
      margin, of_chance, chance, needed: known(needed), pips: known(pips),
      terms: Object.fromEntries(term.slice(0, TERMS).map((/** @type {number} */ value, /** @type {number} */ k) => [named(k), value])),
      decides: decides < 0 ? null : named(decides), phrases: phrasesOf(phrases) });
    return { pips, epc, waste, usual_waste, market_losers: market_losers < 0 ? null : market_losers,
      double: reason(twice), take: reason(take) };
  }

  /**
   * @param {Cube} place
   * @returns {Estimate}
   */
  values(place) {
    /** @type {Equities} */
    const plain = { cubeless: null, centered: null, mine: null, theirs: null };
    const equities = { ...plain }, { gammons, match } = this.stakes, { calls } = this._room;
    const chances = this._room.ask("bgr_chances", (out) => calls.bgr_answer_chances(this.at, out));
    const counted = (/** @type {number} */ chance) => (gammons ? known(chance) : 0);
    for (const cube of CUBES.filter((each) => canBe(each, this.stakes))) {
      const name = cube === "none" ? "cubeless" : cube, { value } = this._cube(cube);
      plain[name] = value;
      equities[name] = this._normalised(value);
    }
    return { win_probability: chances.win, method: this.method, equities, cube_action: this.cubeAction(place),
      gammon_win: counted(chances.win_gammon), gammon_loss: counted(chances.lose_gammon),
      backgammon_win: counted(chances.win_backgammon), backgammon_loss: counted(chances.lose_backgammon),
      error: this.error, ...(match && { match_chances: plain }) };
  }

  /**
   * @param {Cube} cube
   * @returns {CubeAction}
   */
  cubeAction(cube) {
    const stakes = this.stakes;
    if (!canBe(cube, stakes)) throw wrongStakes(`a cube of ${stakes.cubeValue} cannot be ${cube}: it is ` +
      (stakes.cubeValue === 1 ? "in the middle (centered)" : "on a side (mine or theirs)"));
    const { no_double, double_take, double_pass, doubles, takes, beavers, verdict } = this._cube(cube);
    const turns = !Number.isNaN(double_take);
    /** @type {CubeAction} */
    const action = { cube, no_double, double_take: known(double_take), double_pass: known(double_pass),
      double: turns ? doubles === 1 : null, take: turns ? takes === 1 : null, verdict: VERDICTS[verdict] };
    if (turns && stakes.beavers) action.beaver = beavers === 1;
    if (stakes.match) {
      action.cube_value = stakes.cubeValue;
      action.reason = turns ? null : this._whyNoCube(cube);
      action.normalised = { no_double: this._normalised(no_double), double_take: this._normalised(double_take),
        double_pass: this._normalised(double_pass) };
    }
    return action;
  }

  /** @param {Cube} cube */
  _whyNoCube(cube) {
    if (cube === "none") return "played without a cube";
    if (isCrawford(this.stakes)) return "nobody may double in the Crawford game";
    if (cube === "theirs") return "the cube is the opponent's";
    return `a cube of ${this.stakes.cubeValue} already wins the match for the player on roll`;
  }

  /**
   * The same plays, of which the first have reasons.
   * @param {Play[]} plays
   * @param {number} solver
   * @param {number} cache
   */
  explained(plays, solver, cache) {
    for (const play of plays.slice(0, MAX_REASONS))
      if (play.loss > ALIKE) play.reason = this._playReason(solver, cache, plays[0], play);
    return plays;
  }

  /**
   * What a play lacks beside a better one.
   * @param {number} solver
   * @param {number} cache
   * @param {Play} better
   * @param {Play} other
   * @returns {PlayReason}
   */
  _playReason(solver, cache, better, other) {
    const { calls } = this._room, found = this._room.ask("bgr_play_reason", (out, take) => {
      const [first, second] = [better, other].map((play) => this._room.counts(take, play.position));
      return calls.bgr_answer_play_reason(solver, cache, this.at, MAX_POINTS, first, second, out);
    });
    const { checkers, pips, epc, misses, chances } = found;
    const pair = (/** @type {string} */ name) => {
      const values = chances.map((/** @type {any} */ one) => one[name]);
      return values.some(Number.isNaN) ? null : values;
    };
    return { checkers, pips, epc, misses: Math.min(...misses) < 0 ? null : misses, win: pair("win"),
      gammon_win: pair("win_gammon"), gammon_loss: pair("lose_gammon"), phrases: phrasesOf(found) };
  }

  /**
   * Every play of a roll that the question has asked for, best first.
   * @param {readonly [number, number]} roll larger die first
   * @param {Cube} cube
   * @returns {Play[]}
   */
  plays(roll, cube) {
    const { calls } = this._room, most = calls.page_max_plays();
    const found = this._room.list("bgr_ranked_play", most, (out, n) =>
      calls.bgr_answer_plays(this.at, roll[0], roll[1], CUBES.indexOf(cube), most, out, n));
    const equities = found.map(({ value }) => calls.page_rank(this.at, value));
    return found.map(({ counts, value }, k) => {
      const position = counts.slice(0, this.sides[0].length);
      /** @type {Play} */
      const play = { play: this._room.play(this.sides[0], position, roll), position, equity: equities[k],
        loss: equities[0] - equities[k] };
      if (this.stakes.match) play.mwc = value;
      return play;
    });
  }
}

/**
 * A bgr_stakes, with its match equity table.
 * @param {Room} room
 * @param {Take} take
 * @param {FullStakes} stakes
 */
function writeStakes(room, take, { match, met, gammons, jacoby, beavers, cubeValue }) {
  const put = (/** @type {number[]} */ numbers) => {
    const at = take(8 * numbers.length);
    room.doubles(at, numbers.length).set(numbers);
    return at;
  };
  return room.write(take, "bgr_stakes", { gammons, jacoby, beavers, ...(match && { match: 1,
    on_roll_needs: match.onRollNeeds, opponent_needs: match.opponentNeeds, crawford: match.crawford ?? false,
    cube_value: cubeValue, met_length: met.preCrawford.length, post_length: met.postCrawford[0].length,
    pre_crawford: put(met.preCrawford.flat()), post_crawford: put(met.postCrawford.flat()) }) });
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
  if (given.length !== 2 || given.some((die) => !Number.isInteger(die) || die < 1 || die > 6))
    throw new EngineError("ROLL", `${[dice].flat().join(", ")} is not a roll: give two dice from 1 to 6`);
  return given[0] >= given[1] ? [given[0], given[1]] : [given[1], given[0]];
}

/**
 * @param {Cube | null | undefined} given
 * @param {FullStakes} stakes
 * @returns {Cube}
 */
function readCube(given, stakes) {
  const cube = given ?? (stakes.match && stakes.cubeValue > 1 ? "mine" : "centered");
  if (!CUBES.includes(cube)) throw wrongStakes(`cube ${cube} is unknown: use ${CUBES.join(", ")}`);
  return cube;
}

/**
 * @param {Budget | undefined} given
 * @returns {{seconds: number, memoryBytes: number}}
 */
function fullBudget(given) {
  checkFields("a budget", given ?? {}, "seconds, memoryBytes");
  const { seconds = DEFAULT_SECONDS, memoryBytes = DEFAULT_MEMORY } = given ?? {};
  if (!(seconds > 0 && seconds < Infinity)) throw new EngineError("SIZE", `seconds: ${seconds}: give more than 0`);
  if (!(memoryBytes >= MIN_MEMORY && memoryBytes <= MAX_MEMORY))
    throw new EngineError("SIZE", `memoryBytes: ${memoryBytes}: give ${MIN_MEMORY} to ${MAX_MEMORY}`);
  return { seconds, memoryBytes: Math.floor(memoryBytes) };
}

/** The C library in this thread. */
export class Engine {
  /**
   * @param {BufferSource | WebAssembly.Module} source bgrace.wasm
   * @returns {Promise<Engine>}
   */
  static async load(source) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    return new Engine(await Room.of(module));
  }

  /** @param {Room} room  of bgrace.wasm: `Engine.load` makes it */
  constructor(room) {
    this._room = room;
    this._solver = room.integer((out) => room.calls.page_solver_new(out));
    this._cache = room.integer((out) => room.calls.bgr_cache_new(out));
    /** @type {{pair: string, rolls: string, met: MatchEquityTable | null, database: Database | null,
     *     solution: Solution} | null} what the last question found: a page asks for its rolls after the verdict */
    this._last = null;
    this._risks = 0;
    /** @type {string} */
    this.version = room.text(room.calls.bgr_version());
  }

  /**
   * Answer a race.
   * @param {Question} question
   * @param {{onProgress?: (done: number) => boolean | void, onVerdict?: (early: EarlyAnswer) => void}} [options]
   * @returns {Answer}
   */
  solve(question, options = {}) {
    const { sides, stakes, cube, budget } = this._read(question);
    const roll = question.dice ? readRoll(question.dice) : null;
    const { onProgress = null, onVerdict = null } = options;
    let told = 0;
    onProgress?.(0);
    this._room.tell = onProgress && ((done) => done > told + 0.01 && done < 1 && onProgress((told = done)));
    try {
      const solution = this._ask(sides, stakes, budget, roll, question);
      const answer = this._told(solution, cube, roll, question, onVerdict);
      onProgress?.(1);
      return answer;
    } catch (error) {
      this._forget();
      throw error;
    } finally {
      this._room.tell = null;
    }
  }

  /**
   * Estimate a race, whatever its budget.  The last answer stays, for its rolls and to be followed.
   * @param {Question} question
   * @returns {Estimate}
   */
  estimate(question) {
    const { sides, stakes, cube, budget } = this._read(question), last = this._last;
    this._last = null;
    try {
      return this._ask(sides, stakes, budget, null, { ...question, estimate: true, allRolls: false }).values(cube);
    } finally {
      this._forget();
      this._last = last;
    }
  }

  /**
   * Prove between which values an answer lies, within its budget.
   * @param {Question} question
   * @returns {Bounds}
   */
  prove(question) {
    const { sides, stakes, cube, budget } = this._read(question), room = this._room;
    const { calls } = room, place = CUBES.indexOf(cube);
    const proof = room.integer((out, take) => calls.bgr_prove_verdict(MAX_POINTS, room.counts(take, sides[0]),
      room.counts(take, sides[1]), writeStakes(room, take, stakes), this._options(take, budget, {}), place, out));
    try {
      const { method, seconds } = room.ask("bgr_proof_info", (out) => calls.bgr_proof_describe(proof, out));
      const chances = room.ask("bgr_chance_bounds", (out) => calls.bgr_proof_chances(proof, out));
      const bounds = room.ask("bgr_cube_bounds", (out) => calls.bgr_proof_cube(proof, place, out));
      const interval = (/** @type {{low: number, high: number}} */ { low, high }) => /** @type {Interval} */ ([low, high]);
      const verdict = VERDICTS[bounds.verdict];
      return { method: /** @type {const} */ (["clocks", "confined", "exact"])[method - 1], seconds,
        win: interval(chances.win), gammon_win: interval(chances.win_gammon), gammon_loss: interval(chances.lose_gammon),
        no_double: interval(bounds.no_double), double_take: verdict === "no cube" ? null : interval(bounds.double_take),
        value: interval(bounds.value), verdict, proved: bounds.proved === 1 };
    } finally {
      calls.bgr_proof_free(proof);
    }
  }

  /**
   * @param {Take} take
   * @param {{seconds: number, memoryBytes: number}} budget
   * @param {Record<string, number | boolean | readonly number[]>} more
   */
  _options(take, { seconds, memoryBytes }, more) {
    return this._room.write(take, "bgr_solve_options", { seconds, memory_bytes: memoryBytes, cache: this._cache, ...more });
  }

  /** @param {Question} question */
  _read(question) {
    checkFields("a question", question,
      "onRoll, opponent, stakes, met, cube, dice, allRolls, budget, estimate, database, state");
    const sides = /** @type {const} */ (["onRoll", "opponent"]).map((name) => {
      const side = readCounts(question[name], name);
      if (!checkers(side)) throw new EngineError("POSITION", `${name} has no checker left: the game is over`);
      return side;
    });
    const stakes = fullStakes(question.stakes, question.met);
    return { sides, stakes, cube: readCube(question.cube, stakes), budget: fullBudget(question.budget) };
  }

  /**
   * Answer a later turn of the game that the last answer was about, at no cost: null where that did not solve all
   * pairs, or does not come to it.
   * @param {Turn} turn
   * @returns {Answer | null}
   */
  follow(turn) {
    checkFields("a turn", turn, "onRoll, opponent, other, cube, dice, allRolls");
    const { onRoll, opponent, other = true } = turn;
    const sides = [readCounts(onRoll, "onRoll"), readCounts(opponent, "opponent")], last = this._last, room = this._room;
    if (!last || last.solution.method !== "solved" || !sides.every(checkers)) return null;
    const { match } = last.solution.stakes, roll = turn.dice ? readRoll(turn.dice) : null;
    const stakes = { ...last.solution.stakes, match: match && other
      ? { ...match, onRollNeeds: match.opponentNeeds, opponentNeeds: match.onRollNeeds } : match };
    const cube = readCube(turn.cube, stakes);
    const at = room.integer((out, take) => {
      const [mine, theirs] = sides.map((side) => room.counts(take, side));
      const status = room.calls.bgr_answer_follow(last.solution.at, MAX_POINTS, mine, theirs, Number(other), out);
      return STATUSES[status] === "COVERAGE" ? 0 : status; // with a null for an answer
    });
    if (!at) return null;
    const solution = new Solution(room, at, sides, stakes);
    this._forget();
    this._last = { ...last, pair: "", solution };
    return this._told(solution, cube, roll, turn);
  }

  /**
   * @param {Solution} solution
   * @param {Cube} cube
   * @param {[number, number] | null} roll
   * @param {{allRolls?: boolean, state?: Question["state"]}} asked
   * @param {((early: EarlyAnswer) => void) | null} [onVerdict]
   * @returns {Answer}
   */
  _told(solution, cube, roll, { allRolls = false, state = null }, onVerdict) {
    const early = this._verdict(solution, cube, roll, state), [onRoll, opponent] = solution.sides;
    onVerdict?.(early);
    /** @type {Answer} */
    const answer = { on_roll: this.alone(onRoll), opponent: this.alone(opponent), ...early,
      plays: roll && solution.explained(solution.plays(roll, cube), this._solver, this._cache) };
    if (allRolls) answer.rolls = ROLLS.map((each) => ({ roll: [...each], plays: solution.plays(each, cube) }));
    return answer;
  }

  /**
   * @param {number[][]} sides
   * @param {FullStakes} stakes
   * @param {{seconds: number, memoryBytes: number}} budget
   * @param {[number, number] | null} roll
   * @param {Question} question
   * @returns {Solution}
   */
  _ask(sides, stakes, budget, roll, { estimate = false, database = null, allRolls = false }) {
    const way = estimate ? ESTIMATE : ANY_WAY;
    const { met, ...rules } = stakes, last = this._last, room = this._room;
    const pair = JSON.stringify([sides, rules, budget, way, database?._at]), rolls = allRolls ? "all" : String(roll);
    const same = last !== null && last.pair === pair && last.met === met && last.database === database;
    // What is solved exactly knows every play.
    if (same && (last.solution.method === "solved" || last.rolls === rolls)) return last.solution;
    this._forget();
    const at = room.integer((out, take) => room.calls.page_ask(this._solver, room.counts(take, sides[0]),
      room.counts(take, sides[1]), writeStakes(room, take, stakes), this._options(take, budget, { dice: roll ?? [0, 0],
        rolls: allRolls, way, database: stakes.match ? 0 : (database?._opened() ?? 0) }), out));
    const solution = new Solution(room, at, sides, stakes);
    this._last = { pair, rolls, met, database, solution };
    return solution;
  }

  /** Give the memory of the last question back. */
  _forget() {
    if (this._last) this._room.calls.bgr_answer_free(this._last.solution.at);
    this._last = null;
  }

  /**
   * @param {Solution} solution
   * @param {Cube} cube
   * @param {[number, number] | null} roll
   * @param {NonNullable<Question["state"]> | null} state
   * @returns {EarlyAnswer}
   */
  _verdict(solution, cube, roll, state) {
    const { stakes, sides: [onRoll, opponent] } = solution, { match, met, cubeValue } = stakes;
    const crawford = isCrawford(stakes);
    /** @type {import("./formats.js").Board} */
    const board = { onRoll, opponent, roll, cubeValue, cube: cube === "none" ? "centered" : cube, doubleOffered: false,
      crawford, jacoby: match ? null : stakes.jacoby, beavers: match ? null : stakes.beavers,
      ...(match ? scoreOf(match, state) : { score: [0, 0], matchLength: 0 }) };
    /** @type {EarlyAnswer} */
    const answer = { ...solution.values(cube), stakes: stakesText(stakes),
      reasons: solution.reasons(this._solver, this._cache, cube), xgid: formatXgid(board), ogid: formatOgid(board) };
    if (match) answer.match = { on_roll_needs: match.onRollNeeds, opponent_needs: match.opponentNeeds, crawford,
      cube_value: cubeValue, table: met.name };
    return answer;
  }

  /**
   * One side by itself: exactly where that is quick, else followed turn by turn.
   * @param {ArrayLike<number>} given
   * @returns {SideAnswer}
   */
  alone(given) {
    const position = readCounts(given, "counts"), room = this._room;
    const { mean_rolls, variance_rolls, n_rolls, distribution } = room.ask("bgr_side", (out, take) =>
      room.calls.bgr_ask_side(this._solver, this._cache, MAX_POINTS, room.counts(take, position), out));
    const index = room.with((take) => room.calls.page_index(position.length, Math.max(checkers(position), 1),
      room.counts(take, position)));
    return { position, index, pips: pips(position), epc: mean_rolls * MEAN_PIPS, mean_rolls, variance_rolls,
      roll_distribution: distribution.slice(0, n_rolls + 1) };
  }

  /**
   * What players' counts say, and what they get wrong.
   * @param {ArrayLike<number>} onRoll
   * @param {ArrayLike<number>} opponent
   * @param {number[]} truth a bgr_count_truth of csrc/answer/counts.h: counts.js makes it
   * @returns {Counts}
   */
  counts(onRoll, opponent, truth) {
    const room = this._room, { page_n_counts, page_counts, page_count_name, page_count_problem } = room.calls;
    const n = page_n_counts(), numbers = room.with((take) => {
      const given = take(8 * truth.length), out = take(8 * N_COUNTED * n);
      room.doubles(given, truth.length).set(truth);
      page_counts(room.counts(take, onRoll), room.counts(take, opponent), given, out);
      return Array.from(room.doubles(out, N_COUNTED * n), known);
    });
    /** @type {Counts} */
    const all = { counts: {}, left_out: {} };
    for (let k = 0; k < n; k++) {
      const name = room.text(page_count_name(k));
      const [reached, number, ...one] = numbers.slice(N_COUNTED * k, N_COUNTED * (k + 1));
      all.counts[name] = reached ? this._count(name, one) : null;
      if (!reached) all.left_out[name] = room.text(page_count_problem(k)).replace("{}", String(number));
    }
    return all;
  }

  /**
   * @param {string} name
   * @param {(number | null)[]} numbers of a bgr_judged_count, without the first two
   */
  _count(name, numbers) {
    const fields = COUNT_FIELDS.map((field, k) => [field, DECISIONS.includes(field) && numbers[k] !== null ? numbers[k] === 1 : numbers[k]]);
    const [loss, culprits] = [/** @type {Record<string, number>} */ ({}), /** @type {Record<string, object>} */ ({})];
    DECISIONS.forEach((decision, k) => {
      const lost = numbers[COUNT_FIELDS.length + k];
      if (lost !== null) loss[decision] = lost;
      const [term, ...found] = numbers.slice(COUNT_FIELDS.length + 3 + 9 * k);
      if (term) culprits[decision] = { term: this._room.text(this._room.calls.page_culprit_name(term)), ...Object.fromEntries(CULPRIT_FIELDS.map((field, i) => [field, found[i]])) };
    });
    return { name, ...Object.fromEntries(fields), loss, culprits };
  }

  /**
   * The risk of being hit when bearing off against one or two men behind.
   * @param {RiskQuestion} question
   * @returns {RiskAnswer}
   */
  risk(question) {
    checkFields("a question about men behind", question, "onRoll, opponent, dice, allRolls");
    const room = this._room, dice = question.dice ? readRoll(question.dice) : null;
    const contact = room.ask("bgr_contact", (out, take) => {
      const [mine, theirs] = [question.onRoll, question.opponent].map((side) => room.counts(take, side, MAX_POINTS + 1));
      return room.calls.bgr_contact_of(mine, theirs, out);
    });
    const { kind, on_roll, counts: position, men, place } = contact;
    if (kind) throw new EngineError(kind === 1 ? "ARGUMENT" : "COVERAGE", room.text(room.calls.bgr_contact_text(kind)));
    this._risks ||= room.integer((out) => room.calls.bgr_risks_new(out));
    const risk = room.ask("bgr_risk", (out, take) => room.calls.bgr_ask_risk(this._risks, room.write(take, "bgr_contact", contact), out));
    /** @type {RiskAnswer} */
    const answer = { position, behind: place ? `${place}x${men}` : men === 2 ? "bar bar" : "bar", shots: risk.shots,
      least: risk.least, never_hit: known(risk.never_hit), least_on_roll: risk.least_on_roll,
      never_hit_on_roll: known(risk.never_hit_on_roll), on_roll: on_roll === 1, roll: dice };
    /** @type {(roll: readonly [number, number]) => RiskPlay[]} */
    const plays = ([larger, smaller]) => room.list("bgr_risk_play", MAX_RISK_PLAYS, (out, n, take) =>
      room.calls.bgr_ask_risk_plays(this._risks, room.write(take, "bgr_contact", contact), larger, smaller,
        MAX_RISK_PLAYS, out, n))
      .map(({ text, counts, risk: { shots, least, never_hit, epc } }) => ({ play: text, position: counts, shots, least,
        never_hit: known(never_hit), off: checkers(position) - checkers(counts), pips: pips(counts), epc }));
    if (dice && on_roll) answer.plays = plays(dice);
    if (question.allRolls && on_roll) answer.rolls = ROLLS.map((roll) => ({ roll: [...roll], plays: plays(roll) }));
    return answer;
  }

  /**
   * Write the play that leads from one position of the player on roll to another, as "4/2 3/off".
   * @param {ArrayLike<number>} position  before the roll
   * @param {ArrayLike<number>} result    after it
   * @param {readonly [number, number]} roll
   */
  formatPlay(position, result, roll) {
    return this._room.play(readCounts(position, "position"), readCounts(result, "result"), readRoll(roll));
  }

  /** Work out what the first side that is not home would otherwise wait for. */
  warm() {
    this.alone([0, 0, 0, 0, 0, 0, 1]);
  }

  /**
   * Open a database that is in memory, and a copy of it is kept in the engine's; or one on a web host.
   * @param {Uint8Array | RangeReader} file
   * @returns {Database}
   */
  open(file) {
    if (file instanceof Uint8Array) return new Database(this._room, file);
    this.know([file.head]);
    return new Database(this._room, file.size);
  }

  /**
   * Take ranges of a file on a web host that were missing.
   * @param {Range[]} ranges
   */
  know(ranges) {
    for (const { offset, bytes } of ranges) this._room.ranges.set(`${offset}+${bytes.length}`, bytes);
  }

  /**
   * Ask what needs a file on a web host, and fetch what is missing of it, until nothing is.
   * @template T
   * @param {RangeReader} file
   * @param {() => T} ask
   * @returns {Promise<T>}
   */
  async reading(file, ask) {
    for (;;) {
      try {
        return ask();
      } catch (error) {
        if (!(error instanceof EngineError && error.missing)) throw error;
        this.know(await file.read(error.missing));
      }
    }
  }
}

// ------------------------------------------------------------------ files

/** A database file in the engine's memory, or one on a web host. */
export class Database {
  /**
   * @param {Room} room
   * @param {Uint8Array | number} file its bytes, or how many it has on a web host
   */
  constructor(room, file) {
    this._room = room;
    this._at = 0;
    this._bytes = typeof file === "number" ? 0 : room.take(file.length);
    try {
      if (typeof file !== "number") room.bytes(this._bytes, file.length).set(file);
      this._at = room.integer((out) => typeof file === "number"
        ? room.calls.page_open_ranges(file, out) : room.calls.bgr_open_memory(this._bytes, file.length, out));
      const { points, checkers, two_sided_checkers, gammons, n_rolls, file_size } =
        room.ask("bgr_info", (out) => room.calls.bgr_file_info(this._at, 0, out));
      /** @type {FileInfo} */
      this.info = { points, checkers, two_sided_checkers, gammons: gammons === 1, n_rolls, file_size };
    } catch (error) {
      this.close();
      throw error;
    }
  }

  _opened() {
    if (!this._at) throw new EngineError("OPEN", "the database has been closed");
    return this._at;
  }

  /** Give its memory back. */
  close() {
    this._room.calls.bgr_close(this._at);
    this._room.calls.page_free(this._bytes);
    this._at = this._bytes = 0;
  }
}

// ------------------------------------------------------------------ in a worker

/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void, message: Record<string, any>,
 *            cancellable: boolean, onProgress?: (done: number) => void,
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
    /** @type {Set<Waiting>} for ranges of the file */
    this._fetching = new Set();
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
    const message = { call: "solve", question: { ...plain(question), database: Boolean(question?.database) }, early: Boolean(onVerdict) };
    return this._send(message, { cancellable: true, onProgress, onVerdict, signal });
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
    this._file = inMemory ? null : file;
    await this._send(message, { cancellable: false });
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
    if (!this._worker) return Promise.reject(new EngineError("OPEN", "the engine has been closed"));
    return new Promise((resolve, reject) => {
      /** @type {Waiting} */
      const waiting = { resolve, reject, message, cancellable, onProgress, onVerdict };
      signal?.addEventListener("abort", () => this._drop((each) => each === waiting, signal.reason), { once: true });
      this._waiting.push(waiting);
      this._next();
    });
  }

  _next() {
    if (this._asked || !this._worker) return;
    this._asked = this._waiting.shift() ?? null;
    if (this._asked) this._worker.postMessage(this._asked.message);
  }

  /**
   * @param {(each: Waiting) => boolean} which
   * @param {any} [reason] of a signal
   */
  _drop(which, reason = new DOMException("cancelled, by a newer question or by hand", "AbortError")) {
    const dropped = [...this._waiting, ...this._fetching].filter(which);
    this._waiting = this._waiting.filter((each) => !dropped.includes(each));
    for (const each of dropped) this._fetching.delete(each);
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
      if (data.error?.missing && this._file) void this._fetch(asked, this._file.read(data.error.missing));
      else if (data.error) asked.reject(new EngineError(data.error.code, data.error.message));
      else asked.resolve(data.value);
      this._next();
    }
  }

  /**
   * Ask again once the ranges are there, unless that was given up.
   * @param {Waiting} asked
   * @param {Promise<Range[]>} ranges
   */
  async _fetch(asked, ranges) {
    this._fetching.add(asked);
    try {
      const { message } = asked;
      message.ranges = [...(message.ranges ?? []), ...(await ranges)];
      if (this._fetching.delete(asked)) this._waiting.unshift(asked);
      this._next();
    } catch (error) {
      if (this._fetching.delete(asked)) asked.reject(/** @type {Error} */ (error));
    }
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
    this._replace(this._spare, null);
    asked?.reject(new EngineError("MEMORY", message || "the worker has stopped"));
    this._next();
  }
}
