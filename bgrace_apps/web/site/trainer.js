/**
 * The trainer: questions from recorded races, judged by what the answer costs.
 *
 * What was missed comes again, later each time it is known: after minutes, a day, three days, ... (Leitner's boxes).  All
 * of it stays in this browser.
 */

import { NoAnswer, answers, orNothing, recordedRaces } from "./answers.js";
import { Play } from "./moves.js";
import * as panels from "./panels.js";
import * as races from "./race.js";
import { countNames, decimal, keep, kept, percent, say, texts } from "./texts.js";

const STORE = "bgrace-trainer";
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const BOXES = [10 * MINUTE, DAY, 3 * DAY, 8 * DAY, 21 * DAY, 60 * DAY];
const KEPT = 1000;
const SHOWN = 60;
const DRAWS = 80;
const CLOSE_DRAWS = 30; // where close decisions are that rare, any will do
const SECONDS = 0.3;
const TRUSTED = 0.005; // points: an answer that is off by more judges nobody
const PATIENCE = 1000; // milliseconds: where long races take longer, only short ones are asked about
const SHORT = 8; // checkers a side
const CLOSE = 0.1; // points
const PLAIN = 0.6; // a cube decision that nobody misses
const PAUSE = 250; // milliseconds between two looks at the clock
const SPREAD = 0.01; // of risk: where all plays are as good as one another nothing is asked
const LEAK = 3; // mistakes of one kind, before it is called a leak
const PIPS = 20; // of a stretch in which leaks are looked for

/**
 * What is asked.  `right` is how much is still right: thousandths of a point, of a chance, a pip, a risk; `group`
 * is how an answer is given, and `unit`, of a guess, what it is a number of.
 * @type {Record<string, {group: "cube" | "play" | "guess" | "count" | "men", right: number,
 *   unit?: "percent" | "pipsUnit"}>}
 */
const KINDS = {
  double: { group: "cube", right: 2 },
  take: { group: "cube", right: 2 },
  play: { group: "play", right: 2 },
  win: { group: "guess", right: 20, unit: "percent" },
  pips: { group: "guess", right: 0, unit: "pipsUnit" },
  epc: { group: "guess", right: 500, unit: "pipsUnit" },
  grace: { group: "count", right: 100 },
  risk: { group: "men", right: 2 },
};
const ofTaker = (kind) => kind === "take"; // asked on the other side's board
const groupOf = (kind) => KINDS[kind].group;
const inPercent = (kind) => KINDS[kind].unit === "percent";
const decides = (kind) => ["cube", "play"].includes(groupOf(kind)); // the others cost nothing

/** @type {HTMLElement} */
let root;
let explore;
let list = null;
let board;
let current = null;
/** @type {Play | null} what has been moved on the board so far */
let play = null;
let drawing = 0;
let slow = false;
let waiting = false;
let askedAt = 0;
let ticking = 0;
const KINDS_BEGIN = Object.keys(KINDS).filter((kind) => groupOf(kind) !== "count");
const BEGIN = { kinds: KINDS_BEGIN, stakes: "money", mine: 3, theirs: 5, from: 10, to: 80, hard: "any", clock: "0" };
const MOST = { mine: 25, theirs: 25, from: 200, to: 200 };
/** @type {{settings: any, cards: Record<string, any>, history: any[]}} */
let memory = { settings: BEGIN, cards: {}, history: [] };
let isKept = true; // else storage is full or switched off, and progress is that of this visit

const $ = (name) => /** @type {any} */ (root.querySelector(`[data-part="${name}"]`));

function load() {
  try {
    memory = read(JSON.parse(kept(STORE) ?? "{}"));
  } catch {
    // nothing that can be read: a new start
  }
}

/** Changes the memory and keeps it.  Another tab may have added to it since; the settings are this tab's own. */
function change(make) {
  const { settings } = memory;
  if (isKept) load();
  memory.settings = settings;
  make();
  memory.history = memory.history.slice(-KEPT);
  isKept = keep(STORE, JSON.stringify(memory));
}

/** Settings as a file or the form has them; those of the beginning where one cannot be. */
function settingsOf(given) {
  const settings = { ...BEGIN };
  const kinds = (given.kinds ?? []).filter((kind) => Object.hasOwn(KINDS, kind));
  if (kinds.length) settings.kinds = kinds;
  for (const name of ["stakes", "hard", "clock"]) {
    const value = String(given[name]);
    if (Object.hasOwn(texts.train[name].choices, value)) settings[name] = value;
  }
  for (const [name, most] of Object.entries(MOST)) {
    const number = Math.round(Number(given[name])) || BEGIN[name];
    settings[name] = Math.min(Math.max(number, 1), most);
  }
  return settings;
}

/** A memory as it was kept: only the parts that belong to one, for anybody can have made the file. */
function read(given) {
  const known = (each) => Object.hasOwn(KINDS, each.kind);
  const are = (...numbers) => numbers.every((number) => number === undefined || Number.isFinite(number));
  const cards = Object.values(given.cards ?? {}).flatMap((card) => {
    const { xgid, box, due, from = "", done = "" } = card;
    const isBoxed = Number.isInteger(box) && box in BOXES && Number.isFinite(due);
    const fits = known(card) && isBoxed && [from, done].every((text) => typeof text === "string");
    const race = fits && races.parseRace(xgid);
    return race ? [{ ...card, xgid: races.formatXgid(race) }] : [];
  });
  const history = (given.history ?? []).filter(
    (each) => known(each) && are(each.at ?? NaN, each.loss ?? NaN, each.seconds, each.pips));
  return {
    settings: settingsOf(given.settings ?? {}),
    cards: Object.fromEntries(cards.map((card) => [`${card.kind} ${card.xgid}`, card])),
    history,
  };
}

/**
 * Shows the trainer, and draws the first question.
 * @param {HTMLElement} element
 * @param {{explore: (race: import("./race.js").Race) => void}} doors
 */
export function start(element, doors) {
  root = element;
  ({ explore } = doors);
  board = $("board");
  $("settings").addEventListener("change", () => {
    const form = new FormData($("settings"));
    takeSettings({ ...Object.fromEntries(form), kinds: form.getAll("kinds") });
  });
  $("question").addEventListener("click", pressed);
  $("question").addEventListener("submit", (/** @type {any} */ event) => {
    event.preventDefault();
    const fields = [...event.target.querySelectorAll("input:not([type=radio])")];
    const numbers = fields.map((input) => Number(input.value.replace(",", ".")));
    if (!numbers.every(Number.isFinite)) return;
    judge(groupOf(current.kind) === "count" ? [...numbers, Number(event.target.elements.verdict.value)] : numbers[0]);
  });
  board.previewFrom($("question"), (element) => current?.plays?.[element.closest("[data-choice]")?.dataset.choice]);
  board.addEventListener("move", (/** @type {any} */ event) => {
    const { from, to } = event.detail;
    if (play?.move(from, to)) showPlay();
    else if (play) tell(texts.train.cannot);
  });
  board.addEventListener("back", takeBack);
  root.addEventListener("click", (/** @type {any} */ { target }) => {
    if (target.closest(".save")) panels.download("missed.txt", new Blob([`${missed().join("\n")}\n`]));
    else if (target.closest(".keep")) panels.download("bgrace-trainer.json", new Blob([JSON.stringify(memory)]));
    else if (target.closest(".forget")) forget(target);
    else if (target.dataset.leak) trainLeak(target.dataset.leak, Number(target.dataset.from));
  });
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    $("file").value = "";
    if (file) $("loaded").textContent = take(await file.text());
  });
  restart();
}

function takeSettings(given) {
  change(() => (memory.settings = settingsOf(given)));
  restart();
}

/** Shows the settings in force and what has been answered, and draws a question. */
function restart() {
  for (const input of $("settings").querySelectorAll("input")) {
    const value = memory.settings[input.name];
    if (input.type === "number") [input.value, input.max] = [value, MOST[input.name]];
    else input.checked = [value].flat().map(String).includes(input.value);
  }
  showHistory();
  draw();
}

// ------------------------------------------------------------------ drawing questions

const pick = (from) => from[Math.floor(Math.random() * from.length)];

/** The card of a question that is due, of the kinds that are asked for. */
function dueCard() {
  const now = Date.now();
  return Object.values(memory.cards)
    .filter((card) => card.due <= now && (card.own || memory.settings.kinds.includes(card.kind)))
    .sort((a, b) => a.due - b.due)[0];
}

/** Takes somebody's own mistakes, to be asked before anything else. */
export function learn(cards) {
  change(() => {
    for (const card of cards) memory.cards[`${card.kind} ${card.xgid}`] ??= { ...card, box: 0, due: 0, own: true };
  });
  waiting = true;
}

/** Goes on where the trainer was left before a question had come. */
export function resume() {
  if (waiting) draw();
}

const nextHtml = () => `<button type="button" class="main" data-next>${texts.train.next}</button>`;

async function draw() {
  const number = ++drawing;
  clearInterval(ticking);
  waiting = true;
  play = null;
  board.playing = false;
  board.preview(null);
  if ($("question").contains(document.activeElement)) $("question").focus(); // which stays, when the button goes
  $("question").innerHTML = `<p class="hint">${texts.train.drawing}</p>`;
  try {
    list ??= await recordedRaces();
    const question = await drawn(number);
    if (number !== drawing) return;
    waiting = false;
    if (question) ask(question);
    else $("question").innerHTML = `<p class="state">${texts.train.none}</p>`;
  } catch (error) {
    if (error.name === "AbortError" || number !== drawing) return;
    waiting = false;
    if (!(error instanceof NoAnswer)) throw error;
    $("question").innerHTML = panels.stateHtml(error.kind, error.kind === "wrong" ? error.message : "") + nextHtml();
  }
}

async function drawn(number) {
  for (let due = dueCard(); due; due = dueCard()) {
    const race = races.parseRace(due.xgid);
    const known = race && (groupOf(due.kind) === "men" || !races.whyNoAnswer(race));
    const question = known && await questionAbout(race, due.kind, { repeated: true });
    if (question) return { ...question, card: due };
    const key = `${due.kind} ${due.xgid}`;
    change(() => delete memory.cards[key]); // there is nothing to ask: no cube to turn, one play, contact
  }
  const { from, to, kinds, hard, stakes } = memory.settings;
  const fits = (pips) => from <= pips && pips <= to;
  const within = (ids) => ids.map((id) => races.parseRace(id)).filter((race) => fits(races.pips(race.mine)));
  const fitting = within(list.ids);
  const short = fitting.filter((race) => Math.max(races.checkers(race.mine), races.checkers(race.theirs)) <= SHORT);
  for (let k = 0; k < DRAWS && number === drawing; k++) {
    const before = Date.now();
    const kind = pick(kinds);
    const group = groupOf(kind);
    const isTrap = hard === "traps" && group === "cube";
    let race;
    if (group === "men") race = races.parseRace(pick(list.bearoffs));
    else {
      const played = slow && short.length ? short : fitting;
      const turnable = group === "cube" && stakes === "scores" ? played.filter(mayDouble) : played;
      const among = isTrap ? within(list.traps[kind]) : turnable;
      if (!among.length) continue;
      // A trap is one for money with the cube in the middle, whatever it was played for.
      race = isTrap ? { ...forMoney(pick(among)), cube: "centered", cubeValue: 1 }
        : staked(pick(among), group === "count" ? "money" : stakes);
    }
    const question = await questionAbout(race, kind, { close: hard === "close" && k < CLOSE_DRAWS });
    slow ||= Date.now() - before > PATIENCE;
    if (question) return question;
  }
  return null;
}

/** Whether the player on roll has a cube to turn that the match still needs. */
const mayDouble = ({ cube, cubeValue, crawford, matchLength, score }) =>
  cube !== "theirs" && !crawford && (!matchLength || score[0] + cubeValue < matchLength);

const NO_SCORE = /** @type {[number, number]} */ ([0, 0]);
const forMoney = (race) => ({ ...race, roll: null, crawford: false, matchLength: 0, score: NO_SCORE });

/**
 * A recorded race as it is asked about: at its score, at one that was chosen, or for money with the cube in the middle
 * or on a side.
 */
export function staked(race, stakes) {
  if (stakes === "scores") return { ...race, roll: null };
  const { mine, theirs } = memory.settings;
  const cube = /** @type {import("./race.js").Place} */ (pick(["centered", "centered", "mine"]));
  const bare = { ...race, roll: null, crawford: false, cube, cubeValue: cube === "mine" ? 2 : 1 };
  if (stakes === "money") return forMoney(bare);
  const matchLength = Math.max(mine, theirs);
  return { ...bare, matchLength, score: /** @type {[number, number]} */ ([matchLength - mine, matchLength - theirs]) };
}

const byName = (plays) => [...plays].sort((a, b) => (a.play < b.play ? -1 : 1));

/** A question with its answer; null if it would be none, or not as hard as was asked for. */
export async function questionAbout(given, kind, { repeated = false, close = false } = {}) {
  const group = groupOf(kind);
  if (group === "men") return riskQuestion(given, kind, repeated);
  const die = () => 1 + Math.floor(6 * Math.random());
  const race = group === "play" && !given.roll ? { ...given, roll: races.sortedRoll(die(), die()) } : given;
  const answer = await answers.solve({ ...races.questionOf(race), seconds: SECONDS }, "trainer");
  if (answer.error > TRUSTED && !repeated) return null;
  const question = { race, kind, repeated, answer };
  if (group === "count") {
    const counted = (await answers.counts(races.questionOf(race))).counts[kind];
    if (!counted) return null;
    const doubles = race.cube === "mine" ? counted.redouble : counted.double;
    return { ...question, counted, verdict: doubles ? (counted.take ? 1 : 2) : 0 };
  }
  if (group === "cube") {
    const choices = answer.cube_action && panels.choicesOf(answer.cube_action);
    if (!choices) return null;
    const margin = Math.abs(kind === "take" ? choices.taking : choices.double);
    if (!repeated && margin > (close ? CLOSE : PLAIN)) return null;
    return { ...question, choices };
  }
  if (group === "play") {
    const plays = byName(answer.plays);
    const isClose = plays.some((play) => play.loss > 0.0005 && play.loss < CLOSE / 2);
    return plays.length < 2 || (close && !isClose) ? null : { ...question, plays };
  }
  return question;
}

/** A question for the play with the least risk. */
async function riskQuestion(race, kind, repeated) {
  const answer = await answers.risk({ xgid: races.formatXgid(race) }, "trainer");
  const plays = byName(answer.plays);
  const worth = plays.map(panels.riskOf);
  return Math.max(...worth) - Math.min(...worth) < SPREAD ? null : { race, kind, repeated, answer, plays };
}

// ------------------------------------------------------------------ asking and judging

/** Boxes for one number, or for both sides of a count and its verdict. */
function guessFormHtml(kind, heading) {
  const words = texts.train;
  const input = (name, label, hides = "") =>
    `<label><span class="${hides}">${label}</span> <input name="${name}" inputmode="decimal" autocomplete="off"` +
    ` required pattern="[0-9]+([.,][0-9]+)?"></label>`;
  const { you, opponent } = texts.counts.columns;
  const verdicts = verdictNames().map((name, k) =>
    `<label><input type="radio" name="verdict" value="${k}" required><span>${name}</span></label>`);
  const boxes = groupOf(kind) === "guess"
    ? `${input("value", heading, "hidden")} ${words[KINDS[kind].unit ?? ""]}`
    : `${input("mine", you)} ${input("theirs", opponent)} <fieldset class="segments">` +
      `<legend class="hidden">${texts.verdict.heading}</legend>${verdicts.join("")}</fieldset>`;
  return `<form class="guess">${boxes} <button class="main">${words.submit}</button></form>`;
}

/** A button for each choice: plays, which can be made on the board, too, or cube decisions. */
function optionsHtml({ race, kind, plays }) {
  const words = texts.train;
  const { no, yes } = texts.verdict[race.cube === "mine" ? "redouble" : "double"];
  const decisions = kind === "take" ? ["take", "pass"].map(panels.choiceWords) : [no, yes];
  const names = plays ? plays.map(({ play }) => play) : decisions;
  const buttons = names.map((name, k) => panels.quietHtml(`data-choice="${k}"`, panels.safe(name)));
  const onBoard =
    `<p class="hint">${words.onBoard}</p>` +
    `<p class="buttons by-board"><button type="button" class="main" data-done disabled>${words.done}</button>` +
    ` ${panels.quietHtml("data-back disabled", words.back)} <span data-part="told" role="status"></span></p>`;
  return `${play ? onBoard : ""}<div class="options ${groupOf(kind)}">${buttons.join("")}</div>`;
}

function ask(question) {
  current = question;
  const { race, kind, repeated, card } = question;
  const words = texts.train;
  const group = groupOf(kind);
  board.show(seen(question));
  board.classList.toggle("known", group === "men");
  play = group === "play" ? new Play(race.mine, race.roll) : null;
  board.playing = Boolean(play);
  $("above").textContent = texts.board.opponent;
  $("below").textContent = ofTaker(kind) ? texts.train.you : texts.board.you;
  $("stakes").textContent = group === "men" ? "" : panels.stakesWords(seen(question));
  const about = question.plays ? race.roll.join("\u2011") : kind === "take" ? 2 * race.cubeValue : countNames[kind];
  const heading = say(words.asks[kind] ?? words.asks.count, { about });
  const { clock } = memory.settings;
  const label = words.clock.heading;
  const time = `<progress class="clock" aria-label="${label}" max="${1000 * clock}" value="0"></progress>`;
  const again = panels.safe(card?.from ? say(words.from, { where: card.from }) : words.again);
  const isGuess = group === "guess" || group === "count";
  $("question").innerHTML =
    (clock > 0 ? time : "") +
    (repeated ? `<p class="hint again">${again}</p>` : "") +
    `<h2 class="verdict-words" tabindex="-1">${heading}</h2>` +
    (isGuess ? guessFormHtml(kind, heading) : optionsHtml(question));
  askedAt = Date.now();
  ticking = window.setInterval(() => {
    const bar = $("question").querySelector(".clock");
    if (bar) bar.value = Date.now() - askedAt;
  }, PAUSE);
}

/** The verdicts of a count. */
const verdictNames = () => ["no double", "double/take", "double/pass"].map((verdict) => texts.map.legend[verdict]);

/** The board as the player who decides sees it: of a take, the other side. */
const seen = ({ race, kind }) => (ofTaker(kind) ? races.swapped(race) : race);

/** An answer as the other side sees it. */
const turned = (answer) => ({
  ...answer,
  win_probability: 1 - answer.win_probability,
  gammon_win: answer.gammon_loss,
  gammon_loss: answer.gammon_win,
  backgammon_win: answer.backgammon_loss,
  backgammon_loss: answer.backgammon_win,
  on_roll: answer.opponent,
  opponent: answer.on_roll,
});

// ------------------------------------------------------------------ a play on the board

/** The number of the play that stands on the board, -1 if there is none. */
function playOnBoard() {
  const counts = /** @type {Play} */ (play).counts;
  const same = ({ position }) => counts.every((n, k) => n === (position[k] ?? 0));
  return current.plays.findIndex(same);
}

function showPlay() {
  if (!play) return;
  const { race } = current;
  board.show({ ...race, mine: play.counts });
  const found = playOnBoard();
  $("question").querySelector("[data-done]").disabled = found < 0;
  $("question").querySelector("[data-back]").disabled = !play.steps.length;
  tell(found >= 0 ? current.plays[found].play : play.isOver ? texts.train.notAll : "");
  for (const button of root.querySelectorAll("[data-choice]")) {
    button.classList.toggle("chosen", Number(/** @type {any} */ (button).dataset.choice) === found);
  }
}

function takeBack() {
  if (!play?.steps.length) return;
  play.steps.pop();
  showPlay();
}

function tell(text) {
  $("told").textContent = text;
}

function pressed(event) {
  if (event.target.closest("[data-back]")) takeBack();
  if (event.target.closest("[data-done]")) judge(playOnBoard());
  const { choice } = event.target.closest("[data-choice]")?.dataset ?? {};
  if (choice !== undefined) judge(Number(choice));
  else if (event.target.closest("[data-next]")) draw();
  else if (event.target.closest("[data-explore]")) explore(current.race);
}

/** The loss of an answer, in thousandths, and the truth in words. */
export function lossOf({ kind, race, answer, choices, plays, counted, verdict }, given) {
  const group = groupOf(kind);
  if (group === "cube") {
    const gain = kind === "take" ? -choices.taking : choices.double;
    return [1000 * Math.max(0, given ? -gain : gain), panels.verdictWords(answer.cube_action, answer.error)];
  }
  if (group === "play") return [1000 * plays[given].loss, answer.plays[0].play];
  if (group === "men") {
    const best = answer.plays.reduce((a, b) => (panels.riskOf(b) < panels.riskOf(a) ? b : a));
    return [1000 * (panels.riskOf(plays[given]) - panels.riskOf(best)), `${best.play}: ${panels.riskWords(best)}`];
  }
  if (group === "count") {
    const off = Math.abs(given[0] - counted.on_roll) + Math.abs(given[1] - counted.opponent);
    const [mine, theirs] = [counted.on_roll, counted.opponent].map(panels.count);
    return [1000 * (off + Number(given[2] !== verdict)), `${mine} : ${theirs}, ${verdictNames()[verdict]}`];
  }
  const right = truthOf(kind, race, answer);
  const loss = Math.abs((inPercent(kind) ? 10 : 1000) * given - 1000 * right);
  return [loss, inPercent(kind) ? percent(right, 2) : decimal(right, kind === "pips" ? 0 : 2)];
}

/** A number that is guessed. */
function truthOf(kind, race, answer) {
  if (kind === "win") return answer.win_probability;
  return kind === "pips" ? races.pips(race.mine) : answer.on_roll.epc;
}

/** A loss in the unit of its kind. */
function lossWords(kind, loss) {
  if (decides(kind)) return say(texts.train.thousandths, { n: decimal(loss, 0) });
  if (inPercent(kind) || kind === "risk") return percent(loss / 1000);
  return decimal(loss / 1000, kind === "epc" ? 2 : 1);
}

/** How far off an answer that is not right is, in words. */
function offWords({ race, kind, answer }, given, loss) {
  const words = texts.train;
  const much = lossWords(kind, loss);
  const group = groupOf(kind);
  if (group === "men") return say(words.moreRisk, { much });
  if (group === "count") return words.wrong;
  if (group !== "guess") return say(words.off, { loss: loss.toFixed(0) });
  const isBelow = given < truthOf(kind, race, answer) * (inPercent(kind) ? 100 : 1);
  const side = !/[1-9]/.test(much) ? "" : isBelow ? panels.MINUS : "+";
  return say(words.offBy, { much: `${side}${much}${inPercent(kind) ? "" : ` ${words.pipsUnit}`}` });
}

function judge(given) {
  const { race, kind, answer, card } = current;
  const words = texts.train;
  const group = groupOf(kind);
  const [loss, truth] = lossOf(current, given);
  const seconds = Math.min((Date.now() - askedAt) / 1000, 600);
  const late = memory.settings.clock > 0 && seconds > memory.settings.clock;
  const right = loss <= KINDS[kind].right && !late;
  clearInterval(ticking);
  const [tenthsLost, tenths] = [loss, seconds].map((number) => Math.round(10 * number) / 10);
  const did = group === "cube" && { yes: kind === "take" ? !given : Boolean(given) };
  remember({ right, loss: tenthsLost, seconds: tenths, pips: races.pips(race.mine), ...did });
  play = null;
  board.playing = false;
  board.show(seen(current));
  const isRight = right && (group !== "guess" || loss === 0);
  const head = late ? words.late : isRight ? words.right : offWords(current, given, loss);
  const played = card?.done ? say(words.played, { done: panels.choiceWords(card.done) }) : "";
  $("question").innerHTML =
    `<div class="judged ${right ? "good" : "bad"}">${panels.headingHtml(head)}` +
    `<p>${panels.safe(say(words.truth, { what: truth }))}</p>${played && `<p>${panels.safe(played)}</p>`}</div>` +
    (group === "play" ? panels.playsHtml(answer.plays, race.roll) : "") +
    `<p class="buttons">${nextHtml()} ${panels.quietHtml("data-explore", words.explore)}</p>` +
    explainedHtml(current);
  for (const play of root.querySelectorAll(".plays .play")) /** @type {any} */ (play).disabled = true;
  $("question").querySelector("[data-next]").focus();
  board.preview(group === "play" || group === "men" ? answer.plays[0] : null);
  showHistory();
  if (group !== "play" && group !== "men" && kind !== "epc") explainByCounts(race, ofTaker(kind));
}

/** Why: of a take in the words of the player who takes. */
function explainedHtml({ race, kind, answer }) {
  const explained = (...parts) => `<div class="explained">${parts.join("")}</div>`;
  if (groupOf(kind) === "men")
    return panels.riskPlaysHtml(answer.plays, race.roll) + explained(`<div>${panels.riskHtml(answer)}</div>`);
  if (kind === "epc") return explained(stepsHtml(answer), `<div>${panels.raceHtml(answer)}</div>`);
  const isTaker = ofTaker(kind), told = isTaker ? turned(answer) : answer;
  const verdict = isTaker ? panels.takeHtml(answer, races.swapped(race)) : panels.verdictHtml(answer, race, false);
  const parts = [verdict, panels.chancesHtml(told), panels.raceHtml(told)];
  return explained(...parts.map((part) => `<div>${part}</div>`), `<div data-part="counts"></div>`);
}

/** An EPC by hand, as docs/better-count.md has it, beside the true one; outside the home board what is wasted. */
function stepsHtml({ on_roll: side }) {
  const words = texts.train.steps, { pips, wastage, epc } = texts.race.rows;
  const [ace, deuce, three, ...others] = side.position, checkers = races.checkers(side.position);
  const beyond = (n, few) => Math.max(n - few, 0);
  const terms = others.slice(3).some(Boolean)
    ? [[wastage, side.epc - side.pips]]
    : [[words.four, 4], [words.checkers, Math.min(checkers, 8) / 2], [words.ace, 2 * beyond(ace, 1)],
      [words.deuce, beyond(deuce, 1) + beyond(deuce, 2) / 2], [words.three, beyond(three, 2)]];
  const sum = terms.reduce((all, [, n]) => all + n, side.pips), least = 7 * Math.ceil(checkers / 2) + 1;
  if (terms.length > 1 && sum < least) terms.push([words.least, least - sum]);
  const row = (name, number, kind = "") =>
    `<tr class="${kind}">${panels.headCell(name)}${panels.numCell(number)}</tr>`;
  const byHand = terms.length > 1, listed = terms.filter(([, n]) => n);
  const rows = listed.map(([name, n]) => row(name, panels.signed(n, byHand ? 1 : 2)));
  if (byHand) rows.push(row(words.hand, decimal(Math.max(sum, least), 1), "right"));
  const all = [row(pips, side.pips), ...rows, row(epc, decimal(side.epc, 2), "right")];
  return `<table class="choices terms steps">${all.join("")}</table>`;
}

async function explainByCounts(race, taking) {
  const asked = drawing;
  const told = await orNothing(answers.counts(races.questionOf({ ...race, roll: null })));
  const { heading, hint } = texts.counts;
  if (told && asked === drawing && $("counts"))
    $("counts").innerHTML = `<h3>${heading}</h3><p class="hint">${hint}</p>${panels.countsHtml(told, taking)}`;
}

/** Keeps the answer, and when a missed question comes again. */
function remember(given) {
  const { right } = given;
  const { race, kind, repeated } = current;
  const xgid = races.formatXgid(race);
  const key = `${kind} ${xgid}`;
  change(() => {
    memory.history.push({ at: Date.now(), kind, ...given });
    const card = memory.cards[key];
    if (!right) memory.cards[key] = { ...card, xgid, kind, box: 0, due: Date.now() + BOXES[0] };
    else if (repeated && card) {
      const box = card.box + 1;
      if (box < BOXES.length) memory.cards[key] = { ...card, box, due: Date.now() + BOXES[box] };
      else delete memory.cards[key];
    }
  });
}

// ------------------------------------------------------------------ history

/** By kind: how many, how many right, what was lost or by how much it was off, the streak, and how long it took. */
function showHistory() {
  const words = texts.train.history;
  const { history, cards } = memory;
  root.querySelector(".save")?.toggleAttribute("disabled", !missed().length);
  if (!history.length) {
    $("history").innerHTML = `<p class="hint">${words.none}</p>`;
    return;
  }
  const rows = Object.keys(KINDS).map((kind) => {
    const own = history.filter((each) => each.kind === kind);
    if (!own.length) return "";
    const mean = own.reduce((sum, { loss }) => sum + loss, 0) / own.length;
    const streak = own.length - 1 - own.findLastIndex(({ right }) => !right);
    const times = own.flatMap(({ seconds }) => seconds ?? []).sort((a, b) => a - b);
    const share = own.filter(({ right }) => right).length / own.length;
    const median = times.length ? `${times[times.length >> 1].toFixed(0)} s` : "";
    const cells = [own.length, percent(share, 0), lossWords(kind, mean), streak, median];
    const head = panels.headCell(texts.train.kinds[kind]);
    return `<tr data-kind-of="${kind}">${head}${cells.map((cell) => panels.numCell(cell)).join("")}</tr>`;
  });
  const due = Object.keys(cards).length;
  const decided = history.filter(({ kind }) => decides(kind)).slice(-SHOWN);
  $("history").innerHTML =
    panels.tableHtml("race-table progress", words.columns, rows) +
    `${due ? `<p>${say(words.due, { n: due })}</p>` : ""}${leakHtml()}${chartHtml(decided)}`;
}

/** The greatest leak: of cube decisions by what was done and how long the race was, or of plays; if it is frequent. */
function leakHtml() {
  const leaks = new Map();
  for (const { kind, right, yes, pips, loss } of memory.history) {
    if (right || !decides(kind) || pips === undefined || loss <= KINDS[kind].right) continue; // the last: late alone
    const from = PIPS * Math.floor(pips / PIPS);
    const key = `${kind} ${yes} ${from}`;
    const name = yes === undefined ? kind : `${kind}${yes ? "Wrong" : "Missed"}`;
    const leak = leaks.get(key) ?? { kind, name, from, n: 0, sum: 0 };
    leaks.set(key, { ...leak, n: leak.n + 1, sum: leak.sum + loss });
  }
  const [worst] = [...leaks.values()].filter(({ n }) => n >= LEAK).sort((a, b) => b.sum - a.sum);
  if (!worst) return "";
  const { kind, name, from, n, sum } = worst;
  const loss = sum.toFixed(0);
  const told = say(texts.train.leaks, { what: texts.train.leak[name], from, to: from + PIPS, n, loss });
  const button = leakButtonHtml(kind, from, texts.train.trainLeak);
  return `<p class="leak">${panels.safe(told)} ${button}</p>${lessonHtml(kind)}`;
}

const leakButtonHtml = (kind, from, text) => panels.quietHtml(`data-leak="${kind}" data-from="${from}"`, text);

/** A lesson against a leak: of the cube a count, which has a drill of its own. */
function lessonHtml(kind) {
  const { lesson, kinds } = texts.train;
  const isCube = groupOf(kind) === "cube";
  const text = panels.safe(lesson[isCube ? "cube" : kind]);
  const drill = isCube ? leakButtonHtml("grace", 0, kinds.grace) : "";
  return `<details class="lesson"><summary>${lesson.heading}</summary><p>${text} ${drill}</p></details>`;
}

/** Asks of one kind, about races of the pips where it is missed. */
function trainLeak(kind, from) {
  const pips = decides(kind) && { from: Math.max(from, 1), to: from + PIPS };
  takeSettings({ ...memory.settings, kinds: [kind], ...pips });
}

function chartHtml(shown) {
  if (shown.length < 2) return "";
  const [width, height, base] = [400, 96, 84];
  const most = Math.max(50, ...shown.map(({ loss }) => Math.min(loss, 400)));
  const slot = width / Math.max(shown.length, 20);
  const y = (loss) => base - (Math.min(loss, most) / most) * (base - 8);
  const bars = shown.map(({ loss, right }, k) =>
    panels.barHtml(right ? "good" : "bad", slot * k + 1, y(loss) - 1.5, slot - 2, base - y(loss) + 1.5, 1));
  const mean = shown.map((_, k) => {
    const last = shown.slice(Math.max(0, k - 19), k + 1);
    const lost = last.reduce((sum, { loss }) => sum + loss, 0) / last.length;
    return `${(slot * (k + 0.5)).toFixed(1)} ${y(lost).toFixed(1)}`;
  });
  return (
    `<figure class="chart"><svg viewBox="0 0 ${width} ${height}" aria-hidden="true">` +
    `<path class="axis" d="M0 ${base}H${width}"/>${bars.join("")}<path class="trend" d="M${mean.join("L")}"/></svg>` +
    `<figcaption>${texts.train.history.chart}</figcaption></figure>`
  );
}

/** IDs of decisions that were missed, as `bgrace deck` and the explorer read them. */
function missed() {
  const cards = Object.values(memory.cards).filter(({ kind }) => decides(kind));
  return [...new Set(cards.map(({ xgid, kind }) => (kind === "take" ? xgid.replace(":00:", ":D:") : xgid)))];
}

/** Takes saved progress in place of the present one, or IDs, one per line; says which it was. */
function take(text) {
  const words = texts.train;
  if (/^\s*\{/.test(text)) {
    try {
      const given = read(JSON.parse(text));
      change(() => (memory = given));
    } catch {
      return words.notLoaded;
    }
    restart();
    return say(words.loaded, { n: memory.history.length });
  }
  const cards = text.split("\n").flatMap((line) => {
    const race = races.parseRace(line);
    if (!race) return [];
    const kind = race.roll ? "play" : line.includes(":D:") ? "take" : "double";
    return [{ xgid: races.formatXgid(race), kind }];
  });
  if (!cards.length) return words.notLoaded;
  learn(cards);
  draw();
  return say(words.learnt, { n: cards.length });
}

/** Forgets everything at the second press: the first one asks whether that is meant. */
function forget(button) {
  const asks = button.toggleAttribute("data-sure");
  button.textContent = texts.train.history[asks ? "sure" : "forget"];
  if (asks) return;
  change(() => (memory = { ...memory, cards: {}, history: [] }));
  showHistory();
}

load();
