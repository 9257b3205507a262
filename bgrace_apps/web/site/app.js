/** The page: what is set up, what it is asked, and where the answers go. */

import { NoAnswer, answers, orNothing, recordedRaces } from "./answers.js";
import { BOARD_SIZE, boardSvg } from "./board.js";
import * as formats from "./formats.js";
import * as panels from "./panels.js";
import * as races from "./race.js";
import { LANGUAGES, capital, choose, isDraft, keep, kept, language, percent, say, texts } from "./texts.js";

const START = "XGID=-AAAABB------------bbbaa--:0:0:1:00:0:0:0:0:10";
const CLOSER_SECONDS = 2;
const PROOF_SECONDS = 0.3;
const SCORE_SECONDS = 0.03;
const MERGE_MS = 700; // edits that follow sooner are one step back
const RETRY_MS = 2500;

/** @type {(id: string) => any} whatever element it is */
const $ = (id) => document.getElementById(id);
const board = /** @type {any} */ ($("board"));

/** @type {import("./race.js").Race} */
let race = races.emptyRace();
/** @type {any} */
let answer = null;
/** @type {any[] | null} */
let rolls = null;
let damage = ""; // why the address cannot be read
let rollPressed = false; // in the table of rolls: its plays stand there

// ------------------------------------------------------------------ words and icons

const lookUp = (path) => path.split(".").reduce((table, name) => table[name], texts);

/** What can be chosen: values and their words. */
const setOptions = (select, listed, /** @type {any} */ chosen = null) =>
  select.replaceChildren(...listed.map(([value, text]) => new Option(text, value, false, value === chosen)));

/** Fills in the words that a part of the page names. */
function writeWords(/** @type {ParentNode} */ part) {
  const all = (selector) => /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll(selector));
  for (const element of all("[data-text]")) element.textContent = lookUp(element.dataset.text);
  for (const element of all("[data-label]")) element.ariaLabel = lookUp(element.dataset.label);
  for (const element of all("[data-title]")) element.title = lookUp(element.dataset.title);
}

function writeTexts() {
  document.documentElement.lang = language;
  document.title = texts.title;
  writeWords(document);
  setOptions($("brush"), Object.entries(texts.tools.brushes).map(([value, name]) => [value, `+ ${name}`]));
  $("id").placeholder = texts.tools.idHint;
  setOptions($("language"), Object.entries(LANGUAGES), language);
  $("draft").hidden = !isDraft;
}

// ------------------------------------------------------------------ colours

const THEMES = ["auto", "light", "dark"];

function setTheme(theme) {
  document.documentElement.style.colorScheme = theme === "auto" ? "" : theme;
  $("theme").ariaLabel = $("theme").title = texts.theme[theme];
  $("theme").dataset.now = theme;
  for (const icon of $("theme").children) icon.toggleAttribute("hidden", icon.dataset.theme !== theme);
}

// ------------------------------------------------------------------ changes: undo, address

const undone = [];
const done = [];
let lastEdit = 0;

/**
 * Takes a new race, which can be undone.
 * @param {import("./race.js").Race} next
 */
function change(next) {
  const now = Date.now();
  const query = races.toQuery(next), same = query === races.toQuery(race);
  const merged = same || (now - lastEdit < MERGE_MS && done.length);
  if (!same) lastEdit = now;
  if (!merged) done.push(race);
  if (!same) undone.length = 0;
  const address = `${query}${location.hash}`;
  if (merged) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  damage = "";
  race = next;
  show();
  ask();
}

/** Takes a step of Undo or Redo, from one list to the other; the browser's history has it, too. */
function travel(from, to) {
  if (!from.length) return;
  history.pushState(null, "", `${races.toQuery(from.at(-1))}${location.hash}`);
  fromAddress([from, to]);
}

// ------------------------------------------------------------------ showing what is set up

function show() {
  board.show(race);
  for (const [whose, side] of Object.entries({ my: race.mine, their: race.theirs })) {
    const n = races.CHECKERS - races.checkers(side);
    $(`${whose}-pips`).textContent = say("{n:pips}", { n: races.pips(side) });
    $(`${whose}-off`).textContent = n ? say(texts.board.offShort, { n }) : "";
  }
  if (document.activeElement !== $("id")) $("id").value = races.formatXgid(race);
  const focused = document.activeElement;
  $("undo").disabled = !done.length;
  $("redo").disabled = !undone.length;
  if (focused?.matches(".tools :disabled")) $(focused.id === "undo" ? "redo" : "undo").focus();
  showStakes();
}

function showStakes() {
  const { kind, mine, theirs, crawford, jacoby, gammons, value, place } = $("stakes-form").elements;
  const atMatch = race.matchLength > 0;
  const away = race.score.map((won) => race.matchLength - won);
  kind.value = atMatch ? "match" : "money";
  [mine.value, theirs.value] = away;
  for (const box of [crawford, jacoby, gammons]) box.checked = race[box.name];
  const oneAway = atMatch && Math.min(...away) === 1 && Math.max(...away) > 1;
  for (const [field, isOffered] of [[mine, atMatch], [theirs, atMatch], [crawford, oneAway], [jacoby, !atMatch]])
    field.closest("label").hidden = !isOffered;
  const values = [...new Set([1, 2, 4, 8, 16, 32, 64, race.cubeValue])];
  setOptions(value, values.map((each) => [each, each]), race.cubeValue);
  const onSides = ["mine", "theirs"];
  const possible = !atMatch ? ["centered", ...onSides] : race.cubeValue === 1 ? ["centered"] : onSides;
  setOptions(place, possible.map((each) => [each, texts.equities.columns[each]]), race.cube);
}

const keyOf = (/** @type {any} */ { dataset: { play, roll, score } }) => [play, roll, score].join();

/** Writes a box anew: the control that has the focus, or the first if it is gone, has it again. */
function rewrite(box, html) {
  const key = box.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  box.innerHTML = html;
  const controls = [...box.querySelectorAll("button")];
  if (key !== null) (controls.find((each) => keyOf(each) === key) ?? controls[0])?.focus();
}

// ------------------------------------------------------------------ asking

let asked = 0;
let enough = 0; // the question after whose first answer nothing closer is wanted

async function ask() {
  const number = ++asked;
  $("verdict").setAttribute("aria-busy", "false");
  if (view() !== "explorer") return; // the engine of a page answers one question at a time
  answers.cancel();
  answer = rolls = null; // of the board before: what is still drawn of it answers nothing
  const why = damage ? "address" : races.whyNoAnswer(race);
  if (why && why !== "risk") return showState(why, damage && `${damage}. ${texts.states.address.text}`);
  $("dice").classList.add("old");
  for (const name of ["map", "counts"]) $(name).classList.toggle("old", shownFor[name] !== keyOfMore());
  $("verdict").setAttribute("aria-busy", "true");
  const late = setTimeout(() => {
    if (number !== asked || answer) return;
    if ($("chances-card").hidden) showState("loading");
    else document.body.classList.add("waiting");
  }, 120);
  try {
    if (why) showRisk(await answers.risk({ xgid: races.formatXgid(race), rolls: true }), number);
    else await askRace(number);
  } catch (error) {
    if (number === asked) showFailure(error, why, number);
  } finally {
    clearTimeout(late);
    if (number === asked) {
      document.body.classList.remove("waiting");
      $("verdict").setAttribute("aria-busy", "false");
      if (answer && !why) askProof(number);
    }
  }
}

async function askRace(number) {
  const question = races.questionOf(race);
  const isInTable = (told) => answers.table && told.method !== "solved" && races.isHome(race);
  const isRough = (told) => ["turns", "estimate"].includes(told.method) && told.error > 0.001;
  const showFirst = (told) => {
    if (number !== asked) return;
    document.body.classList.remove("waiting");
    showAnswer(told, isRough(told));
  };
  showFirst(await answers.solve({ ...question, seconds: answers.quick }, "solve", showProgress, showFirst));
  if (number !== asked) return;
  const rough = isRough(answer) || isInTable(answer);
  const told = await answers.solve({ ...question, rolls: true, seconds: answers.quick }, "rolls");
  if (number !== asked) return;
  rolls = told.rolls;
  showRolls();
  if (rough && enough === number) showAnswer(answer, false);
  else if (rough) {
    const longer = { ...question, seconds: CLOSER_SECONDS, ...(answers.table && { table: true }) };
    const closer = await answers.solve(longer, "solve", showProgress);
    if (number === asked) showAnswer(closer, false);
  }
}

function showFailure(error, why, number) {
  if (error.name === "AbortError") {
    // Stopped by hand: what was found before stays.
    if (answer) showAnswer(answer, false);
    else showState("stopped");
    return;
  }
  if (!(error instanceof NoAnswer)) throw error;
  answer = rolls = null;
  if (error.kind !== "wrong") {
    showState(error.kind);
    setTimeout(() => number === asked && ask(), RETRY_MS);
  } else if (why) {
    const withoutId = error.message.replace(/^'.*?': /, ""); // which stands above
    showState("contact", `${capital(withoutId)}.`);
  }
  else showState("wrong", error.message);
}

/** Between which values the answer lies: asked once it is drawn, and nothing is said if that cannot be had. */
async function askProof(number) {
  const bounds = await orNothing(answers.prove({ ...races.questionOf(race), seconds: PROOF_SECONDS }));
  if (!bounds || number !== asked) return;
  const proved = panels.withinBounds(answer, bounds);
  if (proved !== answer) showAnswer(proved, false);
  const box = $("verdict-body").querySelector(".proof");
  if (box) box.textContent = panels.provedWords(bounds, Boolean(answer.match), answer.error);
}

function showRisk(told, number) {
  if (number !== asked) return;
  showState("loading");
  answer = told;
  rolls = told.rolls ?? null;
  board.classList.add("known");
  $("verdict-body").innerHTML = panels.riskHtml(told);
  announce($("verdict-body").querySelector(".verdict-words").textContent);
  $("dice-card").hidden = !rolls;
  if (rolls) showRolls();
  showPlays();
}

function showProgress(done) {
  const bar = $("verdict-body").querySelector("progress");
  if (bar) /** @type {any} */ (bar).value = done;
}

/** Tells screen readers, once: a text that is set again would be read again. */
function announce(text) {
  if ($("live").textContent !== text) $("live").textContent = text;
}

const CARDS = ["chances", "equities", "race", "dice", "map", "counts"];

function showState(name, message = "") {
  document.body.classList.remove("waiting");
  board.classList.remove("known");
  $("verdict-body").innerHTML = panels.stateHtml(name, message);
  $("plays").innerHTML = "";
  for (const card of CARDS) $(`${card}-card`).hidden = true;
  announce(`${texts.states[name].title}. ${message || texts.states[name].text || ""}`);
  board.preview(null);
}

function showAnswer(told, refining) {
  answer = told;
  board.classList.remove("known");
  const cube = isPlayFirst() ? `<h3>${texts.dice.none}</h3>` : "";
  $("verdict-body").innerHTML = cube + panels.verdictHtml(told, race, refining);
  $("chances").innerHTML = panels.chancesHtml(told);
  $("equities").innerHTML = panels.equitiesHtml(told, race);
  $("race").classList.toggle("old", !told.on_roll); // what takes longest to work out
  if (told.on_roll) $("race").innerHTML = panels.raceHtml(told);
  for (const card of CARDS) $(`${card}-card`).hidden = card === "equities" && !told.equities;
  const heading = $("verdict-body").querySelector(".verdict-words").textContent;
  announce(`${heading}. ${panels.chanceWords(told.win_probability, 1)}.`);
  showPlays();
  if (!rolls) $("dice").classList.add("old");
  lookAtMore();
}

function showRolls() {
  const box = $("dice");
  box.classList.remove("old");
  const ofRisk = answer?.least !== undefined;
  $("dice-hint").textContent = ofRisk ? texts.risk.hint : texts.dice.hint;
  const { none, noneTitle } = texts.dice;
  const before = race.roll ? `<button type="button" class="quiet before" title="${noneTitle}">${none}</button>` : "";
  const html = ofRisk ? panels.riskDiceHtml(rolls, race.roll) : panels.diceHtml(rolls, race.roll, Boolean(answer?.match));
  rewrite(box, html + before);
  panels.roving(box.querySelector("table"));
}

/** Whether the play is asked for first, as by an ID with dice: the cube is over then. */
const isPlayFirst = () => Boolean(race.roll) && !rollPressed;

function showPlays() {
  const plays = $("plays");
  if (plays.closest("section").id !== (isPlayFirst() ? "verdict" : "dice-card")) {
    if (isPlayFirst()) $("verdict-body").before(plays);
    else $("dice-card").append(plays);
  }
  const ofRisk = answer?.least !== undefined;
  const early = Boolean(answer && !ofRisk && !answer.on_roll && race.roll);
  plays.classList.toggle("old", early);
  if (early) return;
  const html = ofRisk ? panels.riskPlaysHtml : panels.playsHtml;
  rewrite(plays, answer?.plays && race.roll ? html(answer.plays, race.roll) : "");
}

// ------------------------------------------------------------------ scores and counts: when they are looked at

const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) /** @type {HTMLElement} */ (target).dataset.seen = isIntersecting ? "yes" : "";
    lookAtMore();
  },
  { rootMargin: "100px" },
);

const shownFor = { map: "", counts: "" };
let pause = 0;

function lookAtMore() {
  clearTimeout(pause);
  pause = setTimeout(() => {
    for (const name of ["map", "counts"]) {
      if ($(`${name}-card`).dataset.seen === "yes" && !$(`${name}-card`).hidden) askMore(name);
    }
  }, 250);
}

let stopped = "";

function stop(line) {
  stopped = line;
  if (line === "solve") enough = asked;
  answers.stop(line);
}

/** The question about scores and counts, which asks for no dice. */
const keyOfMore = () => JSON.stringify(races.questionOf({ ...race, roll: null }));

async function askMore(name) {
  if (!answer || $("explorer").hidden) return;
  const length = Math.max(7, Math.min(15, race.matchLength));
  const key = keyOfMore(), question = JSON.parse(key);
  if (shownFor[name] === key) return;
  shownFor[name] = key;
  stopped = "";
  const box = $(name);
  box.classList.add("old");
  if (!box.innerHTML) box.innerHTML = `<p class="hint">${texts.states.loading.title}</p>`;
  try {
    if (name === "map") {
      rewrite(box, panels.mapHtml(length, race));
      box.classList.remove("old");
      panels.roving(box.querySelector("table"));
      let worst = 0;
      await answers.map({ ...question, length, seconds: SCORE_SECONDS }, (score) => {
        worst = Math.max(worst, score.error);
        panels.fillScore(box, score);
      });
      panels.endMap(box, worst);
    } else {
      box.innerHTML = panels.countsHtml(await answers.counts(question));
    }
    box.classList.remove("old");
  } catch (error) {
    if (shownFor[name] !== key) return;
    const isAborted = error.name === "AbortError", byHand = isAborted && stopped === name; // else by a newer question
    shownFor[name] = byHand || error.kind === "wrong" ? key : "";
    if (byHand) panels.stopMap(box);
    if (isAborted) return;
    if (!(error instanceof NoAnswer)) throw error;
    box.classList.remove("old");
    const why = error.kind === "wrong" ? error.message : texts.states[error.kind].title;
    box.innerHTML = `<p class="hint">${panels.safe(why)}</p>`;
  }
}

// ------------------------------------------------------------------ IDs in and out

/** Reads whatever somebody pastes; FormatError if it is nothing. */
function readText(text) {
  const bare = text.trim(), link = /[?&]xgid=[^#\s]+/.exec(bare);
  const sides = bare.split(/\s*(?:\/|\bv\.?s?\.?(?!\w)|\bagainst\b|;|\n)\s*/i).filter(Boolean);
  if (link) return races.fromQuery(link[0]);
  const read = sides.length === 2 && /^[^:]*[\sx,][^:]*$/i.test(bare) ? races.parseRace(bare) : races.readRace(bare);
  if (read) return read;
  const [mine, theirs] = sides.map((side) => races.padded(formats.parsePosition(side)));
  return { ...races.emptyRace(), mine, theirs };
}

function takeText(text) {
  if (!text.trim()) return;
  const next = races.readOr(() => readText(text), (why) => note(`${texts.tools.unreadable} ${why}`, true));
  $("id").setAttribute("aria-invalid", String(!next));
  if (!next) return;
  note("");
  lastEdit = 0;
  rollPressed = false;
  if (document.activeElement === $("id")) $("verdict").focus({ preventScroll: true });
  change(next);
}

let noteTimer = 0;

function note(text, bad = false) {
  $("note").textContent = text;
  $("note").classList.toggle("bad", bad);
  clearTimeout(noteTimer);
  if (text && !bad) noteTimer = setTimeout(() => ($("note").textContent = ""), 3000);
}

function save(blob, name) {
  panels.download(name, blob);
  note(say(texts.tools.saved, { what: name }));
}

async function pngOf(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = BOARD_SIZE.map((size) => 2 * size);
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

async function copy(what) {
  const words = texts.tools;
  if (what === "json" && !answer) return note(texts.states.wrong.title, true);
  if (what === "svg") return save(new Blob([boardSvg(race)], { type: "image/svg+xml" }), "race.svg");
  if (what === "png") return save(await pngOf(boardSvg(race)), "race.png");
  const text = races.readOr(() => textFor(what), (why) => note(why, true)); // a position ID is for races
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text);
    note(say(words.copied, { what: words.copies[what] }));
  } catch {
    note(words.notCopied, true);
  }
}

/** Closes the list of what can be copied; if the focus is in it, its button has the focus. */
function closeCopies() {
  if ($("copies").contains(document.activeElement)) $("copy").querySelector("summary").focus();
  $("copy").open = false;
}

function textFor(what) {
  if (what === "link") return location.href;
  if (what === "xgid") return races.formatXgid(race);
  if (what === "json") return JSON.stringify(answer, null, 2);
  const [onRoll, opponent] = [race.mine, race.theirs].map((side) => side.slice(0, races.POINTS));
  if (what === "position") return formats.formatPositionId({ onRoll, opponent });
  const sides = races.contactPoints(race).length
    ? races.formatXgid(race)
    : [onRoll, opponent].map((side) => formats.formatPosition(side)).join(" / ");
  const lines = [sides, panels.stakesWords(panels.asTaken(race, answer))];
  if (answer?.win_probability !== undefined) {
    const verdict = $("verdict-body").querySelector(".verdict-words").textContent;
    lines.push(`${verdict}; ${texts.chances.you} ${percent(answer.win_probability, 2)}`);
  }
  return [...lines, location.href].join("\n");
}

// ------------------------------------------------------------------ views

const VIEWS = ["explorer", "trainer", "review"];
/** @type {Record<string, Promise<any>>} modules of views that have been looked at */
const modules = {};

const view = () => VIEWS.find((name) => location.hash === `#${name}`) ?? "explorer";

const doors = {
  explore: (next) => {
    history.pushState(null, "", "#");
    showView();
    lastEdit = 0;
    change(next);
  },
  train: async (cards) => {
    location.hash = "trainer";
    const trainer = await showView();
    trainer.learn(cards);
    trainer.resume();
  },
};

/** The module of a view: without a connection, which is said in its place, it is asked for again. */
async function started(name) {
  let module;
  while (!module) {
    try {
      module = await (name === "trainer" ? import("./trainer.js") : import("./review.js"));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      $(name).innerHTML = `<section class="card">${panels.stateHtml("offline")}</section>`;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  $(name).replaceChildren($(`${name}-parts`).content.cloneNode(true));
  writeWords($(name));
  module.start($(name), doors);
  return module;
}

async function showView() {
  const now = view();
  const changed = $(now).hidden;
  for (const name of VIEWS) {
    $(name).hidden = name !== now;
    $(`to-${name}`).ariaCurrent = name === now ? "page" : null;
  }
  if (changed) {
    answers.cancel();
    ask();
  }
  if (now === "explorer") return null;
  const isKnown = now in modules;
  const module = await (modules[now] ??= started(now));
  if (changed && isKnown) module.resume?.();
  return module;
}

/** A file that was dropped: of a match, a report, or text with an ID. */
async function takeFile(file) {
  const isPage = /^\s*<!doctype html/i.test(await file.slice(0, 100).text());
  if (!answers.review && !isPage) return takeText((await file.text()).slice(0, 5000));
  location.hash = "review";
  return (await showView()).open(file);
}

/**
 * Takes the race of the address.
 * @param {any[][] | null} step  the lists of Undo and Redo; null where Back and Forward may have led to either
 */
function fromAddress(step = null) {
  damage = "";
  const next = races.readOr(() => races.fromQuery(location.search) ?? races.readRace(START), (why) => {
    damage = why;
    return races.emptyRace();
  });
  const reached = (steps) => steps.length && races.toQuery(steps.at(-1)) === races.toQuery(next);
  const [from, to] = step ?? (reached(done) ? [done, undone] : reached(undone) ? [undone, done] : [[], []]);
  if (from.pop()) to.push(race);
  race = next;
  lastEdit = 0;
  show();
  if (damage) $("id").value = new URLSearchParams(location.search).get("xgid");
  ask();
}

// ------------------------------------------------------------------ what users do

/** The board, and the buttons that change the race on it. */
function listenToBoard() {
  board.addEventListener("edit", (/** @type {any} */ event) => change({ ...race, ...event.detail, roll: null }));
  board.addEventListener("cube", () => {
    const cube = /** @type {import("./race.js").Place} */ (
      { centered: "mine", mine: "theirs", theirs: "centered" }[race.cube]);
    const atMatch = { centered: 1, mine: 2, theirs: race.cubeValue }[cube]; // of 1 it is in the middle, else on a side
    change({ ...race, cube, cubeValue: race.matchLength ? atMatch : race.cubeValue });
  });
  board.addEventListener("die", (/** @type {any} */ event) => {
    const roll = [.../** @type {[number, number]} */ (race.roll)];
    roll[event.detail] = (roll[event.detail] % 6) + 1;
    change({ ...race, roll: races.sortedRoll(roll[0], roll[1]) });
  });
  $("undo").addEventListener("click", () => travel(done, undone));
  $("redo").addEventListener("click", () => travel(undone, done));
  $("swap").addEventListener("click", () => change(races.swapped(race)));
  $("clear").addEventListener("click", () => {
    const { mine, theirs } = races.emptyRace();
    change({ ...race, mine, theirs, roll: null });
  });
  $("random").addEventListener("click", async () => {
    const list = await orNothing(recordedRaces());
    if (!list) return note(texts.states.offline.title, true);
    lastEdit = 0;
    return change(races.readRace(list.ids[Math.floor(Math.random() * list.ids.length)]));
  });
  $("brush").addEventListener("change", (/** @type {any} */ event) => (board.brush = event.target.value));
}

/** Language and theme, IDs, what is pasted and copied, the stakes. */
function listenToTexts() {
  $("language").addEventListener("change", () => choose($("language").value));
  $("theme").addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf($("theme").dataset.now) + 1) % THEMES.length];
    setTheme(next);
    keep("bgrace-theme", next);
  });
  $("id-form").addEventListener("submit", (/** @type {any} */ event) => {
    event.preventDefault();
    takeText($("id").value);
  });
  $("id").addEventListener("focus", () => $("id").select());
  document.addEventListener("paste", (/** @type {any} */ event) => {
    const text = event.clipboardData.getData("text").trim();
    const box = event.target.closest("input, textarea"); // which has no lines
    if (!box || box === $("id")) setTimeout(() => takeText(box && !text.includes("\n") ? box.value : text));
  });
  $("copies").addEventListener("click", (/** @type {any} */ event) => {
    const what = event.target.dataset.copy;
    if (!what) return;
    copy(what);
    closeCopies();
  });
  for (const name of ["click", "focusin"]) {
    document.addEventListener(name, (/** @type {any} */ event) => {
      if (!event.target.closest("#copy")) $("copy").open = false;
    });
  }
  $("stakes-form").addEventListener("change", (/** @type {any} */ event) => changeStakes(event.target));
}

/** Dice, plays, the verdict and the map of scores. */
function listenToAnswers() {
  $("dice").addEventListener("click", (/** @type {any} */ event) => {
    const chosen = event.target.closest(".roll")?.dataset.roll;
    rollPressed ||= Boolean(chosen);
    if (chosen) change({ ...race, roll: [Number(chosen[0]), Number(chosen[1])] });
    else if (event.target.closest(".before")) change({ ...race, roll: null });
  });
  board.previewFrom($("plays"), playAt);
  board.previewFrom($("dice"), bestAt);
  $("plays").addEventListener("click", (/** @type {any} */ event) => {
    const play = playAt(event.target);
    if (!play) return;
    lastEdit = 0;
    board.classList.remove("turned");
    $("verdict").focus({ preventScroll: true });
    change(races.played(race, play.position, play.play));
    requestAnimationFrame(() => board.classList.add("turned"));
  });
  $("verdict-body").addEventListener("click", (/** @type {any} */ event) => {
    if (event.target.closest("[data-stop]")) stop("solve");
    else if (event.target.closest("[data-again]")) ask();
  });
  $("map").addEventListener("click", (/** @type {any} */ event) => {
    if (event.target.closest("[data-stop]")) stop("map");
    if (event.target.closest("[data-again]")) {
      shownFor.map = "";
      askMore("map");
    }
    const score = event.target.closest("[data-score]")?.dataset.score.split(",").map(Number);
    if (score) change(atScore(score[0], score[1]));
  });
}

/** Keys, links, files that are dropped, and the address. */
function listenToPage() {
  document.addEventListener("keydown", (/** @type {any} */ event) => {
    if (event.key === "Escape") closeCopies();
    if (!(event.ctrlKey || event.metaKey) || event.target.closest("input") || $("explorer").hidden) return;
    if (event.key === "z" && !event.shiftKey) travel(done, undone);
    else if (event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey)) travel(undone, done);
    else return;
    event.preventDefault();
  });
  $("skip").addEventListener("click", (/** @type {any} */ event) => {
    event.preventDefault(); // its address would be that of the explorer
    $(view()).querySelector(".verdict, .question, [aria-labelledby=review-head]")?.focus();
  });
  $("to-explorer").addEventListener("click", (/** @type {any} */ event) => {
    event.preventDefault();
    history.pushState(null, "", races.toQuery(race));
    showView();
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer?.files.length) takeFile(event.dataTransfer.files[0]);
    else takeText(event.dataTransfer?.getData("text") ?? "");
  });
  window.addEventListener("popstate", () => {
    fromAddress();
    showView();
  });
  window.addEventListener("hashchange", showView);
  window.addEventListener("online", () => ask());
}

const playAt = (element) => answer?.plays?.[element.closest("tr")?.querySelector("[data-play]")?.dataset.play];

const bestAt = (element) => {
  const roll = element.closest(".roll")?.dataset.roll;
  return rolls?.find((each) => each.roll.join("") === roll)?.plays[0];
};

/** The same race at a score. */
function atScore(mine, theirs) {
  const matchLength = Math.max(mine, theirs, race.matchLength);
  const score = /** @type {[number, number]} */ ([matchLength - mine, matchLength - theirs]);
  const cube = races.placeAtScore(race.cubeValue, race.cube);
  return { ...race, matchLength, score, cube, crawford: false, jacoby: false, beavers: false };
}

function changeStakes(input) {
  const { name, value, checked } = input;
  if (name === "kind") {
    change(value === "match" ? atScore(5, 5) : { ...race, matchLength: 0, score: [0, 0], crawford: false });
  } else if (name === "mine" || name === "theirs") {
    const needs = Math.max(1, Math.min(25, Math.round(Number(value)) || 1));
    const away = race.score.map((won) => race.matchLength - won);
    const [mine, theirs] = name === "mine" ? [needs, away[1]] : [away[0], needs];
    change({ ...atScore(mine, theirs), crawford: race.crawford && Math.min(mine, theirs) === 1 && mine !== theirs });
  } else if (name === "value") {
    const cubeValue = Number(value);
    const cube = race.matchLength ? races.placeAtScore(cubeValue, race.cube) : race.cube;
    change({ ...race, cubeValue, cube });
  } else if (name === "place") {
    change({ ...race, cube: value });
  } else {
    change({ ...race, [name]: checked });
  }
}

writeTexts();
setTheme(THEMES.find((theme) => theme === kept("bgrace-theme")) ?? "auto");
listenToBoard();
listenToTexts();
listenToAnswers();
listenToPage();
for (const name of ["map", "counts"]) seen.observe($(`${name}-card`));
fromAddress();
showView();
