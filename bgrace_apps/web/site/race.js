/**
 * What stands on the board and what is played for, and how an address says it.
 *
 * While it is being set up, the race of the page need not be one yet: sides that still have contact, or no checker
 * at all; formats.js reads and writes the XGIDs of those, too.
 *
 * @typedef {"centered" | "mine" | "theirs"} Place
 * @typedef {object} Race
 * @property {number[]} mine      checkers of the player on roll on the 24 points, from its own ace point, and on the bar
 * @property {number[]} theirs    those of the opponent, from the opponent's ace point
 * @property {[number, number] | null} roll  larger die first
 * @property {Place} cube         seen by the player on roll
 * @property {number} cubeValue
 * @property {number} matchLength 0 for money
 * @property {[number, number]} score  points won so far
 * @property {boolean} crawford
 * @property {boolean} jacoby
 * @property {boolean} beavers
 * @property {boolean} gammons    which no ID can say
 */

import { FormatError, MAX_CHECKERS as CHECKERS, MAX_POINTS as POINTS, checkers, highest, parseBoard, pips, resized, xgidOf } from "./formats.js";

export { CHECKERS, POINTS, checkers, pips };
export const HOME = 6;
export const BAR = POINTS; // where a side has those on the bar

/** Nobody's checkers, for money. */
export const emptyRace = () => readRace("--------------------------:0:0:1:00:0:0:0:0:10");

/**
 * Where the cube is in a match: one of 1 is in the middle, a larger one on a side.
 * @param {number} value
 * @param {Place} cube
 * @returns {Place}
 */
export const placeAtScore = (value, cube) => (value === 1 ? "centered" : cube === "centered" ? "mine" : cube);

/** The counts of a side on all points and the bar. @param {readonly number[]} counts */
export const padded = (counts) => resized(counts, POINTS + 1);

/** Whether this is a bearoff for money. @param {Race} race */
export const isHome = ({ mine, theirs, matchLength }) => !matchLength && Math.max(highest(mine), highest(theirs)) <= HOME;

/**
 * Points of the player on roll where the two sides have not passed each other, 0 and 25 the bars; none in a race.
 * @param {Race} race
 * @returns {number[]}
 */
export function contactPoints({ mine, theirs }) {
  const high = highest(mine);
  const low = 25 - highest(theirs);
  if (!high || low > POINTS || high < low) return [];
  return Array.from({ length: high - low + 1 }, (_, k) => low + k).filter((p) => mine[p - 1] || theirs[POINTS - p]);
}

/**
 * Why there is no answer to a position, by its name in the words; null where there is one, "risk" where a side bears off
 * while it may still be hit.
 * @param {Race} race
 */
export function whyNoAnswer(race) {
  if (!checkers(race.mine) && !checkers(race.theirs)) return "empty";
  if (!checkers(race.mine) || !checkers(race.theirs)) return "over";
  if (!contactPoints(race).length) return null;
  return Math.min(highest(race.mine), highest(race.theirs)) > HOME ? "contact" : "risk";
}

/**
 * The same race seen by the other side, who is on roll then.
 * @param {Race} race
 * @returns {Race}
 */
export function swapped(race) {
  const cube = { centered: "centered", mine: "theirs", theirs: "mine" }[race.cube];
  return /** @type {Race} */ ({
    ...race,
    mine: race.theirs,
    theirs: race.mine,
    score: [race.score[1], race.score[0]],
    cube,
    roll: null,
  });
}

/** @param {Race} race */
export const formatXgid = (race) => xgidOf(race.mine, race.theirs, race);

/**
 * Reads whatever formats.js reads both sides of, with contact or without; FormatError if it is nothing of that kind.
 * @param {string} text
 * @returns {Race}
 */
export function readRace(text) {
  const { onRoll: mine, opponent: theirs, doubleOffered: _, ...state } = parseBoard(text, true);
  return { ...state, mine, theirs, jacoby: Boolean(state.jacoby), beavers: Boolean(state.beavers), gammons: true };
}

/** The same; null in place of the error. @param {string} text */
export const parseRace = (text) => readOr(() => readRace(text), () => null);

/**
 * What `read` gives; if that cannot be read, what `damaged` makes of the message.
 * @template R, D
 * @param {() => R} read
 * @param {(message: string) => D} damaged
 */
export function readOr(read, damaged) {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return damaged(error.message);
    throw error;
  }
}

/** @returns {[number, number]} */
export const sortedRoll = (a, b) => [Math.max(a, b), Math.min(a, b)];

/**
 * What the address of the page says after the question mark.
 * @param {Race} race
 */
export function toQuery(race) {
  const query = `?xgid=${formatXgid(race).slice(5)}`;
  return race.gammons ? query : `${query}&gammons=false`;
}

/**
 * The race that an address names, null if it names none; FormatError if it cannot be read.
 * @param {string} search
 */
export function fromQuery(search) {
  const fields = new URLSearchParams(search.replaceAll("+", "%2B")); // a letter of GNU Backgammon's IDs
  const xgid = fields.get("xgid");
  return xgid === null ? null : { ...readRace(xgid), gammons: !/^(false|0)$/i.test(fields.get("gammons") ?? "") };
}

/**
 * The fields of a question about a race, as the interface for programs names them.
 * @param {Race} race
 * @returns {Record<string, unknown>}
 */
export function questionOf(race) {
  return race.gammons ? { xgid: formatXgid(race) } : { xgid: formatXgid(race), gammons: false };
}

/**
 * The checkers that a play moves, in the order of its notation: "13/7(2) 6/off" gives [[13, 7], [13, 7], [6, 0]].
 * @param {string} play
 * @returns {[number, number][]}
 */
export function movesOf(play) {
  return play.replaceAll("*", "").split(" ").flatMap((part) => {
    const [, from, to, n = 1] = /^(\d+)(?:\/\d+)*\/(\d+|off)(?:\((\d)\))?$/.exec(part) ?? [];
    return from ? new Array(Number(n)).fill([Number(from), to === "off" ? 0 : Number(to)]) : [];
  });
}

/**
 * The race after a play: the opponent is on roll, and has their checkers at the bottom.
 * @param {Race} race
 * @param {readonly number[]} position  what the play leaves
 * @param {string} [play]  in notation, for whom it hits
 */
export function played(race, position, play = "") {
  const mine = padded(position);
  const theirs = [...race.theirs];
  for (const [, point] of play.matchAll(/(\d+)\*/g)) {
    theirs[POINTS - Number(point)]--;
    theirs[BAR]++;
  }
  return swapped({ ...race, mine, theirs });
}
