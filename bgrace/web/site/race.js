/**
 * What stands on the board and what is played for, and how an address says it.
 *
 * While it is being set up, the race of the page need not be one yet: sides that still have contact, or no checker
 * at all.  XGIDs here are read and written for those, too; every other format is read by formats.js.
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

export const POINTS = 24;
export const CHECKERS = 15;
const HOME = 6;
export const BAR = POINTS; // where a side has those on the bar
const MAX_CUBE_LOG = 10;

/** @returns {Race} */
export function emptyRace() {
  return {
    mine: Array(POINTS + 1).fill(0),
    theirs: Array(POINTS + 1).fill(0),
    roll: null,
    cube: "centered",
    cubeValue: 1,
    matchLength: 0,
    score: [0, 0],
    crawford: false,
    jacoby: false,
    beavers: false,
    gammons: true,
  };
}

/** @param {readonly number[]} side */
export const pips = (side) => side.reduce((sum, n, k) => sum + n * (k + 1), 0);

/** @param {readonly number[]} side */
export const checkers = (side) => side.reduce((sum, n) => sum + n, 0);

/** @param {readonly number[]} side */
const highest = (side) => side.reduce((most, n, k) => (n ? k + 1 : most), 0);

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

/**
 * @param {Race} race
 * @returns {string}
 */
export function formatXgid(race) {
  const places = Array(POINTS + 2).fill("-");
  race.mine.forEach((n, k) => n && (places[k + 1] = String.fromCharCode(64 + n)));
  race.theirs.forEach((n, k) => n && (places[POINTS - k] = String.fromCharCode(96 + n)));
  const owner = { centered: 0, mine: 1, theirs: -1 }[race.cube];
  const rules = race.matchLength ? Number(race.crawford) : Number(race.jacoby) + 2 * Number(race.beavers);
  const dice = race.roll ? race.roll.join("") : "00";
  const fields = [places.join(""), Math.log2(race.cubeValue), owner, 1, dice, ...race.score, rules, race.matchLength];
  return `XGID=${[...fields, MAX_CUBE_LOG].join(":")}`;
}

/**
 * Reads an XGID, with contact or without.
 * @param {string} text
 * @returns {Race | null}  null: not a race
 */
export function parseXgid(text) {
  const fields = text.trim().replace(/^XGID=/i, "").split(":");
  const [places, ...rest] = fields;
  if (fields.length < 9 || fields.length > 10 || !/^[-a-o][-A-Oa-o]{24}[-A-O]$/.test(places)) return null;
  const dice = /^(?:00|[1-6][1-6]|D)$/i.exec(rest[3]);
  const numbers = [0, 1, 2, 4, 5, 6, 7].map((k) => (/^-?\d{1,5}$/.test(rest[k]) ? Number(rest[k]) : NaN));
  const [log, owner, turn, bottom, top, rules, matchLength] = numbers;
  if (!dice || numbers.some(Number.isNaN) || Math.abs(owner) > 1 || Math.abs(turn) !== 1) return null;
  if (log < 0 || log > 15 || rules < 0 || rules > 3 || matchLength < 0) return null;
  const race = emptyRace();
  for (let p = 0; p <= POINTS + 1; p++) {
    const code = places.charCodeAt(p);
    if (code >= 97) race.theirs[POINTS - p] = code - 96;
    else if (code >= 65) race.mine[p - 1] = code - 64;
  }
  if (checkers(race.mine) > CHECKERS || checkers(race.theirs) > CHECKERS) return null;
  race.cubeValue = 2 ** log;
  race.cube = owner === 0 ? "centered" : owner === 1 ? "mine" : "theirs";
  race.matchLength = matchLength;
  race.score = [bottom, top];
  if (matchLength && (bottom < 0 || top < 0 || Math.max(bottom, top) >= matchLength)) return null;
  race.crawford = Boolean(matchLength && rules & 1);
  race.jacoby = Boolean(!matchLength && rules & 1);
  race.beavers = Boolean(!matchLength && rules & 2);
  const seen = turn === 1 ? race : swapped(race);
  seen.roll = /^[1-6]/.test(rest[3]) ? sortedRoll(Number(rest[3][0]), Number(rest[3][1])) : null;
  return seen;
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
 * @param {string} search
 * @returns {Race | null | undefined}  undefined: it names none; null: it names one that cannot be read
 */
export function fromQuery(search) {
  const fields = new URLSearchParams(search);
  const xgid = fields.get("xgid");
  if (xgid === null) return undefined;
  const race = parseXgid(xgid);
  if (race && fields.get("gammons") === "false") race.gammons = false;
  return race;
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
  /** @type {[number, number][]} */
  const moves = [];
  for (const part of play.replaceAll("*", "").split(" ")) {
    const found = /^(\d+)((?:\/(?:\d+|off))+)(?:\((\d)\))?$/.exec(part);
    if (!found) continue;
    const stops = [found[1], ...found[2].slice(1).split("/")].map((stop) => (stop === "off" ? 0 : Number(stop)));
    for (let k = 0; k < Number(found[3] ?? 1); k++) {
      moves.push([stops[0], stops[stops.length - 1]]);
    }
  }
  return moves;
}

/**
 * The race after a play: the opponent is on roll, and has their checkers at the bottom.
 * @param {Race} race
 * @param {readonly number[]} position  what the play leaves
 * @param {string} [play]  in notation, for whom it hits
 */
export function played(race, position, play = "") {
  const mine = Array.from({ length: POINTS + 1 }, (_, k) => position[k] ?? 0);
  const theirs = [...race.theirs];
  for (const [, point] of play.matchAll(/(\d+)\*/g)) {
    theirs[POINTS - Number(point)]--;
    theirs[BAR]++;
  }
  return swapped({ ...race, mine, theirs });
}
