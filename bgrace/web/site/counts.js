/**
 * What players' counts say about a race: bgrace/counts, and bgrace/analysis/counts.py which judges them, in JavaScript.
 *
 *     import { judgeCounts } from "./counts.js";
 *     judgeCounts(onRoll, opponent, { epc, double, redouble, ... }).counts.keith?.double
 *
 * For pages without a server.  Each count is explained, with its source, in the Python function of its name; the same
 * questions give the same JSON there, which tests/web/test_page_counts.py holds.  Whole numbers decide, as there: a count of
 * 55 is never 55.000000000000007.
 */

/**
 * @typedef {object} Counted  fields of bgrace.counts.Count
 * @property {string} name
 * @property {number} counted
 * @property {number} on_roll
 * @property {number} opponent
 * @property {number | null} double_from
 * @property {number | null} redouble_from
 * @property {number | null} take_to
 * @property {boolean | null} double
 * @property {boolean | null} redouble
 * @property {boolean | null} take
 * @property {number | null} win_probability
 * @property {number | null} ratio
 */

/** @typedef {import("./engine.js").CubeAction} CubeAction */

/**
 * What is right.
 * @typedef {object} Truth
 * @property {[number, number]} epc        of both sides
 * @property {number} winProbability
 * @property {string} method
 * @property {number} error
 * @property {string} stakes
 * @property {CubeAction | null} double    with the cube in the middle; null: it cannot be there, as at some scores
 * @property {CubeAction | null} redouble  with an own cube
 * @property {Record<string, number | null> | null} points  at a score, the chances from which on decisions are right
 * @property {Record<string, any>} reasons why, by the place of the cube: "reasons" of the JSON
 */

import { closeness } from "./panels.js";

const POINTS = 24;
const HOME = 6;

/** A count that does not reach the race. */
class OutOfReach extends Error {}

// ------------------------------------------------------------------ what counts ask about a side

class Side {
  /** @param {ArrayLike<number>} counts */
  constructor(counts) {
    this.points = Array.from({ length: POINTS }, (_, k) => counts[k] ?? 0);
    this.pips = this.points.reduce((sum, n, k) => sum + n * (k + 1), 0);
    this.checkers = this.points.reduce((sum, n) => sum + n, 0);
    this.covered = this.points.slice(0, HOME).filter(Boolean).length;
    this.outside = this.points.slice(HOME).reduce((sum, n) => sum + n, 0);
    this.crossovers = this.points.reduce((sum, n, k) => sum + n * Math.floor(k / HOME), 0);
  }

  /** @param {number} point */
  on(point) {
    return this.points[point - 1];
  }

  /**
   * Checkers on a point beyond the first few.
   * @param {number} point
   * @param {number} free
   */
  beyond(point, free) {
    return Math.max(this.on(point) - free, 0);
  }
}

/** @type {(a: number, b: number) => number} */
const more = (a, b) => Math.max(a - b, 0);

/** @type {(x: number) => number} */
const chance = (x) => Math.min(Math.max(x, 0), 1);

/**
 * Decides by the lead; counts and bounds are whole numbers of 1 / scale pips, `counted` is in pips.
 * @param {string} name
 * @param {number} scale
 * @param {number} counted
 * @param {number} own
 * @param {number} other
 * @param {[number, number, number]} bounds
 * @param {number | null} [win]
 * @returns {Counted}
 */
function decided(name, scale, counted, own, other, [doubleFrom, redoubleFrom, takeTo], win = null) {
  const lead = other - own;
  return {
    name,
    counted,
    on_roll: own / scale,
    opponent: other / scale,
    double_from: doubleFrom / scale,
    redouble_from: redoubleFrom / scale,
    take_to: takeTo / scale,
    double: lead >= doubleFrom,
    redouble: lead >= redoubleFrom,
    take: lead <= takeTo,
    win_probability: win === null ? null : chance(win),
    ratio: null,
  };
}

/** @type {(name: string, own: Side, other: Side) => Counted} */
const undecided = (name, own, other) => ({
  name,
  counted: own.pips,
  on_roll: own.pips,
  opponent: other.pips,
  double_from: null,
  redouble_from: null,
  take_to: null,
  double: null,
  redouble: null,
  take: null,
  win_probability: null,
  ratio: null,
});

// ------------------------------------------------------------------ by percentages, by chances

/** @type {(own: Side, other: Side) => Counted} */
function eightNineTwelve({ pips: p }, { pips: q }) {
  return decided("eight_nine_twelve", 100, p, 100 * p, 100 * q, [8 * p, 9 * p, 12 * p], 0.54 + (2 * (q - p)) / p);
}

/** @type {(own: Side, other: Side) => Counted} */
function tenPercent({ pips: p }, { pips: q }) {
  return decided("ten_percent", 10, p, 10 * p, 10 * q, [p - 20, p - 10, p + 20]);
}

/** @type {(own: Side, other: Side) => Counted} */
function kleinman(own, other) {
  const rest = own.pips + other.pips - 4;
  if (rest <= 0) throw new OutOfReach(`${rest + 4} pips of both sides together: Kleinman's count is for more than 4`);
  const ahead = other.pips - own.pips + 4;
  const tenths = 10 * ahead * Math.abs(ahead); // of K, with the sign of the lead, in whole numbers
  const [doubleFrom, redoubleFrom, takeTo] = [5, 7, 12].map((k) => Math.sqrt((k / 10) * rest) - 4);
  return {
    ...undecided("kleinman", own, other),
    double_from: doubleFrom,
    redouble_from: redoubleFrom,
    take_to: takeTo,
    double: tenths >= 5 * rest,
    redouble: tenths >= 7 * rest,
    take: tenths <= 12 * rest,
    win_probability: phi(ahead / Math.sqrt(2 * rest)),
    ratio: (ahead * Math.abs(ahead)) / rest,
  };
}

/** @type {(own: Side, other: Side) => Counted} */
function lamford(own, other) {
  const lead = other.pips - own.pips;
  if (lead < 0) throw new OutOfReach(`a lead of ${lead} pips: Lamford's formula is for a leader on roll`);
  const win = 0.5 + (9 + own.pips / 100 + 4 * lead) / (own.pips + 7 * lead + 25);
  return { ...undecided("lamford", own, other), win_probability: Math.min(win, 1) };
}

const ENOUGH = 6; // where the series gives way to the continued fraction

/**
 * The normal distribution, to the last digits.
 * @param {number} x
 */
function phi(x) {
  const z = Math.abs(x);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  let beyond;
  if (z < ENOUGH) {
    let sum = z;
    for (let k = 1, term = z; term > 1e-17 * sum; k++) {
      term *= (z * z) / (2 * k + 1);
      sum += term;
    }
    beyond = 0.5 - density * sum;
  } else {
    let fraction = z;
    for (let k = 60; k > 0; k--) fraction = z + k / fraction;
    beyond = density / fraction;
  }
  return x > 0 ? 1 - beyond : beyond;
}

// ------------------------------------------------------------------ adjusted

/** @type {(own: Side, other: Side) => Counted} */
function thorp(own, other) {
  const [s, t] = [own, other].map((side) => side.pips + 2 * side.checkers + side.on(1) - side.covered);
  const left = 10 * s + (s > 30 ? s : 0);
  return decided("thorp", 10, s, left, 10 * t, [-20, -10, 20], 0.74 + (10 * t - left) / 500);
}

/** @type {(own: Side, other: Side) => Counted} */
function ward(own, other) {
  const [s, t] = [[own, other], [other, own]].map(([side, opposite]) => {
    const penalties =
      2 * side.beyond(1, 2) + side.beyond(2, 2) + 2 * more(side.checkers, opposite.checkers) - more(side.covered, opposite.covered);
    return 2 * (side.pips + penalties) + more(side.outside, opposite.outside);
  });
  const takeTo = Math.min(Math.max(2 * (own.pips + other.pips), 200), 400);
  return decided("ward", 100, s / 2, 55 * s, 50 * t, [-200, -100, takeTo]);
}

/** @type {(own: Side, other: Side) => Counted} */
function keith(own, other) {
  const [s, t] = [own, other].map(
    (side) => side.pips + 2 * side.beyond(1, 1) + side.beyond(2, 1) + side.beyond(3, 3) + [4, 5, 6].filter((point) => !side.on(point)).length,
  );
  return decided("keith", 1, s, s + Math.floor(s / 7), t, [-4, -3, -2]);
}

/** @type {(own: Side, other: Side) => Counted} */
function isight(own, other) {
  const [s, t] = [[own, other], [other, own]].map(([side, opposite]) => {
    const gaps = [4, 5, 6].filter((point) => !side.on(point) && opposite.on(point)).length;
    const low = 2 * side.beyond(1, 2) + side.beyond(2, 2) + side.beyond(3, 3);
    return side.pips + more(side.checkers, opposite.checkers) + low + gaps + more(side.crossovers, opposite.crossovers);
  });
  return decided("isight", 6, s, 7 * s, 6 * t, [-36, -30, -12], (240 - s + 6 * (t - s)) / 300);
}

// ------------------------------------------------------------------ by points of last take

/** @type {(own: Side, other: Side) => Counted} */
function trice62({ pips: p }, { pips: q }) {
  const takeTo = p > 62 ? Math.ceil(p / 10) + 1 : Math.floor((p - 5) / 7);
  return decided("trice62", 1, p, p, q, [takeTo - 3, takeTo - 2, takeTo]);
}

/** @type {(own: Side, other: Side) => Counted} */
function nack57(own, other) {
  const [p, q] = [own.pips, other.pips];
  if (p < 55) throw new OutOfReach(`${p} pips of the player on roll: Nack 57 is for 55 or more`);
  const takeTo = Math.floor((Math.floor(Math.sqrt(8 * (p - 33))) + 1) / 2);
  return { ...undecided("nack57", own, other), take_to: takeTo, take: q - p <= takeTo };
}

// ------------------------------------------------------------------ by expected pips

/** @type {(name: string, left: number, right: number) => Counted} */
function byEpc(name, left, right) {
  const takeTo = left / 7 - 3;
  return decided(name, 1, left, left, right, [takeTo - 2, takeTo - 1, takeTo]);
}

/** @type {(own: Side, other: Side, epc: [number, number]) => Counted} */
const effectivePips = (_own, _other, epc) => byEpc("effective_pips", epc[0], epc[1]);

/** Pips a checker, and what to add to 7 n + 1. */
const ALMOST_EVEN = [[1, 0], [2, 1], [2.3, 2], [2.6, 3], [2.8, 4], [3, 5]];
const ALMOST_ODD = [[1, 0], [2.6, 1], [2.9, 2], [3.2, 3], [3.4, 4], [3.6, 5]];

/**
 * EPC by the rule for the shape of a position: bgrace.counts.estimate_epc.
 * @param {Side} side
 */
export function estimateEpc(side) {
  const { points, pips, checkers: n } = side;
  const rolls = 7 * Math.ceil(n / 2) + 1;
  if (points[0] === n) return rolls;
  const others = points.flatMap((count, k) => (k ? Array(count).fill(k + 1) : []));
  if (points[0] >= 5 && others.length <= 3 && others[0] >= 4) {
    return 3.5 * n + others.reduce((sum, point) => sum + point, 0) - 4 * (others.length - 1);
  }
  const pippish = points[0] <= 1 && points[0] + points[1] <= 2 && points[0] + points[1] + points[2] <= 3;
  if (pippish || side.outside) return pips + (n >= 9 ? 7 : n >= 7 ? 6.5 : n >= 5 ? 6 : n >= 4 ? 5.5 : 5);
  const steps = n % 2 ? ALMOST_ODD : ALMOST_EVEN;
  if (pips > steps[steps.length - 1][0] * n) return pips + 10;
  const each = pips / n;
  const k = steps.findIndex(([end], at) => at > 0 && each <= end);
  const [[start, low], [end, high]] = [steps[k - 1], steps[k]];
  return rolls + (low + ((high - low) * (each - start)) / (end - start));
}

/** @type {(own: Side, other: Side) => Counted} */
const effectiveByHand = (own, other) => byEpc("effective_by_hand", estimateEpc(own), estimateEpc(other));

/** @type {[string, (own: Side, other: Side, epc: [number, number]) => Counted][]} */
const COUNTS = [
  ["eight_nine_twelve", eightNineTwelve],
  ["ten_percent", tenPercent],
  ["kleinman", kleinman],
  ["lamford", lamford],
  ["thorp", thorp],
  ["ward", ward],
  ["keith", keith],
  ["isight", isight],
  ["trice62", trice62],
  ["nack57", nack57],
  ["effective_pips", effectivePips],
  ["effective_by_hand", effectiveByHand],
];

// ------------------------------------------------------------------ judged

/**
 * By how many points of the cube doubling beats rolling, and taking passing; null where there is no cube to turn.
 * @param {CubeAction} action
 * @returns {[number | null, number | null]}
 */
function margins(action) {
  const { no_double: rolled, double_take: taken, double_pass: passed } = action.normalised ?? action;
  if (rolled === null || taken === null || passed === null) return [null, null];
  return [Math.min(action.beaver ? 2 * taken : taken, passed) - rolled, passed - taken];
}

/**
 * A count by its chance, whose limits in pips are those of money.
 * @param {Counted} counted
 * @param {Record<string, number | null>} points
 * @returns {Counted}
 */
function atScore(counted, points) {
  const wins = counted.win_probability;
  const reached = (decision, chance) => (wins === null || typeof points[decision] !== "number" ? null : chance >= points[decision]);
  const said = { double: reached("double", wins), redouble: reached("redouble", wins), take: reached("take", 1 - (wins ?? 0)) };
  return { ...counted, double_from: null, redouble_from: null, take_to: null, ...said };
}

/**
 * The part of a count that makes its advice for money wrong: bgrace.analysis.Culprit.
 * @param {Counted} counted
 * @param {"double" | "redouble" | "take"} decision
 * @param {any} told reasons
 * @param {boolean} tooGood
 */
function culpritOf(counted, decision, told, tooGood) {
  const from = { double: counted.double_from, redouble: counted.redouble_from, take: counted.take_to }[decision];
  const reason = told?.[decision === "take" ? "take" : "double"];
  if (from === null || !reason || (reason.pips === null && !tooGood)) return null;
  const sign = decision === "take" ? -1 : 1; // a take is right below its limit
  const limit = from + (counted.on_roll - counted.counted);
  const lead = told.pips[1] - told.pips[0];
  const wastage = counted.counted - told.pips[0] - (counted.opponent - told.pips[1]);
  const trueWastage = told.waste[0] - told.waste[1];
  const trueLimit = tooGood ? null : lead - trueWastage - sign * reason.pips;
  const says = (waste, bound) => sign * (lead - waste - bound) > 0 === reason.margin > 0;
  const byWastage = says(trueWastage, limit) ? Math.abs(trueWastage - wastage) : -1;
  const byLimit = says(wastage, trueLimit) ? Math.abs(Number(trueLimit) - limit) : -1;
  const term = tooGood ? "gammons" : Math.max(byWastage, byLimit) < 0 ? "both" : byWastage >= byLimit ? "wastage" : "limit";
  return { term, wastage, true_wastage: trueWastage, limit, true_limit: trueLimit };
}

/**
 * Holds what every count says about a race against what is right.
 * @param {ArrayLike<number>} onRoll
 * @param {ArrayLike<number>} opponent
 * @param {Truth} truth
 */
export function judgeCounts(onRoll, opponent, truth) {
  const [own, other] = [new Side(onRoll), new Side(opponent)];
  const none = /** @type {[null, null]} */ ([null, null]);
  const [double] = truth.double ? margins(truth.double) : none;
  const [redouble] = truth.redouble ? margins(truth.redouble) : none;
  const action = truth.double ?? truth.redouble;
  const [, take] = action ? margins(action) : none;
  const right = { double, redouble, take };
  const close = closeness(truth.error);
  /** @type {Record<string, (Counted & {loss: Record<string, number>, culprits: object}) | null>} */
  const counts = {};
  /** @type {Record<string, string>} */
  const leftOut = {};
  for (const [name, count] of COUNTS) {
    counts[name] = null;
    try {
      const money = count(own, other, truth.epc);
      const counted = truth.points ? atScore(money, truth.points) : money;
      /** @type {Record<string, number>} */
      const loss = {};
      const culprits = {};
      for (const decision of /** @type {const} */ (["double", "redouble", "take"])) {
        const [advised, margin] = [counted[decision], right[decision]];
        if (advised === null || margin === null) continue;
        loss[decision] = advised === margin > 0 || Math.abs(margin) <= close ? 0 : Math.abs(margin);
        const tooGood = decision !== "take" && truth[decision]?.verdict === "too good";
        const culprit = loss[decision] && !truth.points ? culpritOf(counted, decision, truth.reasons[decision === "redouble" ? "mine" : "centered"], tooGood) : null;
        if (culprit) culprits[decision] = culprit;
      }
      counts[name] = { ...counted, loss, culprits };
    } catch (error) {
      if (!(error instanceof OutOfReach)) throw error;
      leftOut[name] = error.message;
    }
  }
  return {
    on_roll: { position: Array.from(onRoll), pips: own.pips },
    opponent: { position: Array.from(opponent), pips: other.pips },
    truth: {
      stakes: truth.stakes,
      win_probability: truth.winProbability,
      method: truth.method,
      error: truth.error,
      double: truth.double,
      redouble: truth.redouble,
      points: truth.points,
    },
    counts,
    left_out: leftOut,
  };
}
