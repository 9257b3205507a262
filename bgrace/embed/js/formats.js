/**
 * Positions as text: GNU Backgammon position and match IDs, XGIDs, counts.
 *
 * The same forms, and the same strictness, as bgrace.parse_board and bgrace.parse_position.
 * Races only: both sides have passed each other, and nobody is on the bar.
 */

/** @import { Stakes } from "./types.js" */

/**
 * Both sides of a race and the game around them, seen by the player on roll.
 * @typedef {object} Board
 * @property {number[]} onRoll    counts, ace point first, on as many points as the wider side needs, 6 at least
 * @property {number[]} opponent  as many
 * @property {[number, number] | null} roll  the dice, larger first; null before they are thrown
 * @property {number} cubeValue   where a double is offered, as it was before
 * @property {"centered" | "mine" | "theirs"} cube
 * @property {boolean} doubleOffered
 * @property {[number, number]} score  points won so far: player on roll, opponent
 * @property {number} matchLength      0 for money
 * @property {boolean} crawford
 * @property {boolean | null} jacoby   null for a match, or if it is not known
 * @property {boolean | null} beavers  likewise
 */

export const MAX_POINTS = 24;
export const MAX_CHECKERS = 15;
const HOME_POINTS = 6;
const BAR = 24;

/** A text that cannot be read, or sides that are not a race; the message says what would work. */
export class FormatError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "FormatError";
  }
}

/** @param {unknown} text */
function shown(text) {
  const quoted = JSON.stringify(text) ?? String(text);
  return quoted.length <= 62 ? quoted : `${quoted.slice(0, 61)}..."`;
}

/**
 * How many checkers a side has left.
 * @param {readonly number[]} counts
 */
export const checkers = (counts) => counts.reduce((all, n) => all + n, 0);

/**
 * @param {ArrayLike<number>} counts
 * @returns {number} pips
 */
export const pips = (counts) => Array.from(counts).reduce((all, n, k) => all + (k + 1) * n, 0);

/**
 * The highest occupied point, 0 if all checkers are off.
 * @param {ArrayLike<number>} counts
 */
export const highest = (counts) => Array.from(counts).findLastIndex(Boolean) + 1;

/**
 * Counts that have been checked: 1 to 24 whole numbers of 0 or more, 15 checkers at most.
 * @param {ArrayLike<number>} given
 * @returns {number[]}
 */
export function checkedCounts(given) {
  const counts = given && typeof given !== "string" ? Array.from(given) : [];
  if (counts.length < 1 || counts.length > MAX_POINTS)
    throw new FormatError(`${shown(given)} is not a position: give 1 to ${MAX_POINTS} counts, ace point first`);
  counts.forEach((n, k) => {
    if (!Number.isInteger(n) || n < 0)
      throw new FormatError(`${shown(n)} checkers on point ${k + 1}: a count is 0 to ${MAX_CHECKERS}`);
  });
  if (checkers(counts) > MAX_CHECKERS)
    throw new FormatError(`${checkers(counts)} checkers: give counts that add up to at most ${MAX_CHECKERS}`);
  return counts.map((n) => n + 0);
}

/**
 * Counts on so many points.
 * @param {readonly number[]} counts
 * @param {number} points
 */
export const resized = (counts, points) => Array.from({ length: points }, (_, k) => counts[k] ?? 0);

/**
 * Throw unless the two sides have passed each other.
 * @param {ArrayLike<number>} onRoll
 * @param {ArrayLike<number>} opponent
 * @param {string} name
 */
function checkRace(onRoll, opponent, name) {
  const mine = highest(onRoll), theirs = highest(opponent);
  if (mine && theirs && mine + theirs > MAX_POINTS)
    throw new FormatError(
      `${name}: the sides still have contact, with checkers on point ${mine} of the player on roll and ` +
        `${theirs} of the opponent: give a race, where these two add up to at most ${MAX_POINTS}`,
    );
}

/**
 * Two sides of 24 points and the bar: as they stand with any contact, else as a race.
 * @param {number[]} onRoll
 * @param {number[]} opponent
 * @param {string} text
 * @param {boolean} anyContact
 */
function sidesOf(onRoll, opponent, text, anyContact) {
  for (const [name, side] of /** @type {const} */ ([["player on roll", onRoll], ["opponent", opponent]])) {
    if (checkers(side) > MAX_CHECKERS)
      throw new FormatError(
        `${shown(text)} has ${checkers(side)} checkers for the ${name}: a side has at most ${MAX_CHECKERS}`);
    if (side[BAR] && !anyContact)
      throw new FormatError(`${shown(text)} has ${side[BAR]} of the ${name} on the bar: ` +
        "give a race, with no checker on the bar and no contact");
  }
  if (anyContact) return { onRoll, opponent };
  checkRace(onRoll, opponent, shown(text));
  const points = Math.max(HOME_POINTS, highest(onRoll), highest(opponent));
  return { onRoll: onRoll.slice(0, points), opponent: opponent.slice(0, points) };
}

// ------------------------------------------------------------------ one side

/**
 * Read one side: counts as "5,1,8,1,0,0", points as "1x5 2x1 3x8 4x1", or "off".
 * @param {string} text
 * @returns {number[]} counts: as many as were listed, or 6, or as many points as the checker farthest out needs
 */
export function parsePosition(text) {
  const stripped = String(text).trim();
  const forms = 'counts as "5,1,8,1,0,0", point x count as "1x5 2x1 3x8 4x1", or "off"';
  if (stripped.toLowerCase() === "off") return new Array(HOME_POINTS).fill(0);
  const bare = /^\(.*\)$|^\[.*\]$/s.test(stripped) ? stripped.slice(1, -1).trim() : stripped;
  const tokens = bare.split(/\s*,\s*|\s+/);
  if (tokens.length > 1 && !tokens[tokens.length - 1]) tokens.pop();
  if (tokens.every((token) => /^-?[0-9]{1,9}$/.test(token))) return checkedCounts(tokens.map(Number));
  /** @type {number[]} */
  const counts = [];
  for (const token of tokens) {
    const pair = /^([0-9]{1,9})[xX]([0-9]{1,9})$/.exec(token);
    if (!pair) throw new FormatError(`${shown(text)} is not a position: write ${forms}`);
    const point = Number(pair[1]);
    if (point < 1 || point > MAX_POINTS)
      throw new FormatError(
        `${shown(token)} is on no point: write point x count, with points 1 to ${MAX_POINTS}`);
    if (point - 1 in counts)
      throw new FormatError(`${shown(text)} has point ${point} twice: name every occupied point once`);
    counts[point - 1] = Number(pair[2]);
  }
  return checkedCounts(resized(counts, Math.max(HOME_POINTS, highest(counts))));
}

/**
 * @param {ArrayLike<number>} counts
 * @returns {string} such as "1x5 2x1 3x8 4x1", or "off"
 */
export function formatPosition(counts) {
  const parts = checkedCounts(counts).flatMap((n, k) => (n ? [`${k + 1}x${n}`] : []));
  return parts.join(" ") || "off";
}

// ------------------------------------------------------------------ bits

/** @param {string} text */
const reversed = (text) => [...text].reverse().join("");

/**
 * The bits of an unpadded base64 text, "0" and "1", the lowest of each byte first; null if bits are set beyond the last
 * whole byte.
 * @param {string} text
 * @returns {string | null}
 */
function bitsOf(text) {
  const padded = text.padEnd(4 * Math.ceil(text.length / 4), "="), bytes = atob(padded);
  if (btoa(bytes) !== padded) return null;
  return Array.from(bytes, (byte) => reversed(byte.charCodeAt(0).toString(2).padStart(8, "0"))).join("");
}

// ------------------------------------------------------------------ GNU Backgammon

/**
 * @param {string} id 14 letters
 * @returns {{onRoll: number[], opponent: number[]}} on 24 points and the bar
 */
function sidesOfPositionId(id) {
  const bits = bitsOf(id), runs = (bits ?? "").split("0").map((run) => run.length);
  if (bits && checkers(runs) > 2 * MAX_CHECKERS)
    throw new FormatError(
      `${shown(id)} has ${checkers(runs)} checkers: a GNU position ID has at most ${MAX_CHECKERS} a side`);
  if (!bits || runs.slice(50).some(Boolean))
    throw new FormatError(`${shown(id)} is not a GNU position ID: all bits after the last point must be 0; ` +
      "check its last characters");
  return { onRoll: runs.slice(25, 50), opponent: runs.slice(0, 25) };
}

/**
 * @param {{onRoll: ArrayLike<number>, opponent: ArrayLike<number>}} board
 * @returns {string} GNU Backgammon's position ID, 14 letters
 */
export function formatPositionId(board) {
  const onRoll = checkedCounts(board.onRoll), opponent = checkedCounts(board.opponent);
  checkRace(onRoll, opponent, `${formatPosition(onRoll)} against ${formatPosition(opponent)}`);
  const points = [opponent, onRoll].flatMap((side) => resized(side, MAX_POINTS + 1));
  const bits = points.map((n) => `${"1".repeat(n)}0`).join("").padEnd(80, "0");
  const bytes = bits.replace(/.{8}/g, (byte) => String.fromCharCode(parseInt(reversed(byte), 2)));
  return btoa(bytes).slice(0, 14);
}

const NO_MATCH_ID = "MAAAAAAAAAAA"; // for money, before the dice, the cube in the middle

/** @param {string} id */
function stateOfMatchId(id) {
  const bits = bitsOf(id) ?? "";
  /** @type {(start: number, length: number) => number} */
  const field = (start, length) => parseInt(reversed(bits.slice(start, start + length)), 2);
  const player = field(6, 1), owner = field(4, 2), scores = [field(36, 15), field(51, 15)], length = field(21, 15);
  const wrong = owner === 2 ? "gives the cube to a third player: check its first characters"
    : field(13, 2) ? "offers a resignation: give the ID of the position before that"
      : field(7, 1) && Math.max(...scores) < length - 1 ? `marks the Crawford game at ${scores.join(" to ")} in a match ` +
        `to ${length}, where nobody is one point short of winning: check its score` : "";
  if (wrong) throw new FormatError(`${shown(id)} as GNU match ID ${wrong}`);
  return checkedState(shown(id), {
    dice: [field(15, 3), field(18, 3)],
    cubeValue: 1 << field(0, 4),
    cube: owner === 3 ? "centered" : owner === player ? "mine" : "theirs",
    doubleOffered: Boolean(field(12, 1)),
    score: [scores[player], scores[1 - player]],
    matchLength: length,
    crawford: Boolean(field(7, 1)),
    jacoby: !field(66, 1),
    beavers: null,
  });
}

/**
 * Check what an ID tells besides the checkers, and drop the marks that mean nothing where they stand.
 * @param {string} name
 * @param {{dice: [number, number], cubeValue: number, cube: "centered" | "mine" | "theirs", doubleOffered: boolean,
 *          score: [number, number], matchLength: number, crawford: boolean, jacoby: boolean,
 *          beavers: boolean | null}} read
 * @returns {Omit<Board, "onRoll" | "opponent">}
 */
function checkedState(name, read) {
  const { dice, ...rest } = read, { score, matchLength } = rest;
  const rolled = dice[0] > 0 || dice[1] > 0;
  if (rolled && !dice.every((die) => die >= 1 && die <= 6))
    throw new FormatError(`${name} has the dice ${dice.join(", ")}: give 1 to 6, or twice 0 before the roll`);
  if (matchLength && Math.max(...score) >= matchLength)
    throw new FormatError(`${name} has the score ${score[0]} to ${score[1]} in a match to ${matchLength}: ` +
      `give scores below ${matchLength}`);
  // As in GNU Backgammon the mark of the Crawford game counts only where somebody is one point short of winning.
  const crawford = read.crawford && matchLength > 1 && Math.max(...score) === matchLength - 1;
  return {
    ...rest,
    roll: rolled ? [Math.max(...dice), Math.min(...dice)] : null,
    doubleOffered: read.doubleOffered && !rolled && read.cube !== "theirs" && !crawford,
    crawford,
    jacoby: matchLength ? null : read.jacoby,
    beavers: matchLength ? null : read.beavers,
  };
}

// ------------------------------------------------------------------ eXtreme Gammon

const MAX_CUBE_LOG = 10; // the last field of every XGID written: the greatest cube, 1024

/**
 * @param {Board} board
 * @returns {string} with the player on roll at the bottom
 */
export function formatXgid(board) {
  const onRoll = checkedCounts(board.onRoll), opponent = checkedCounts(board.opponent);
  checkRace(onRoll, opponent, `${formatPosition(onRoll)} against ${formatPosition(opponent)}`);
  return xgidOf(onRoll, opponent, board);
}

/**
 * The same of any two sides, with contact or without.
 * @param {readonly number[]} onRoll  the bar last, if there is one
 * @param {readonly number[]} opponent
 * @param {Omit<Board, "onRoll" | "opponent" | "doubleOffered"> & {doubleOffered?: boolean}} state
 */
export function xgidOf(onRoll, opponent, state) {
  const places = new Array(MAX_POINTS + 2).fill("-");
  onRoll.forEach((n, k) => {
    if (n) places[k + 1] = String.fromCharCode(64 + n);
  });
  opponent.forEach((n, k) => {
    if (n) places[MAX_POINTS - k] = String.fromCharCode(96 + n);
  });
  const rules = state.matchLength
    ? Number(state.crawford)
    : Number(Boolean(state.jacoby)) + 2 * Number(Boolean(state.beavers));
  const fields = [
    places.join(""),
    Math.log2(state.cubeValue),
    { centered: 0, mine: 1, theirs: -1 }[state.cube],
    1,
    state.doubleOffered ? "D" : state.roll ? state.roll.join("") : "00",
    ...state.score,
    rules,
    state.matchLength,
    MAX_CUBE_LOG,
  ];
  return `XGID=${fields.join(":")}`;
}

/**
 * @param {string} fieldsText without the prefix
 * @param {string} text as it was given
 * @param {boolean} anyContact
 * @param {string} [kind]  of ID that `text` is
 * @returns {Board}
 */
function boardOfXgid(fieldsText, text, anyContact, kind = "XGID") {
  const fields = fieldsText.split(":");
  if (fields.length !== 9 && fields.length !== 10)
    throw new FormatError(`${shown(text)} has ${fields.length} fields, not an XGID's ten: give them as in ` +
      "XGID=-EAHA----------------b----:0:0:1:00:0:0:0:0:10");
  /** @type {[string, number, number, string][]} */
  const named = [
    ["cube", 0, 15, fields[1]],
    ["cube owner", -1, 1, fields[2]],
    ["turn", -1, 1, fields[3]],
    ["score", 0, 32767, fields[5]],
    ["score", 0, 32767, fields[6]],
    ["Crawford or Jacoby", 0, 3, fields[7]],
    ["match length", 0, 32767, fields[8]],
  ];
  const [cubeLog, owner, turn, bottomScore, topScore, rules, matchLength] = named.map(([name, low, high, value]) => {
    if (!/^-?[0-9]{1,9}$/.test(value) || Number(value) < low || Number(value) > high)
      throw new FormatError(`${shown(value)} as ${name} field of the ${kind} ${shown(text)}: give ${low} to ${high}`);
    return Number(value);
  });
  if (!turn) throw new FormatError(`${shown(text)} says that it is nobody's turn: give 1 or -1 as fourth field`);
  if (matchLength && rules > 1)
    throw new FormatError(`${rules} as Crawford field of the XGID ${shown(text)}: give 0 or 1 for a match`);
  const dice = fields[4].toUpperCase();
  if (!/^(?:D|[0-6][0-6])$/.test(dice))
    throw new FormatError(
      `${shown(fields[4])} as dice of the XGID ${shown(text)}: give two dice, "00" or "D"`);
  const { bottom, top } = sidesOfXgid(fields[0], text);
  const [onRoll, opponent] = turn === 1 ? [bottom, top] : [top, bottom];
  const sides = sidesOf(onRoll, opponent, text, anyContact);
  const state = checkedState(`the ${kind} ${shown(text)}`, {
    dice: dice === "D" ? [0, 0] : [Number(dice[0]), Number(dice[1])],
    cubeValue: 1 << cubeLog,
    cube: !owner ? "centered" : owner === turn ? "mine" : "theirs",
    doubleOffered: dice === "D",
    score: turn === 1 ? [bottomScore, topScore] : [topScore, bottomScore],
    matchLength,
    crawford: Boolean(rules & 1),
    jacoby: Boolean(rules & 1),
    beavers: Boolean(rules & 2),
  });
  return { ...sides, ...state };
}

/**
 * @param {string} board
 * @param {string} text
 */
function sidesOfXgid(board, text) {
  if (board.length !== MAX_POINTS + 2)
    throw new FormatError(`${shown(text)} has a board of ${board.length} characters: give 26 in front of the first ` +
      "colon");
  const bottom = new Array(BAR + 1).fill(0), top = new Array(BAR + 1).fill(0);
  for (let place = 0; place < board.length; place++) {
    // 0 is the top player's bar, 25 the bottom player's, and points are numbered as the bottom player counts.
    const character = board[place];
    if (character >= "A" && character <= "P" && place > 0) bottom[place - 1] = character.charCodeAt(0) - 64;
    else if (character >= "a" && character <= "p" && place < 25) top[24 - place] = character.charCodeAt(0) - 96;
    else if (character !== "-")
      throw new FormatError(`${shown(character)} at place ${place} of the XGID ${shown(text)}: ` +
        "write A to O or a to o for 1 to 15 checkers of either side, - for none");
  }
  return { bottom, top };
}

// ------------------------------------------------------------------ OpenGammon

/** @type {[string, RegExp][]} what each field holds */
const OGID_FIELDS = [
  ["White's checkers", /^[0-9a-oq]*$/], ["Black's checkers", /^[1-9a-q]*$/], ["cube", /^[NWBD?]([0-9]|1[0-5])[NOTP]$/],
  ["dice", /^([1-6]{2})?$/], ["player", /^[WB]$/], ["game state", /^[A-Z]{0,2}$/], ["score", /^[0-9]*$/],
  ["score", /^[0-9]*$/], ["match length", /^([0-9]+([CL]|G[0-9]*)?)?$/], ["move", /^/],
  ["number of checkers", /^(15)?$/],
];

/**
 * Read an OGID as the XGID of the same board with White at the bottom.
 * @param {string} text
 * @param {boolean} anyContact
 * @returns {Board}
 */
function boardOfOgid(text, anyContact) {
  const given = text.replace(/^OGID=/i, "").split(":"), example = "give it as in lmno:1234:N0N:13:B:R:0:0:7:0";
  if (given.length < 3 || given.length > OGID_FIELDS.length)
    throw new FormatError(`${shown(text)} has ${given.length} fields, not an OGID's ten: ${example}`);
  given.forEach((field, k) => {
    const [name, pattern] = OGID_FIELDS[k];
    if (!pattern.test(field))
      throw new FormatError(`${shown(field)} as ${name} field of the OGID ${shown(text)}: ${example}`);
  });
  const [white, black] = given.slice(0, 2).map((letters) => [...letters].filter((letter) => letter !== "q"));
  const [cube, dice = "", actor = "B", game = "IW", mine, theirs, length = ""] = given.slice(2);
  const double = game === "D" || cube.endsWith("O"); // the player named has acted; a double is seen by who offers it
  const turn = (actor === "W") === double || (game === "IW" && !dice) ? 1 : -1;
  const places = new Array(MAX_POINTS + 2).fill("-");
  for (const [letters, none] of /** @type {[string[], number][]} */ ([[white, 64], [black, 96]]))
    for (const letter of letters) {
      const place = MAX_POINTS + 1 - parseInt(letter, 36);
      const before = places[place] === "-" ? none : places[place].charCodeAt(0);
      if (before < none || before > none + 15)
        throw new FormatError(`${shown(text)} has both sides on a point, or over 15 checkers: give 15 of one side`);
      places[place] = String.fromCharCode(before + 1);
    }
  const fields = [places.join(""), cube.slice(1, -1), { W: 1, B: -1 }[cube[0]] ?? 0, turn, double ? "D" : dice || "00",
    mine || 0, theirs || 0, Number(length.endsWith("C")), parseInt(length, 10) || 0];
  return { ...boardOfXgid(fields.join(":"), text, anyContact, "OGID"), jacoby: null, beavers: null };
}

/**
 * Write the OGID of a race; the player on roll is White.
 * @param {Board} board
 */
export function formatOgid(board) {
  const letters = (side, place) => Array.from(side, (n, k) => place(k + 1).toString(36).repeat(n));
  const { cube, cubeValue, doubleOffered, roll, score, matchLength, crawford } = board;
  return [
    letters(board.onRoll, (point) => MAX_POINTS + 1 - point).reverse().join(""),
    letters(board.opponent, (point) => point).join(""),
    { centered: "N", mine: "W", theirs: "B" }[cube] + Math.log2(cubeValue) + (doubleOffered ? "O" : "N"),
    roll ? `${roll[1]}${roll[0]}` : "",
    doubleOffered ? "W" : "B", // the last to act
    doubleOffered ? "D" : roll ? "R" : "C",
    ...score,
    `${matchLength}${crawford ? "C" : ""}`,
    0,
  ].join(":");
}

// ------------------------------------------------------------------ boards

/** What is in a text that is more than an ID: a blank, an address, or a sign at an end, such as a bracket. */
const AROUND_AN_ID = /\s|:\/\/|^[^-+/:0-9A-Za-z]|[^-+/:=0-9A-Za-z]$/;
const XGID_IN_TEXT = /(?<![-A-Za-z0-9])[-A-Za-z]{26}(?::-?[0-9]{1,9}){3}:(?:D|[0-9]{2})(?::-?[0-9]{1,9}){4,5}/gi;
const OGID_IN_TEXT =
  /(?<![0-9A-Za-z:])[0-9a-q]{0,15}:[0-9a-q]{0,15}:[NWBD?][0-9]{1,2}[NOTP](?:(?::[0-9A-Z]{0,9}){0,7}:[0-9A-Z]{1,9})?/g;
const GNU_IDS_IN_TEXT = new RegExp(
  "Position\\s+ID\\s*:\\s*([A-Za-z0-9+/]{14})(?:==)?(?:\\s+Match\\s+ID\\s*:\\s*([A-Za-z0-9+/]{12}))?" +
    "|(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{14}):([A-Za-z0-9+/]{12})(?![A-Za-z0-9+/])",
  "gi",
);

/**
 * Find the ID in a text of several words, in quotes or in a link; the same one may be there several times.
 * @param {string} text
 */
function idInText(text) {
  if (text.includes("gammons=false"))
    throw new FormatError(`${shown(text)} has gammons=false, which no ID can say: give the ID, and that rule by itself`);
  // Where several kinds are, they name the same position, and an XGID tells most.
  let known = [...new Set(text.match(XGID_IN_TEXT) ?? text.match(OGID_IN_TEXT))];
  if (!known.length)
    known = [...new Set([...text.matchAll(GNU_IDS_IN_TEXT)].map((ids) => ids.slice(1).filter(Boolean).join(":")))];
  if (!known.length)
    throw new FormatError(`${shown(text)} has no ID of a position: give a text with an XGID, an OGID, or ` +
      `GNU Backgammon's IDs as "Position ID: ...  Match ID: ..."`);
  if (known.length > 1)
    throw new FormatError(`${shown(text)} has ${known.length} different positions, ${known[0]} and ${known[1]} first: ` +
      "give one of them");
  return known[0];
}

/**
 * Read both sides of a race: a GNU Backgammon position ID, "positionID:matchID", an XGID or an OGID, with prefix or
 * without; or a text around one of these, as other programs copy it.
 * @param {string} text
 * @param {boolean} [anyContact]  accept contact, too: then sides are 25 counts, the bar last [false]
 * @returns {Board}
 */
export function parseBoard(text, anyContact = false) {
  let bare = String(text).trim();
  if (bare.includes(":") && AROUND_AN_ID.test(bare)) bare = text = idInText(bare);
  if (bare.slice(0, 5).toUpperCase() === "XGID=") return boardOfXgid(bare.slice(5), bare, anyContact);
  if (/^OGID=|^[^:]*:[^:]*:[A-Z?][0-9]+[A-Z](:|$)/i.test(bare)) return boardOfOgid(bare, anyContact);
  const colon = bare.indexOf(":");
  const first = colon < 0 ? bare : bare.slice(0, colon), rest = colon < 0 ? null : bare.slice(colon + 1);
  if (first.length === 26 && rest !== null) return boardOfXgid(bare, bare, anyContact);
  if (!/^[A-Za-z0-9+/]{14}(?:==)?$/.test(first))
    throw new FormatError(`${shown(text)} is not a board: give a GNU position ID (14 characters of A-Z a-z 0-9 + /), ` +
      "positionID:matchID, an XGID or an OGID");
  if (rest !== null && !/^[A-Za-z0-9+/]{12}$/.test(rest))
    throw new FormatError(`${shown(rest)} is not a GNU match ID: after the colon give its 12 characters of ` +
      "A-Z a-z 0-9 + /, or leave out the colon");
  const { onRoll, opponent } = sidesOfPositionId(first.slice(0, 14));
  const state = stateOfMatchId(rest ?? NO_MATCH_ID);
  if (rest === null) state.jacoby = null;
  return { ...sidesOf(onRoll, opponent, text, anyContact), ...state };
}

/**
 * What is played for, as an ID names it: a score, the Crawford game and the cube, or money with or without the Jacoby
 * rule and beavers.
 * @param {Board} board
 * @returns {Stakes}
 */
export function stakesOf(board) {
  const { jacoby, beavers, cubeValue } = board;
  if (!board.matchLength) return { gammons: true, jacoby: Boolean(jacoby), beavers: Boolean(beavers), cubeValue };
  const match = {
    onRollNeeds: board.matchLength - board.score[0],
    opponentNeeds: board.matchLength - board.score[1],
    crawford: board.crawford,
  };
  return { gammons: true, match, cubeValue };
}
