/**
 * The engine in a page: the C library of bgrace as WebAssembly, with the answers of `bgrace solve --json`, bit for bit.
 *
 *     import { Engine } from "./engine.js";
 *     const engine = await Engine.load(await (await fetch("bgrace.wasm")).arrayBuffer());
 *     const answer = engine.solve({ onRoll: [2, 2, 1, 1, 2, 1], opponent: [1, 1, 2, 1, 2, 2], dice: [6, 3] });
 *     answer.cube_action?.verdict; answer.plays?.[0].play;
 *
 * That answers at once and keeps its thread busy meanwhile; a page asks a worker instead (remote.js).
 *
 * Words.  A position is one side's checkers: counts[0] stand on its own ace point, up to 24 counts, 15 checkers at most.
 * What goes in is named as JavaScript names things; what comes out has the field names of the JSON of `bgrace solve`
 * (on_roll, win_probability, cube_action, ...), so that a page can show an answer of the server and of the engine alike.
 * All values are for the player on roll: for money in points per unit of the present cube; at a score `equities` and the
 * plays' `equity` are normalised points, `match_chances`, `mwc` and the values of `cube_action` chances to win the match.
 *
 * Errors.  EngineError, with `code` the name of a status of bgrace.h: "POSITION", "CONTACT", "STAKES", "ROLL", "MEMORY",
 * ... and a message for readers.
 *
 * No dependency, no network access, no state outside the objects.
 */

import { MAX_POINTS, checkedCounts, checkers, formatOgid, formatXgid, pips } from "./formats.js";
import { EngineError, Room, STATUSES } from "./memory.js";
import { ANY_WAY, CUBES, ESTIMATE, ROLLS, Solution, VERDICTS, checkFields, fullStakes, isCrawford, known, scoreOf, stakesText,
  writeStakes, wrongStakes } from "./solution.js";

/** @import { Board } from "./formats.js" */
/** @import { Take } from "./memory.js" */
/** @import { FullStakes } from "./solution.js" */
/**
 * @import { Answer, Bounds, Budget, Counts, Cube, EarlyAnswer, Estimate, FileInfo, Interval, MatchEquityTable, Question,
 *   Range, RangeReader, RiskAnswer, RiskPlay, RiskQuestion, SideAnswer, Turn } from "./types.js"
 */

const MEAN_PIPS = 49 / 6;
const MAX_RISK_PLAYS = 252; // BGR_MAX_RISK_PLAYS
const CULPRIT_FIELDS = ["on_roll", "opponent", "limit", "chance"].flatMap((name) => [name, `true_${name}`]);
const N_COUNTED = 43; // numbers of a count that is judged: page_counts
const DECISIONS = ["double", "redouble", "take"];
const COUNT_FIELDS = ["counted", "on_roll", "opponent", "double_from", "redouble_from", "take_to", ...DECISIONS,
  "win_probability", "ratio"];

const MIN_MEMORY = 2 ** 20;
const MAX_MEMORY = 2 ** 31;
const DEFAULT_SECONDS = 1;
const DEFAULT_MEMORY = 2 ** 29;

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
   * Answer a race.  `onProgress` hears how much is done, from 0 to 1; true from it stops the work, with an EngineError
   * "STOPPED".  `onVerdict` hears the verdict, chances and equities, before the plays and each side by itself.  What
   * either throws stops the work, too, and is thrown; neither may ask the engine about a race.
   * @param {Question} question
   * @param {{onProgress?: (done: number) => boolean | void, onVerdict?: (early: EarlyAnswer) => void}} [options]
   * @returns {Answer}
   */
  solve(question, options = {}) {
    const { sides, stakes, cube, budget } = this._read(question);
    const roll = question.dice ? readRoll(question.dice) : null;
    const { onProgress = null, onVerdict = null } = options;
    let told = 0;
    /** @type {unknown[]} */
    const thrown = [];
    onProgress?.(0);
    this._room.tell = (done) => {
      try {
        return done > told + 0.01 && done < 1 && onProgress?.((told = done)) === true;
      } catch (error) {
        thrown.push(error); // which must not unwind the module's stack
        return true;
      }
    };
    try {
      const solution = this._ask(sides, stakes, budget, roll, question);
      const answer = this._told(solution, cube, roll, question, onVerdict);
      onProgress?.(1);
      return answer;
    } catch (error) {
      this._forget();
      throw thrown.length ? thrown[0] : error;
    } finally {
      this._room.tell = null;
    }
  }

  /**
   * Estimate a race within 100 microseconds, whatever its budget.  The last answer stays, for its rolls and to be followed.
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

  _checkIdle() {
    if (this._room.tell)
      throw new EngineError("ARGUMENT", "onProgress and onVerdict cannot ask about a race: ask afterwards");
  }

  /** @param {Question} question */
  _read(question) {
    this._checkIdle();
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
    this._checkIdle();
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
    /** @type {Board} */
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
      room.view(Float64Array, given, truth.length).set(truth);
      page_counts(room.counts(take, onRoll), room.counts(take, opponent), given, out);
      return Array.from(room.view(Float64Array, out, N_COUNTED * n), known);
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
    const isAdvice = (/** @type {number} */ k) => DECISIONS.includes(COUNT_FIELDS[k]) && numbers[k] !== null;
    const fields = COUNT_FIELDS.map((field, k) => [field, isAdvice(k) ? numbers[k] === 1 : numbers[k]]);
    const [loss, culprits] = [/** @type {Record<string, number>} */ ({}), /** @type {Record<string, object>} */ ({})];
    DECISIONS.forEach((decision, k) => {
      const lost = numbers[COUNT_FIELDS.length + k];
      if (lost !== null) loss[decision] = lost;
      const [term, ...found] = numbers.slice(COUNT_FIELDS.length + 3 + 9 * k);
      const culprit = Object.fromEntries(CULPRIT_FIELDS.map((field, i) => [field, found[i]]));
      if (term) culprits[decision] = { term: this._room.text(this._room.calls.page_culprit_name(term)), ...culprit };
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
    const risk = room.ask("bgr_risk", (out, take) =>
      room.calls.bgr_ask_risk(this._risks, room.write(take, "bgr_contact", contact), out));
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
   * Take ranges of a file on a web host that were missing, in place of those taken before.
   * @param {Range[]} ranges
   */
  know(ranges) {
    this._room.ranges = new Map(ranges.map(({ offset, bytes }) => [`${offset}+${bytes.length}`, bytes]));
  }

  /**
   * Ask what needs a file on a web host, and fetch what is missing of it, until nothing is.
   * @template T
   * @param {RangeReader} file
   * @param {() => T} ask
   * @returns {Promise<T>}
   */
  async reading(file, ask) {
    /** @type {Range[]} */
    const found = [];
    for (;;) {
      let missing;
      try {
        this.know(found);
        return ask();
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        if (error.code === "DAMAGED") file.forget?.();
        if (!error.missing) throw error;
        missing = error.missing;
      } finally {
        this.know([]); // another file may be asked next
      }
      found.push(...(await file.read(missing)));
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
      if (typeof file !== "number") room.view(Int8Array, this._bytes, file.length).set(file);
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
