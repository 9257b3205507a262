/**
 * The trainer: questions from recorded races, judged by what the answer costs.
 *
 * What was missed comes again, later each time it is known: after minutes, a day, three days, ... (Leitner's boxes).  All
 * of it stays in this browser.
 */

import { NoAnswer, answers } from "./answers.js";
import { Play } from "./moves.js";
import * as panels from "./panels.js";
import * as races from "./race.js";
import { texts } from "./texts.js";

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
const KINDS = ["double", "take", "play", "win", "epc", "shots", "risk"];
const DECISIONS = ["double", "take", "play"]; // the others cost nothing
const AGAINST_MEN = ["shots", "risk"];

/** What counts as right: thousandths of a point, of a chance, of a pip, of a shot, of a risk. */
const RIGHT = { double: 2, take: 2, play: 2, win: 20, epc: 500, shots: 0, risk: 2 };
const SPREAD = 0.01; // of risk: where all plays are as good as one another nothing is asked

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
/** @type {{settings: any, cards: Record<string, any>, history: any[]}} */
let memory = { settings: { kinds: KINDS, stakes: "money", from: 10, to: 80, hard: "any" }, cards: {}, history: [] };

const $ = (name) => /** @type {any} */ (root.querySelector(`[data-part="${name}"]`));

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    memory = {
      settings: { ...memory.settings, ...kept.settings },
      cards: kept.cards ?? {},
      history: Array.isArray(kept.history) ? kept.history : [],
    };
    memory.settings.kinds = memory.settings.kinds.filter((kind) => KINDS.includes(kind));
  } catch {
    // nothing kept, or nothing that can be read: a new start
  }
}

function save() {
  memory.history = memory.history.slice(-KEPT);
  try {
    localStorage.setItem(STORE, JSON.stringify(memory));
  } catch {
    // storage that is full or switched off: this visit only
  }
}

/**
 * Shows the trainer, and draws the first question.
 * @param {HTMLElement} element
 * @param {{explore: (race: import("./race.js").Race) => void}} doors
 */
export function start(element, doors) {
  root = element;
  ({ explore } = doors);
  load();
  const words = texts.train;
  const kinds = KINDS.map((kind) => `<label class="check"><input type="checkbox" name="kind" value="${kind}" ${memory.settings.kinds.includes(kind) ? "checked" : ""}> ${words.kinds[kind]}</label>`);
  const choice = (name, value, label) => `<label><input type="radio" name="${name}" value="${value}" ${memory.settings[name] === value ? "checked" : ""}><span>${label}</span></label>`;
  root.innerHTML =
    `<div class="column table-side"><section class="board-card"><p class="player theirs"><i></i><span data-part="above"></span></p><bg-board data-part="board"></bg-board><p class="player mine"><i></i><span data-part="below"></span></p><p class="stakes-words" data-part="stakes"></p></section></div>` +
    `<div class="column answer-side"><section class="card question" aria-live="polite" data-part="question"></section>` +
    `<section class="card" aria-labelledby="history-head"><h2 id="history-head">${words.history.heading}</h2><div data-part="history"></div></section>` +
    `<section class="card" aria-labelledby="settings-head"><h2 id="settings-head">${words.kinds.heading}</h2><p class="hint">${words.lead}</p><form data-part="settings" class="settings">` +
    `<fieldset><legend class="hidden">${words.kinds.heading}</legend>${kinds.join("")}</fieldset>` +
    `<fieldset class="segments"><legend class="hidden">${words.stakes.heading}</legend>${choice("stakes", "money", words.stakes.money)}${choice("stakes", "scores", words.stakes.scores)}</fieldset>` +
    `<fieldset class="segments"><legend class="hidden">${words.hard.heading}</legend>${choice("hard", "any", words.hard.any)}${choice("hard", "close", words.hard.close)}</fieldset>` +
    `<div><label class="needs">${words.pips.heading} ${words.pips.from} <input type="number" name="from" min="1" max="200" value="${memory.settings.from}"></label> <label class="needs">${words.pips.to} <input type="number" name="to" min="1" max="200" value="${memory.settings.to}"></label></div>` +
    `</form></section></div>`;
  board = $("board");
  board.readOnly = true;
  $("settings").addEventListener("change", changeSettings);
  $("settings").addEventListener("submit", (/** @type {any} */ event) => event.preventDefault());
  $("question").addEventListener("click", pressed);
  $("question").addEventListener("submit", (/** @type {any} */ event) => {
    event.preventDefault();
    const value = Number(event.target.elements.value.value.replace(",", "."));
    if (Number.isFinite(value)) judge(value);
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
  $("history").addEventListener("click", (/** @type {any} */ event) => {
    if (/** @type {Element} */ (event.target).closest(".save")) download();
    else forget(event);
  });
  showHistory();
  draw();
}

function changeSettings() {
  const form = $("settings").elements;
  const kinds = [...root.querySelectorAll('[name="kind"]:checked')].map((input) => /** @type {any} */ (input).value);
  memory.settings = { kinds: kinds.length ? kinds : KINDS, stakes: form.stakes.value, hard: form.hard.value, from: Number(form.from.value) || 1, to: Number(form.to.value) || 200 };
  save();
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
  load();
  for (const card of cards) memory.cards[`${card.kind} ${card.xgid}`] ??= { ...card, box: 0, due: 0, own: true };
  save();
  waiting = true;
}

/** Goes on where the trainer was left before a question had come. */
export function resume() {
  if (waiting) draw();
}

async function draw() {
  const number = ++drawing;
  waiting = true;
  play = null;
  board.playing = false;
  board.preview(null);
  $("question").innerHTML = `<p class="hint">${texts.train.drawing}</p>`;
  try {
    list ??= await (await fetch("races.json")).json();
    const question = await drawn(number);
    if (number !== drawing) return;
    waiting = false;
    if (question) ask(question);
    else $("question").innerHTML = `<p class="state">${texts.train.none}</p>`;
  } catch (error) {
    if (error.name === "AbortError" || number !== drawing) return;
    waiting = false;
    const state = error instanceof NoAnswer ? error.kind : "offline";
    $("question").innerHTML = panels.stateHtml(state, state === "wrong" ? error.message : "") + again();
  }
}

const again = () => `<button type="button" class="main" data-next>${texts.train.next}</button>`;

async function drawn(number) {
  const due = dueCard();
  if (due) return { ...(await questionAbout(races.parseXgid(due.xgid), due.kind, { repeated: true })), card: due };
  const { from, to, kinds } = memory.settings;
  const fitting = list.ids.map((id) => races.parseXgid(id)).filter((race) => races.pips(race.mine) >= from && races.pips(race.mine) <= to);
  const short = fitting.filter((race) => Math.max(races.checkers(race.mine), races.checkers(race.theirs)) <= SHORT);
  for (let k = 0; k < DRAWS && number === drawing; k++) {
    const before = Date.now();
    const kind = pick(kinds);
    const againstMen = AGAINST_MEN.includes(kind);
    if (!againstMen && !fitting.length) continue;
    const race = againstMen ? races.parseXgid(pick(list.bearoffs)) : staked(pick(slow && short.length ? short : fitting), memory.settings.stakes);
    const question = await questionAbout(race, kind, { close: memory.settings.hard === "close" });
    slow ||= Date.now() - before > PATIENCE;
    if (question) return question;
  }
  return null;
}

/** A recorded race as it is asked about: at its score, or for money with the cube in the middle or on a side. */
export function staked(race, stakes) {
  if (stakes === "scores") return { ...race, roll: null };
  const cube = /** @type {import("./race.js").Place} */ (pick(["centered", "centered", "mine"]));
  return { ...race, roll: null, matchLength: 0, score: [0, 0], crawford: false, cube, cubeValue: cube === "mine" ? 2 : 1 };
}

/** A question with its answer; null if it would be none, or not as hard as was asked for. */
export async function questionAbout(given, kind, { repeated = false, close = false } = {}) {
  if (AGAINST_MEN.includes(kind)) return riskQuestion(given, kind, repeated);
  let race = given;
  if (kind === "play" && !race.roll) race = { ...race, roll: races.sortedRoll(1 + Math.floor(6 * Math.random()), 1 + Math.floor(6 * Math.random())) };
  const answer = await answers.solve({ ...races.questionOf(race), seconds: SECONDS }, "trainer");
  if (answer.error > TRUSTED && !repeated) return null;
  const question = { race, kind, repeated, answer };
  if (kind === "double" || kind === "take") {
    const choices = answer.cube_action && panels.choicesOf(answer.cube_action);
    if (!choices) return null;
    const margin = Math.abs(kind === "take" ? choices.taking : choices.double);
    if (!repeated && margin > (close ? CLOSE : PLAIN)) return null;
    return { ...question, choices };
  }
  if (kind === "play") {
    const plays = answer.plays.map((play) => play).sort((a, b) => (a.play < b.play ? -1 : 1));
    if (plays.length < 2 || (close && !plays.some((play) => play.loss > 0.0005 && play.loss < CLOSE / 2))) return null;
    return { ...question, plays };
  }
  return question;
}

/** Which play leaves the fewest shots, or the least risk. */
async function riskQuestion(race, kind, repeated) {
  const answer = await answers.risk({ xgid: races.formatXgid(race) }, "trainer");
  const plays = answer.plays.map((play) => play).sort((a, b) => (a.play < b.play ? -1 : 1));
  const worth = plays.map((play) => (kind === "shots" ? play.shots / 36 : play.least));
  return Math.max(...worth) - Math.min(...worth) < SPREAD ? null : { race, kind, repeated, answer, plays };
}

// ------------------------------------------------------------------ asking and judging

function ask(question) {
  current = question;
  const { race, kind, repeated, card } = question;
  const words = texts.train;
  board.show(race);
  board.classList.toggle("known", AGAINST_MEN.includes(kind));
  play = kind === "play" ? new Play(race.mine, race.roll) : null;
  board.playing = Boolean(play);
  $("above").textContent = texts.board.opponent;
  $("below").textContent = texts.board.you;
  $("stakes").textContent = AGAINST_MEN.includes(kind) ? "" : panels.stakesWords(race);
  const heading = question.plays ? words.asks[kind](race.roll.join("-")) : words.asks[kind];
  let form;
  if (kind === "win" || kind === "epc") {
    form = `<form class="guess"><label><span class="hidden">${heading}</span><input name="value" inputmode="decimal" autocomplete="off" required pattern="[0-9]+([.,][0-9]+)?"> ${kind === "win" ? words.percent : words.pipsUnit}</label><button class="main">${words.submit}</button></form>`;
  } else {
    const names = question.plays ? question.plays.map((play) => play.play) : kind === "take" ? words.answers.take : words.answers[race.cube === "mine" ? "redouble" : "double"];
    form = `<div class="options ${kind}">${names.map((name, k) => `<button type="button" class="quiet" data-choice="${k}">${panels.safe(name)}</button>`).join("")}</div>`;
    if (play) form = `<p class="hint">${words.onBoard}</p><p class="buttons by-board"><button type="button" class="main" data-done disabled>${words.done}</button> <button type="button" class="quiet" data-back disabled>${words.back}</button> <span data-part="told" role="status"></span></p>${form}`;
  }
  $("question").innerHTML = `${repeated ? `<p class="hint again">${panels.safe(card?.from ? words.from(card.from) : words.again)}</p>` : ""}<h2 class="verdict-words" tabindex="-1">${heading}</h2>${form}`;
}

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
  play.undo();
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
export function lossOf({ kind, answer, choices, plays }, given) {
  if (kind === "double") return [1000 * Math.max(0, given ? -choices.double : choices.double), panels.verdictWords(answer.cube_action, answer.error)];
  if (kind === "take") return [1000 * Math.max(0, given ? choices.taking : -choices.taking), panels.verdictWords(answer.cube_action, answer.error)];
  if (kind === "play") return [1000 * plays[given].loss, answer.plays[0].play];
  if (AGAINST_MEN.includes(kind)) {
    const worth = (play) => (kind === "shots" ? play.shots : play.least);
    const best = answer.plays.reduce((a, b) => (worth(b) < worth(a) ? b : a));
    return [1000 * (worth(plays[given]) - worth(best)), `${best.play}: ${panels.riskWords(best)}`];
  }
  if (kind === "win") return [Math.abs(10 * given - 1000 * answer.win_probability), panels.percent(answer.win_probability, 2)];
  return [1000 * Math.abs(given - answer.on_roll.epc), answer.on_roll.epc.toFixed(2)];
}

function judge(given) {
  const { race, kind, answer, card } = current;
  const words = texts.train;
  const againstMen = AGAINST_MEN.includes(kind);
  const [loss, truth] = lossOf(current, given);
  const right = loss <= RIGHT[kind];
  remember(right, loss);
  play = null;
  board.playing = false;
  board.show(race);
  board.preview(kind === "play" || kind === "risk" ? races.movesOf(answer.plays[0].play) : null);
  const off = kind === "shots" ? words.moreShots(loss / 1000) : kind === "risk" ? words.moreRisk(`${(loss / 10).toFixed(1)} %`) : kind === "win" ? words.offBy(`${(loss / 10).toFixed(1)} %`) : kind === "epc" ? words.offBy(`${(loss / 1000).toFixed(2)} ${words.pipsUnit}`) : words.off(loss.toFixed(0));
  const head = right && kind !== "win" && kind !== "epc" ? words.right : off;
  $("question").innerHTML =
    `<div class="judged ${right ? "good" : "bad"}"><h2 class="verdict-words">${head}</h2><p>${panels.safe(words.truth(truth))}</p>${card?.done ? `<p>${panels.safe(words.played(texts.review.choices[card.done] ?? card.done))}</p>` : ""}</div>` +
    (kind === "play" ? panels.playsHtml(answer.plays, race.roll) : "") +
    `<p class="buttons"><button type="button" class="main" data-next>${words.next}</button> <button type="button" class="quiet" data-explore>${words.explore}</button></p>` +
    (againstMen
      ? `${panels.riskPlaysHtml(answer.plays, race.roll)}<div class="explained"><div>${panels.riskHtml(answer)}</div></div>`
      : `<div class="explained"><div>${panels.verdictHtml(answer, race, false, kind === "take" ? ["take"] : undefined)}</div><div>${panels.chancesHtml(answer)}</div><div>${panels.raceHtml(answer)}</div><div data-part="counts"></div></div>`);
  for (const play of root.querySelectorAll(".plays .play")) /** @type {any} */ (play).disabled = true;
  $("question").querySelector("[data-next]").focus();
  showHistory();
  if (kind !== "play" && !againstMen) explainByCounts(race);
}

async function explainByCounts(race) {
  const asked = drawing;
  try {
    const told = await answers.counts(races.questionOf({ ...race, roll: null }));
    if (asked === drawing && $("counts")) $("counts").innerHTML = `<h3>${texts.counts.heading}</h3><p class="hint">${texts.counts.hint}</p>${panels.countsHtml(told)}`;
  } catch (error) {
    if (error.name !== "AbortError" && !(error instanceof NoAnswer)) throw error;
  }
}

/** Keeps the answer, and when a missed question comes again. */
function remember(right, loss) {
  const { race, kind, repeated } = current;
  const xgid = races.formatXgid(race);
  const key = `${kind} ${xgid}`;
  memory.history.push({ at: Date.now(), kind, loss: Math.round(10 * loss) / 10, right });
  const card = memory.cards[key];
  if (!right) memory.cards[key] = { ...card, xgid, kind, box: 0, due: Date.now() + BOXES[0] };
  else if (repeated && card) {
    const box = card.box + 1;
    if (box < BOXES.length) memory.cards[key] = { ...card, box, due: Date.now() + BOXES[box] };
    else delete memory.cards[key];
  }
  save();
}

// ------------------------------------------------------------------ history

/** Losses of what was decided; guesses of numbers are right or wrong, but lose nothing. */
function showHistory() {
  const words = texts.train.history;
  const { history, cards } = memory;
  if (!history.length) {
    $("history").innerHTML = `<p class="hint">${words.none}</p>`;
    return;
  }
  const decided = history.filter(({ kind }) => DECISIONS.includes(kind));
  const right = history.filter((each) => each.right).length;
  const mean = decided.length ? decided.reduce((sum, { loss }) => sum + loss, 0) / decided.length : 0;
  const facts = [
    [history.length, words.count],
    [`${Math.round((100 * right) / history.length)} %`, words.right],
    [mean.toFixed(1), words.mean],
    [Object.keys(cards).length, words.due],
  ];
  $("history").innerHTML =
    `<dl class="facts">${facts.map(([value, name]) => `<div><dd class="num">${value}</dd><dt>${name}</dt></div>`).join("")}</dl>` +
    `${chartHtml(decided.slice(-SHOWN))}<p class="buttons"><button type="button" class="quiet save" title="${texts.train.saveHint}" ${missed().length ? "" : "disabled"}>${texts.train.save}</button> <button type="button" class="quiet forget">${words.forget}</button></p>`;
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
  const cards = Object.values(memory.cards).filter(({ kind }) => DECISIONS.includes(kind));
  return [...new Set(cards.map(({ xgid, kind }) => (kind === "take" ? xgid.replace(":00:", ":D:") : xgid)))];
}

function download() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${missed().join("\n")}\n`], { type: "text/plain" }));
  link.download = "missed.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function forget(event) {
  const button = event.target.closest(".forget");
  if (!button) return;
  if (button.dataset.sure) {
    memory.cards = {};
    memory.history = [];
    save();
    showHistory();
  } else {
    button.dataset.sure = "yes";
    button.textContent = texts.train.history.sure;
  }
}
