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
const BOXES = [10 * MINUTE, 1440 * MINUTE, 3 * 1440 * MINUTE, 8 * 1440 * MINUTE, 21 * 1440 * MINUTE, 60 * 1440 * MINUTE];
const KEPT = 1000;
const SHOWN = 60;
const DRAWS = 40;
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
 * @type {Record<string, {group: "cube" | "play" | "guess" | "count" | "men", right: number, unit?: "percent" | "pipsUnit"}>}
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
const BEGIN = { kinds: Object.keys(KINDS).filter((kind) => groupOf(kind) !== "count"), stakes: "money", mine: 3, theirs: 5, from: 10, to: 80, hard: "any", clock: "0" };
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
  for (const [name, most] of Object.entries(MOST)) settings[name] = Math.min(Math.max(Math.round(Number(given[name])) || BEGIN[name], 1), most);
  return settings;
}

/** A memory as it was kept: only the parts that belong to one, for anybody can have made the file. */
function read(given) {
  const known = (each) => Object.hasOwn(KINDS, each.kind);
  const are = (...numbers) => numbers.every((number) => number === undefined || Number.isFinite(number));
  const cards = Object.values(given.cards ?? {}).flatMap((card) => {
    const { xgid, box, due, from = "", done = "" } = card;
    const fits = known(card) && Number.isInteger(box) && box in BOXES && Number.isFinite(due) && typeof from === "string" && typeof done === "string";
    const race = fits && races.parseRace(xgid);
    return race ? [{ ...card, xgid: races.formatXgid(race) }] : [];
  });
  return {
    settings: settingsOf(given.settings ?? {}),
    cards: Object.fromEntries(cards.map((card) => [`${card.kind} ${card.xgid}`, card])),
    history: (given.history ?? []).filter((each) => known(each) && are(each.at ?? NaN, each.loss ?? NaN, each.seconds, each.pips)),
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
  const words = texts.train;
  const kinds = Object.keys(KINDS).map((kind) => `<label class="check"><input type="checkbox" name="kinds" value="${kind}"> ${words.kinds[kind]}</label>`);
  const choices = (name) => `<fieldset class="segments"><legend class="hidden">${words[name].heading}</legend>${Object.entries(words[name].choices).map(([value, label]) => `<label><input type="radio" name="${name}" value="${value}"><span>${label}</span></label>`).join("")}</fieldset>`;
  const number = (name, label) => `<label class="needs">${label} <input type="number" name="${name}" min="1" max="${MOST[name]}"></label>`;
  root.innerHTML =
    `<div class="column table-side"><section class="board-card"><p class="player theirs"><i></i><span data-part="above"></span></p><bg-board data-part="board"></bg-board><p class="player mine"><i></i><span data-part="below"></span></p><p class="stakes-words" data-part="stakes"></p></section></div>` +
    `<div class="column answer-side"><section class="card question" tabindex="-1" aria-live="polite" data-part="question"></section>` +
    `<section class="card" aria-labelledby="history-head"><h2 id="history-head">${words.history.heading}</h2><div data-part="history"></div>` +
    `<p class="buttons"><button type="button" class="quiet save" title="${words.saveHint}">${words.save}</button> <button type="button" class="quiet keep">${words.keep}</button> <label class="quiet file">${words.load}<input type="file" class="hidden" data-part="file" accept=".json,.txt"></label> <button type="button" class="quiet forget">${words.history.forget}</button></p><p class="hint" data-part="loaded" role="status"></p></section>` +
    `<section class="card" aria-labelledby="settings-head"><h2 id="settings-head">${words.kinds.heading}</h2><p class="hint">${words.lead}</p><form data-part="settings" class="settings">` +
    `<fieldset><legend class="hidden">${words.kinds.heading}</legend>${kinds.join("")}</fieldset>` +
    `${choices("stakes")}<div class="score-needs">${number("mine", texts.stakes.youNeed)} ${number("theirs", texts.stakes.theyNeed)}</div>${choices("hard")}<p class="hint">${words.hard.hint}</p>` +
    `<div>${words.pips.heading} ${number("from", words.pips.from)} ${number("to", words.pips.to)}</div>${choices("clock")}` +
    `</form></section></div>`;
  board = $("board");
  board.readOnly = true;
  $("settings").addEventListener("change", () => {
    const form = new FormData($("settings"));
    takeSettings({ ...Object.fromEntries(form), kinds: form.getAll("kinds") });
  });
  $("settings").addEventListener("submit", (/** @type {any} */ event) => event.preventDefault());
  $("question").addEventListener("click", pressed);
  $("question").addEventListener("submit", (/** @type {any} */ event) => {
    event.preventDefault();
    const numbers = [...event.target.querySelectorAll("input:not([type=radio])")].map((input) => Number(input.value.replace(",", ".")));
    if (!numbers.every(Number.isFinite)) return;
    judge(groupOf(current.kind) === "count" ? [...numbers, Number(event.target.elements.verdict.value)] : numbers[0]);
  });
  for (const name of ["pointerover", "focusin"]) {
    $("question").addEventListener(name, (/** @type {any} */ event) => {
      const k = event.target.closest?.("[data-choice]")?.dataset.choice;
      board.preview(current?.plays && k !== undefined ? races.movesOf(current.plays[k].play) : null);
    });
  }
  $("question").addEventListener("pointerleave", () => board.preview(null));
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
    if (input.type === "number") input.value = value;
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
    $("question").innerHTML = `${panels.stateHtml(error.kind, error.kind === "wrong" ? error.message : "")}<button type="button" class="main" data-next>${texts.train.next}</button>`;
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
  const within = (ids) => ids.map((id) => races.parseRace(id)).filter((race) => races.pips(race.mine) >= from && races.pips(race.mine) <= to);
  const fitting = within(list.ids);
  const short = fitting.filter((race) => Math.max(races.checkers(race.mine), races.checkers(race.theirs)) <= SHORT);
  for (let k = 0; k < DRAWS && number === drawing; k++) {
    const before = Date.now();
    const kind = pick(kinds);
    const group = groupOf(kind);
    const isTrap = hard === "traps" && group === "cube";
    const among = isTrap ? within(list.traps[kind]) : slow && short.length ? short : fitting;
    const given = group === "men" ? races.parseRace(pick(list.bearoffs)) : among.length ? pick(among) : null;
    if (!given) continue;
    // A trap is one for money with the cube in the middle, whatever it was played for.
    const race = group === "men" ? given : isTrap ? { ...forMoney(given), cube: "centered", cubeValue: 1 }
      : staked(given, group === "count" ? "money" : stakes);
    const question = await questionAbout(race, kind, { close: hard === "close" });
    slow ||= Date.now() - before > PATIENCE;
    if (question) return question;
  }
  return null;
}

const forMoney = (race) => ({ ...race, roll: null, crawford: false, matchLength: 0, score: /** @type {[number, number]} */ ([0, 0]) });

/** A recorded race as it is asked about: at its score, at one that was chosen, or for money with the cube in the middle or on a side. */
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
  let race = given;
  if (group === "play" && !race.roll) race = { ...race, roll: races.sortedRoll(1 + Math.floor(6 * Math.random()), 1 + Math.floor(6 * Math.random())) };
  const answer = await answers.solve({ ...races.questionOf(race), seconds: SECONDS }, "trainer");
  if (answer.error > TRUSTED && !repeated) return null;
  const question = { race, kind, repeated, answer };
  if (group === "count") {
    const counted = (await answers.counts(races.questionOf(race))).counts[kind];
    return counted && { ...question, counted, verdict: !(race.cube === "mine" ? counted.redouble : counted.double) ? 0 : counted.take ? 1 : 2 };
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
    if (plays.length < 2 || (close && !plays.some((play) => play.loss > 0.0005 && play.loss < CLOSE / 2))) return null;
    return { ...question, plays };
  }
  return question;
}

/** Which play has the least risk. */
async function riskQuestion(race, kind, repeated) {
  const answer = await answers.risk({ xgid: races.formatXgid(race) }, "trainer");
  const plays = byName(answer.plays);
  const worth = plays.map(panels.riskOf);
  return Math.max(...worth) - Math.min(...worth) < SPREAD ? null : { race, kind, repeated, answer, plays };
}

// ------------------------------------------------------------------ asking and judging

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
  const about = question.plays ? race.roll.join("-") : kind === "take" ? 2 * race.cubeValue : countNames[kind];
  const heading = say(words.asks[kind] ?? words.asks.count, { about });
  const input = (name, label, hides = "") => `<label><span class="${hides}">${label}</span> <input name="${name}" inputmode="decimal" autocomplete="off" required pattern="[0-9]+([.,][0-9]+)?"></label>`;
  let form;
  if (group === "guess") {
    form = `<form class="guess">${input("value", heading, "hidden")} ${words[KINDS[kind].unit ?? ""]} <button class="main">${words.submit}</button></form>`;
  } else if (group === "count") {
    const verdicts = verdictNames().map((name, k) => `<label><input type="radio" name="verdict" value="${k}" required><span>${name}</span></label>`);
    form = `<form class="guess">${input("mine", texts.counts.columns.you)} ${input("theirs", texts.counts.columns.opponent)}<fieldset class="segments"><legend class="hidden">${texts.verdict.heading}</legend>${verdicts.join("")}</fieldset> <button class="main">${words.submit}</button></form>`;
  } else {
    const names = question.plays ? question.plays.map((play) => play.play) : kind === "take" ? ["take", "pass"].map(panels.choiceWords) : ["no", "yes"].map((name) => texts.verdict[race.cube === "mine" ? "redouble" : "double"][name]);
    form = `<div class="options ${group}">${names.map((name, k) => `<button type="button" class="quiet" data-choice="${k}">${panels.safe(name)}</button>`).join("")}</div>`;
    if (play) form = `<p class="hint">${words.onBoard}</p><p class="buttons by-board"><button type="button" class="main" data-done disabled>${words.done}</button> <button type="button" class="quiet" data-back disabled>${words.back}</button> <span data-part="told" role="status"></span></p>${form}`;
  }
  const { clock } = memory.settings;
  const time = clock > 0 ? `<progress class="clock" aria-label="${words.clock.heading}" max="${1000 * clock}" value="0"></progress>` : "";
  $("question").innerHTML = `${time}${repeated ? `<p class="hint again">${panels.safe(card?.from ? say(words.from, { where: card.from }) : words.again)}</p>` : ""}<h2 class="verdict-words" tabindex="-1">${heading}</h2>${form}`;
  askedAt = Date.now();
  ticking = window.setInterval(() => {
    const bar = $("question").querySelector(".clock");
    if (bar) bar.value = Date.now() - askedAt;
  }, PAUSE);
}

/** What a count can say. */
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
  const buttons = /** @type {any[]} */ (["[data-done]", "[data-back]"].map((name) => $("question").querySelector(name)));
  buttons[0].disabled = found < 0;
  buttons[1].disabled = !play.steps.length;
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

/** What an answer loses, in thousandths, and the truth in words. */
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
    return [1000 * (off + Number(given[2] !== verdict)), `${panels.count(counted.on_roll)} : ${panels.count(counted.opponent)}, ${verdictNames()[verdict]}`];
  }
  const right = truthOf(kind, race, answer);
  return [Math.abs((KINDS[kind].unit === "percent" ? 10 : 1000) * given - 1000 * right), KINDS[kind].unit === "percent" ? percent(right, 2) : decimal(right, kind === "pips" ? 0 : 2)];
}

/** A number that is guessed. */
const truthOf = (kind, race, answer) => ({ win: () => answer.win_probability, pips: () => races.pips(race.mine), epc: () => answer.on_roll.epc })[kind]();

/** A loss in the unit of its kind. */
function lossWords(kind, loss) {
  if (decides(kind)) return say(texts.train.thousandths, { n: decimal(loss, 0) });
  return KINDS[kind].unit === "percent" || kind === "risk" ? percent(loss / 1000) : decimal(loss / 1000, kind === "epc" ? 2 : 1);
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
  remember({ right, loss: Math.round(10 * loss) / 10, seconds: Math.round(10 * seconds) / 10, pips: races.pips(race.mine), ...(group === "cube" && { yes: kind === "take" ? !given : Boolean(given) }) });
  play = null;
  board.playing = false;
  board.show(seen(current));
  board.preview(group === "play" || kind === "risk" ? races.movesOf(answer.plays[0].play) : null);
  const much = lossWords(kind, loss);
  const side = group !== "guess" || !/[1-9]/.test(much) ? "" : given < truthOf(kind, race, answer) * (KINDS[kind].unit === "percent" ? 100 : 1) ? panels.MINUS : "+";
  const off = kind === "risk" ? say(words.moreRisk, { much }) : group === "guess" ? say(words.offBy, { much: `${side}${much}${KINDS[kind].unit === "percent" ? "" : ` ${words.pipsUnit}`}` }) : group === "count" ? words.wrong : say(words.off, { loss: loss.toFixed(0) });
  const head = late ? words.late : right && (group !== "guess" || loss === 0) ? words.right : off;
  $("question").innerHTML =
    `<div class="judged ${right ? "good" : "bad"}"><h2 class="verdict-words">${head}</h2><p>${panels.safe(say(words.truth, { what: truth }))}</p>${card?.done ? `<p>${panels.safe(say(words.played, { done: panels.choiceWords(card.done) }))}</p>` : ""}</div>` +
    (group === "play" ? panels.playsHtml(answer.plays, race.roll) : "") +
    `<p class="buttons"><button type="button" class="main" data-next>${words.next}</button> <button type="button" class="quiet" data-explore>${words.explore}</button></p>` +
    (group === "men" ? `${panels.riskPlaysHtml(answer.plays, race.roll)}<div class="explained"><div>${panels.riskHtml(answer)}</div></div>` : explainedHtml(current));
  for (const play of root.querySelectorAll(".plays .play")) /** @type {any} */ (play).disabled = true;
  $("question").querySelector("[data-next]").focus();
  showHistory();
  if (group !== "play" && group !== "men" && kind !== "epc") explainByCounts(race, ofTaker(kind));
}

/** Why: of a take in the words of the player who takes. */
function explainedHtml({ race, kind, answer }) {
  if (kind === "epc") return `<div class="explained">${stepsHtml(answer)}<div>${panels.raceHtml(answer)}</div></div>`;
  const told = ofTaker(kind) ? turned(answer) : answer;
  const verdict = ofTaker(kind) ? panels.takeHtml(answer, races.swapped(race)) : panels.verdictHtml(answer, race, false);
  return `<div class="explained"><div>${verdict}</div><div>${panels.chancesHtml(told)}</div><div>${panels.raceHtml(told)}</div><div data-part="counts"></div></div>`;
}

/** An EPC by hand, as docs/better-count.md has it, beside the true one; outside the home board what is wasted. */
function stepsHtml({ on_roll: side }) {
  const words = texts.train.steps, { pips, wastage, epc } = texts.race.rows;
  const [ace, deuce, three, ...others] = side.position, checkers = races.checkers(side.position);
  const beyond = (n, few) => Math.max(n - few, 0);
  const terms = others.slice(3).some(Boolean)
    ? [[wastage, side.epc - side.pips]]
    : [[words.four, 4], [words.checkers, Math.min(checkers, 8) / 2], [words.ace, 2 * beyond(ace, 1)], [words.deuce, beyond(deuce, 1) + beyond(deuce, 2) / 2], [words.three, beyond(three, 2)]];
  const sum = terms.reduce((all, [, n]) => all + n, side.pips), least = 7 * Math.ceil(checkers / 2) + 1;
  if (terms.length > 1 && sum < least) terms.push([words.least, least - sum]);
  const rows = terms.filter(([, n]) => n).map(([name, n]) => `<tr><th scope="row">${name}</th><td class="num">${panels.signed(n, terms.length > 1 ? 1 : 2)}</td></tr>`);
  const hand = terms.length > 1 ? `<tr class="right"><th scope="row">${words.hand}</th><td class="num">${decimal(Math.max(sum, least), 1)}</td></tr>` : "";
  return `<table class="choices terms steps"><tr><th scope="row">${pips}</th><td class="num">${side.pips}</td></tr>${rows.join("")}${hand}<tr class="right"><th scope="row">${epc}</th><td class="num">${decimal(side.epc, 2)}</td></tr></table>`;
}

async function explainByCounts(race, taking) {
  const asked = drawing;
  const told = await orNothing(answers.counts(races.questionOf({ ...race, roll: null })));
  if (told && asked === drawing && $("counts")) $("counts").innerHTML = `<h3>${texts.counts.heading}</h3><p class="hint">${texts.counts.hint}</p>${panels.countsHtml(told, taking)}`;
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
    const cells = [own.length, percent(own.filter(({ right }) => right).length / own.length, 0), lossWords(kind, mean), streak, times.length ? `${times[times.length >> 1].toFixed(0)} s` : ""];
    return `<tr data-kind-of="${kind}"><th scope="row">${texts.train.kinds[kind]}</th>${cells.map((cell) => `<td class="num">${cell}</td>`).join("")}</tr>`;
  });
  const due = Object.keys(cards).length;
  $("history").innerHTML =
    panels.tableHtml("race-table progress", words.columns, rows) +
    `${due ? `<p>${say(words.due, { n: due })}</p>` : ""}${leakHtml()}${chartHtml(history.filter(({ kind }) => decides(kind)).slice(-SHOWN))}`;
}

/** What costs most, where it has happened often enough: cube decisions by what was done and how long the race was, or plays. */
function leakHtml() {
  const leaks = new Map();
  for (const { kind, right, yes, pips, loss } of memory.history) {
    if (right || !decides(kind) || pips === undefined || loss <= KINDS[kind].right) continue; // the last: late alone
    const from = PIPS * Math.floor(pips / PIPS);
    const key = `${kind} ${yes} ${from}`;
    const leak = leaks.get(key) ?? { kind, name: yes === undefined ? kind : `${kind}${yes ? "Wrong" : "Missed"}`, from, n: 0, sum: 0 };
    leaks.set(key, { ...leak, n: leak.n + 1, sum: leak.sum + loss });
  }
  const [worst] = [...leaks.values()].filter(({ n }) => n >= LEAK).sort((a, b) => b.sum - a.sum);
  if (!worst) return "";
  const told = say(texts.train.leaks, { what: texts.train.leak[worst.name], from: worst.from, to: worst.from + PIPS, n: worst.n, loss: worst.sum.toFixed(0) });
  return `<p class="leak">${panels.safe(told)} <button type="button" class="quiet" data-leak="${worst.kind}" data-from="${worst.from}">${texts.train.trainLeak}</button></p>${lessonHtml(worst.kind)}`;
}

/** What to learn against a leak: of the cube a count, which has a drill of its own. */
function lessonHtml(kind) {
  const { lesson, kinds } = texts.train;
  const drill = groupOf(kind) === "cube" ? ` <button type="button" class="quiet" data-leak="grace" data-from="0">${kinds.grace}</button>` : "";
  return `<details class="lesson"><summary>${lesson.heading}</summary><p>${panels.safe(lesson[drill ? "cube" : kind])}${drill}</p></details>`;
}

/** Asks of one kind, about races of the pips where it is missed. */
function trainLeak(kind, from) {
  takeSettings({ ...memory.settings, kinds: [kind], ...(decides(kind) && { from: Math.max(from, 1), to: from + PIPS }) });
}

function chartHtml(shown) {
  if (shown.length < 2) return "";
  const [width, height, base] = [400, 96, 84];
  const most = Math.max(50, ...shown.map(({ loss }) => Math.min(loss, 400)));
  const slot = width / Math.max(shown.length, 20);
  const y = (loss) => base - (Math.min(loss, most) / most) * (base - 8);
  const bars = shown.map(({ loss, right }, k) => `<rect class="${right ? "good" : "bad"}" x="${(slot * k + 1).toFixed(1)}" y="${(y(loss) - 1.5).toFixed(1)}" width="${(slot - 2).toFixed(1)}" height="${(base - y(loss) + 1.5).toFixed(1)}" rx="1"/>`);
  const mean = shown.map((_, k) => {
    const last = shown.slice(Math.max(0, k - 19), k + 1);
    return `${(slot * (k + 0.5)).toFixed(1)} ${y(last.reduce((sum, { loss }) => sum + loss, 0) / last.length).toFixed(1)}`;
  });
  return `<figure class="chart"><svg viewBox="0 0 ${width} ${height}" aria-hidden="true"><path class="axis" d="M0 ${base}H${width}"/>${bars.join("")}<path class="trend" d="M${mean.join("L")}"/></svg><figcaption>${texts.train.history.chart}</figcaption></figure>`;
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
    return race ? [{ xgid: races.formatXgid(race), kind: race.roll ? "play" : line.includes(":D:") ? "take" : "double" }] : [];
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
