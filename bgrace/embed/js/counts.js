/**
 * What players' counts say about a race, judged by its answer, as `bgrace counts --json` prints it.
 *
 *     import { judgeCounts } from "./counts.js";
 *     (await judgeCounts(engine, onRoll, opponent, { epc, double, redouble, ... })).counts.keith?.double
 *
 * For pages without a server.  The engine counts and judges: csrc/answer/counts.c, which Python asks, too.
 */

/** @import { CubeAction } from "./types.js" */

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

import { pips } from "./formats.js";

/**
 * By how many points of the cube doubling beats rolling, and taking passing; NaN where there is no cube to turn.
 * @param {CubeAction | null} action
 */
function margins(action) {
  const { no_double: rolled, double_take: taken, double_pass: passed } = action?.normalised ?? action ?? { no_double: null };
  if (rolled === null || taken == null || passed == null) return { double: NaN, take: NaN };
  return { double: Math.min(taken, passed) - rolled, take: passed - taken };
}

/**
 * A bgr_count_truth of csrc/answer/counts.h.
 * @param {Truth} truth
 */
function numbersOf({ epc, winProbability, error, points, reasons, double, redouble }) {
  /** @type {(action: CubeAction | null, decision: "double" | "redouble" | "take", why: any) => number[]} */
  const decided = (action, decision, why) => [
    margins(action)[decision === "take" ? "take" : "double"],
    points?.[decision] ?? NaN,
    why?.[decision === "take" ? "take" : "double"].pips ?? NaN,
    Number(Boolean(why) && decision !== "take" && action?.verdict === "too good"),
  ];
  const { centered, mine } = reasons;
  return [...epc, error, Number(Boolean(points)), ...((centered ?? mine)?.waste ?? [NaN, NaN]), winProbability,
    ...decided(double, "double", centered), ...decided(redouble, "redouble", mine), ...decided(double ?? redouble, "take", centered)];
}

/**
 * Holds what every count says about a race against what is right.
 * @param {{counts: (onRoll: ArrayLike<number>, opponent: ArrayLike<number>, truth: number[]) => any}} engine
 * @param {number[]} onRoll
 * @param {number[]} opponent
 * @param {Truth} truth
 */
export async function judgeCounts(engine, onRoll, opponent, truth) {
  const { stakes, winProbability, method, error, double, redouble, points } = truth;
  return {
    on_roll: { position: Array.from(onRoll), pips: pips(onRoll) },
    opponent: { position: Array.from(opponent), pips: pips(opponent) },
    truth: { stakes, win_probability: winProbability, method, error, double, redouble, points },
    ...(await engine.counts(onRoll, opponent, numbersOf(truth))),
  };
}
