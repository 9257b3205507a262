/** What a game is played for, and one answer of the module, in the words of the JSON of `bgrace solve`. */

import { MAX_POINTS } from "./formats.js";
import { EngineError } from "./memory.js";
import { DEFAULT_MET } from "./met.js";

/** @import { Room, Take } from "./memory.js" */
/**
 * @import { Answer, Cube, CubeAction, Equities, Estimate, MatchEquityTable, Phrase, Play, PlayReason, Question, Reason,
 *   Reasons, Score, Stakes, Verdict } from "./types.js"
 */

const MAX_REASONS = 5, ALIKE = 0.00005; // of plays that are explained

/** @type {readonly Cube[]} in the order of the C library, as the next three */
export const CUBES = ["none", "centered", "mine", "theirs"];
/** @type {readonly Verdict[]} */
export const VERDICTS = ["no cube", "no double", "double/take", "double/beaver", "double/pass", "too good"];
export const ANY_WAY = 0, FROM_FILE = 3, ESTIMATE = 5; // of bgr_way

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
export const wrongStakes = (message) => new EngineError("STAKES", message);

/**
 * Refuse a field that is not known: left out in silence, a mistyped rule would make it another question.
 * @param {string} what
 * @param {object} given
 * @param {string} known
 */
export function checkFields(what, given, known) {
  if (Object(given) !== given) throw new EngineError("ARGUMENT", `${given} is not ${what}: give an object with ${known}`);
  const other = Object.keys(given).find((name) => !known.split(", ").includes(name));
  if (other !== undefined) throw new EngineError("ARGUMENT", `"${other}" is not a field of ${what}: use ${known}`);
}

/**
 * @param {Stakes | undefined} given
 * @param {MatchEquityTable} [met]
 * @returns {FullStakes}
 */
export function fullStakes(given, met = DEFAULT_MET) {
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
export const isCrawford = ({ match }) =>
  Boolean(match?.crawford) && !(match?.onRollNeeds === 1 && match.opponentNeeds === 1);

/**
 * Points won so far, and the length of the match: as told where they fit the points to go, else of the shortest match.
 * @param {Score} match
 * @param {NonNullable<Question["state"]> | null} told
 * @returns {{score: [number, number], matchLength: number}}
 */
export function scoreOf({ onRollNeeds, opponentNeeds }, told) {
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
export function stakesText({ match, gammons, jacoby, beavers, cubeValue }) {
  const rules = [gammons ? "" : "no gammons", jacoby ? "Jacoby rule" : "", beavers ? "beavers" : ""];
  const cube = `cube ${cubeValue}`;
  if (!match) return ["money", ...rules, cubeValue > 1 ? cube : ""].filter(Boolean).join(", ");
  const { onRollNeeds, opponentNeeds, crawford } = match;
  const oneAway = onRollNeeds !== opponentNeeds && Math.min(onRollNeeds, opponentNeeds) <= 1;
  const game = oneAway ? (crawford ? "Crawford" : "post-Crawford") : "";
  return [`${onRollNeeds}-away, ${opponentNeeds}-away`, game, cube, ...rules].filter(Boolean).join(", ");
}

// ------------------------------------------------------------------ one answer of the module

/** @type {readonly [number, number][]} the 21 kinds of roll, larger die first */
export const ROLLS = Array.from({ length: 6 }, (_, a) => a + 1).flatMap((a) =>
  Array.from({ length: a }, (_, b) => /** @type {[number, number]} */ ([a, b + 1])));

/** @param {number} value */
export const known = (value) => (Number.isNaN(value) ? null : value);

/**
 * @param {Record<string, any>} found a structure with phrases
 * @returns {Phrase[]}
 */
const phrasesOf = ({ phrase, n_phrases }) => phrase.slice(0, n_phrases).map((/** @type {any} */ { key, n, name, value }) =>
  ({ key, ...Object.fromEntries(Array.from({ length: n }, (_, k) => [name[k], value[k]])) }));

/** What the module has answered, in the words of the JSON of `bgrace solve`. */
export class Solution {
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
      terms: Object.fromEntries(term.map((points, k) => [named(k), points])),
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
export function writeStakes(room, take, { match, met, gammons, jacoby, beavers, cubeValue }) {
  const put = (/** @type {number[][]} */ rows, /** @type {number} */ height, /** @type {number} */ width) => {
    if (rows.length !== height || rows.some((row) => row.length !== width))
      throw wrongStakes(`${met.name} has rows of the wrong length: give n x n chances, and 2 x m after the Crawford game`);
    const at = take(8 * height * width);
    rows.forEach((row, k) => room.view(Float64Array, at + 8 * width * k, width).set(row)); // flat() is slow
    return at;
  };
  const n = met.preCrawford.length, m = met.postCrawford[0].length;
  return room.write(take, "bgr_stakes", { gammons, jacoby, beavers, ...(match && { match: 1,
    on_roll_needs: match.onRollNeeds, opponent_needs: match.opponentNeeds, crawford: match.crawford ?? false,
    cube_value: cubeValue, met_length: n, post_length: m, pre_crawford: put(met.preCrawford, n, n),
    post_crawford: put(met.postCrawford, 2, m) }) });
}
