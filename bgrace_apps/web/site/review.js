/**
 * Reviews of matches: made by the server from the file of a match, or read from what `bgrace review --json` wrote.
 *
 * Both are the same JSON (docs/review-json.md); nothing of it is judged here.
 */

import { NoAnswer, answers } from "./answers.js";
import * as panels from "./panels.js";
import * as races from "./race.js";
import { countNames, culpritTexts, decimal, percent, say, sentenceOf, texts } from "./texts.js";

const SHOWN = 100; // mistakes of a match
const MAX_CHOICES = 5;
const KINDS = { play: "play", cube: "double", answer: "take" }; // of decisions, as the trainer calls them

/** @type {HTMLElement} */
let root;
let explore;
let train;
/** @type {any[]} */
let matches = [];

const $ = (name) => /** @type {any} */ (root.querySelector(`[data-part="${name}"]`));

/**
 * @param {HTMLElement} element
 * @param {{explore: (race: import("./race.js").Race) => void, train: (cards: any[]) => void}} doors
 */
export function start(element, doors) {
  root = element;
  ({ explore, train } = doors);
  const words = texts.review;
  root.innerHTML =
    `<section class="card" aria-labelledby="review-head"><h2 id="review-head">${words.heading}</h2><p class="hint">${answers.review ? words.lead : words.leadOfPage}</p>` +
    `<p class="buttons"><label class="main file">${words.choose}<input type="file" class="hidden" data-part="file" accept="${answers.review ? ".mat,.gam,.txt,.sgf,.xg,.xgp,.bgf,.ogxm,.html,.json,.jsonl" : ".json,.jsonl"}"></label></p>` +
    `<div data-part="state" role="status"></div></section><div data-part="matches" class="matches"></div>`;
  $("file").addEventListener("change", () => {
    if ($("file").files[0]) open($("file").files[0]);
    $("file").value = "";
  });
  root.addEventListener("click", pressed);
}

/** Shows the review of a file. */
export async function open(/** @type {File} */ file) {
  const words = texts.review;
  $("matches").innerHTML = "";
  matches = [];
  $("state").innerHTML = `<p class="hint">${panels.safe(say(words.reading, { name: file.name }))}</p>${panels.workHtml(1)}`;
  try {
    const told = await reviewsIn(file);
    if (told) told.forEach(show);
    else if (answers.review) await answers.review(file, heard);
    else throw new NoAnswer("wrong", say(words.noReview, { name: file.name }));
    $("state").innerHTML = `<p class="hint">${panels.safe(matches.length ? file.name : words.noMatch)}</p>`;
  } catch (error) {
    if (!(error instanceof NoAnswer) && error.name !== "AbortError") throw error;
    const said = error.name === "AbortError" ? texts.states.stopped.title : error.kind === "wrong" ? error.message : `${texts.states[error.kind].title}. ${texts.states[error.kind].text}`;
    $("state").innerHTML = `<p class="bad">${panels.safe(said)}</p>`;
  }
}

/** The reviews of a file that bgrace wrote; null if it is another file. */
async function reviewsIn(file) {
  if (!/^\s*\{/.test(await file.slice(0, 100).text())) return null;
  const text = await file.text();
  const parsed = (/** @type {string} */ json) => {
    try {
      return JSON.parse(json);
    } catch {
      return null;
    }
  };
  const whole = parsed(text);
  const told = (whole ? [whole] : text.split("\n").filter((line) => line.trim()).map(parsed)).flatMap((each) => each?.reviews ?? [each]);
  return told.every((each) => each?.format === "bgrace review" && each.version === 1) ? told : null;
}

function heard(told) {
  if (told.error) throw new NoAnswer("wrong", told.message);
  if (told.review) show(told.review);
  const bar = $("state").querySelector("progress");
  if (bar && told.of) [bar.max, bar.value] = [told.of, told.done];
}

// ------------------------------------------------------------------ a match

/** What something costs: of the match, or in points for money. */
const cost = (length, loss, sign = false) => (length ? (sign ? panels.signedPercent : percent)(loss, 2) : say(texts.review.points, { points: sign ? panels.signed(loss) : decimal(loss, 3) }));

function show(told) {
  const words = texts.review;
  const number = matches.length;
  const decisions = told.games.flatMap((game) => game.decisions);
  const mistakes = decisions.filter((each) => each.error_class || each.done === null).sort((a, b) => b.loss - a.loss);
  let html;
  try {
    html = headHtml(told, number, mistakes) + mistakes.slice(0, SHOWN).map((each, k) => mistakeHtml(told, each, `${number},${k}`)).join("");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new NoAnswer("wrong", words.damaged); // by whatever wrote the file
  }
  matches.push({ told, mistakes });
  $("matches").insertAdjacentHTML("beforeend", `<section class="reviewed">${html}</section>`);
  for (const board of $("matches").querySelectorAll("bg-board:not([data-shown])")) {
    const [m, k] = board.dataset.at.split(",").map(Number);
    const decision = matches[m].mistakes[k];
    board.dataset.shown = "";
    board.readOnly = true;
    board.show(raceOf(decision));
    board.preview(decision.kind === "play" ? races.movesOf(decision.best) : null);
  }
}

/** The board of a decision, seen by the player who decides. */
function raceOf(decision) {
  const race = races.parseRace(decision.xgid);
  if (!race) throw new NoAnswer("wrong", texts.review.damaged);
  return decision.player === decision.on_roll ? race : races.swapped(race);
}

function headHtml(told, number, mistakes) {
  const words = texts.review;
  const { length, players, summary } = told;
  const rows = [
    [words.rows.pr, (tally) => (tally.pr === null ? "" : decimal(tally.pr, 2))],
    [words.rows.choices, (tally) => tally.counted],
    [words.rows.mistakes, (tally) => tally.errors],
    [words.rows.close, (tally) => tally.too_close],
    [words.rows.lost, (tally) => cost(length, tally.loss)],
    [words.rows.luck, (tally) => cost(length, tally.luck, true)],
  ].map(([name, value]) => `<tr><th scope="row">${name}</th>${summary.map((tally) => `<td class="num">${/** @type {any} */ (value)(tally)}</td>`).join("")}</tr>`);
  const positions = told.games.every((game) => !game.number);
  const presses = (positions ? [""] : players).map((name, player) => {
    const n = cardsOf(mistakes, player, told).length;
    return n ? `<button type="button" class="quiet" data-train="${number},${player}">${panels.safe(say(positions ? words.trainPositions : words.train, { name, n }))}</button>` : "";
  });
  const table = positions ? "" : `<table class="race-table"><thead><tr><td></td>${players.map((name) => `<th scope="col">${panels.safe(name)}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
  const problems = told.problems.map((each) => `<li>${panels.safe(each.game ? `${whereWords(each)}: ${each.text}` : each.text)}</li>`).join("");
  return (
    `<section class="card tally"><h2>${panels.safe(positions ? told.source : `${players.join(" – ")}, ${length ? say("{n:points}", { n: length }) : texts.stakes.money}`)}</h2>${table}` +
    `<p class="buttons">${presses.join(" ")}</p>${mistakes.length ? "" : `<p>${words.none}</p>`}${mistakes.length > SHOWN ? `<p class="hint">${say(words.more, { n: mistakes.length, shown: SHOWN })}</p>` : ""}` +
    `${problems ? `<details><summary>${words.problems}</summary><ul>${problems}</ul></details>` : ""}</section>`
  );
}

function mistakeHtml(told, decision, at) {
  const words = texts.review;
  const race = raceOf(decision);
  const { player, kind, game, done, choices } = decision;
  const names = game ? [told.players[player], told.players[1 - player]] : [texts.board.you, texts.board.opponent];
  const atScore = race.matchLength > 0;
  const unit = atScore ? 1 : race.cubeValue;
  const listed = choices.filter((choice, k) => k < MAX_CHOICES || choice.name === done);
  const rows = listed.map((choice) => {
    const lost = unit * (choices[0].value - choice.value);
    const is = decision.as_good.includes(choice.name) ? "right" : choice.name === done ? "done" : "";
    return `<tr class="${is}"><th scope="row">${panels.safe(panels.choiceWords(choice.name))}</th><td class="num">${atScore ? percent(choice.value, 2) : panels.signed(unit * choice.value)}</td><td class="num">${lost > 0 ? panels.MINUS + cost(race.matchLength, lost) : ""}</td></tr>`;
  });
  const asked = kind === "play" ? say(words.played, { roll: (race.roll ?? []).join("-") }) : kind === "cube" ? words.cube : kind === "answer" ? words.answer : words.resign;
  const sure = decision.error ? say(words.near, { error: decimal(decision.error, 4) }) : texts.verdict.methods.exact;
  return (
    `<article class="card mistake"><div class="board-card"><p class="player theirs"><i></i>${panels.safe(names[1])}</p><bg-board data-at="${at}"></bg-board><p class="player mine"><i></i>${panels.safe(names[0])}</p></div>` +
    `<div><h3>${panels.safe(whereWords(decision))}</h3><p>${panels.safe(`${asked}: `)}<b>${panels.safe(done === null ? "" : panels.choiceWords(done))} ${panels.safe(decision.mark)}</b></p>` +
    `<table class="choices">${rows.join("")}</table><p class="stakes-words">${panels.safe(panels.stakesWords(race))}</p><p class="method">${panels.safe(sure)}${decision.proved ? ` <b>${words.proved}</b>` : ""}</p>` +
    (decision.reason ? `<p class="reason">${panels.safe(sentenceOf(decision.reason))}</p>` : "") +
    countsLine(decision) +
    `<p class="buttons"><button type="button" class="quiet" data-explore="${at}">${texts.train.explore}</button></p></div></article>`
  );
}

/** Which counts are wrong about a decision, and why the first one is. */
function countsLine({ kind, xgid, wrong_counts: wrong = {} }) {
  const [first, ...others] = Object.keys(wrong);
  if (!first) return "";
  const asked = kind === "answer" ? "take" : races.parseRace(xgid)?.cube === "mine" ? "redouble" : "double";
  const listed = others.map((name) => `, ${countNames[name]}`).join("");
  return `<p class="hint">${panels.safe(say(culpritTexts.wrong, { first: countNames[first], culprit: panels.culpritSaid(wrong[first], asked), others: listed }))}</p>`;
}

/** Where in a match, or a list of positions, something stands. */
const whereWords = ({ game, move }) => (game ? say(texts.review.where, { game, move }) : say(texts.review.position, { n: move }));

/** Mistakes of a player as cards of the trainer. */
const cardsOf = (mistakes, player, told) =>
  mistakes
    .filter((each) => KINDS[each.kind] && (each.done === null || each.player === player))
    .map((each) => ({ kind: KINDS[each.kind], xgid: each.xgid.replace(":D:", ":00:"), from: each.game ? `${told.players.join(" – ")}, ${whereWords(each)}` : told.source, done: each.done ?? "" }));

function pressed(event) {
  const { train: whose, explore: at } = event.target.dataset;
  if (event.target.closest("[data-stop]")) answers.stop("review");
  if (whose) {
    const [number, player] = whose.split(",").map(Number);
    train(cardsOf(matches[number].mistakes, player, matches[number].told));
  } else if (at) {
    const [number, k] = at.split(",").map(Number);
    explore(/** @type {any} */ (races.parseRace(matches[number].mistakes[k].xgid)));
  }
}
