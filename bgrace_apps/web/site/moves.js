/**
 * A play made on the board, checker by checker: steps of one die each, as the rules of a race allow them.
 *
 * Whether the play as a whole is legal (both dice, or the larger one, wherever they can be played) needs all plays of
 * the roll.
 */

import { HOME, sortedRoll } from "./race.js";

/** @typedef {{from: number, to: number, die: number}} Step  points from the player's ace point; 0 is off */

/**
 * Where a checker lands with a die; null if it may not go there.
 * @param {readonly number[]} counts  of the player, ace point first
 * @param {number} from
 * @param {number} die
 * @returns {number | null}
 */
export function landing(counts, from, die) {
  if (!counts[from - 1]) return null;
  if (from > die) return from - die;
  if (counts.slice(HOME).some(Boolean)) return null;
  return from === die || !counts.slice(from).some(Boolean) ? 0 : null;
}

/** @type {(dice: number[], die: number) => number[]} */
const without = (dice, die) => dice.toSpliced(dice.indexOf(die), 1);

/** A roll as it is being played. */
export class Play {
  /**
   * @param {readonly number[]} counts
   * @param {readonly [number, number]} roll
   */
  constructor(counts, roll) {
    this._start = [...counts];
    const [high, low] = sortedRoll(roll[0], roll[1]);
    /** @type {number[]} */
    this._dice = high === low ? [high, high, high, high] : [high, low];
    /** @type {Step[]} */
    this.steps = [];
  }

  /** What the player has now. */
  get counts() {
    const counts = [...this._start];
    for (const { from, to } of this.steps) {
      counts[from - 1]--;
      if (to) counts[to - 1]++;
    }
    return counts;
  }

  /** Dice that are left, in the order in which they are tried. */
  get dice() {
    return this.steps.reduce((left, { die }) => without(left, die), this._dice);
  }

  /** Whether nothing more can be moved. */
  get isOver() {
    const counts = this.counts;
    return !this.dice.some((die) => counts.some((n, k) => n && landing(counts, k + 1, die) !== null));
  }

  /**
   * Moves a checker: with the first die that takes it anywhere, or, if it is told where to, with as many as that needs.
   * @param {number} from
   * @param {number | null} [to]  null: wherever it goes
   * @returns {boolean} whether it could be moved
   */
  move(from, to = null) {
    const found = this._way(from, to, this.counts, this.dice);
    if (found) this.steps.push(...found);
    return Boolean(found);
  }

  /**
   * @param {number} from
   * @param {number | null} to
   * @param {number[]} counts
   * @param {number[]} dice
   * @returns {Step[] | null}
   */
  _way(from, to, counts, dice) {
    for (const die of new Set(dice)) {
      const lands = landing(counts, from, die);
      if (lands === null) continue;
      const step = { from, to: lands, die };
      if (to === null || lands === to) return [step];
      if (!lands || lands < to) continue;
      const after = [...counts];
      after[from - 1]--;
      after[lands - 1]++;
      const way = this._way(lands, to, after, without(dice, die));
      if (way) return [step, ...way];
    }
    return null;
  }
}
