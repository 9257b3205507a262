/**
 * Reviews of matches: the report that `bgrace review --html` writes, made by the server or read from a file.
 *
 * Nothing of it is written here.  It stands in a shadow root with its own style; its mistakes go to the trainer.
 */

import { NoAnswer, answers } from "./answers.js";
import * as panels from "./panels.js";
import * as races from "./race.js";
import { say, texts } from "./texts.js";

const MATCHES = ".mat,.gam,.txt,.sgf,.xg,.xgp,.bgf,.ogxm,";
const KINDS = { play: "play", cube: "double", answer: "take" }; // of decisions, as the trainer calls them

/** @type {HTMLElement} */
let root;
/** @type {ShadowRoot} */
let reports;
let explore;
let train;

const $ = (name) => /** @type {any} */ (root.querySelector(`[data-part="${name}"]`));

/**
 * @param {HTMLElement} element
 * @param {{explore: (race: import("./race.js").Race) => void, train: (cards: any[]) => void}} doors
 */
export function start(element, doors) {
  root = element;
  ({ explore, train } = doors);
  const words = texts.review;
  $("lead").textContent = answers.review ? words.lead : words.leadOfPage;
  $("file").accept = `${answers.review ? MATCHES : ""}.html`;
  reports = $("reports").attachShadow({ mode: "open" });
  reports.addEventListener("click", pressed);
  $("file").addEventListener("change", () => {
    if ($("file").files[0]) open($("file").files[0]);
    $("file").value = "";
  });
  root.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("[data-stop]")) answers.stop("review");
  });
}

/** Shows the report of a file, or that is one. */
export async function open(/** @type {File} */ file) {
  const words = texts.review;
  reports.replaceChildren();
  $("state").innerHTML = `<p class="hint">${panels.safe(say(words.reading, { name: file.name }))}</p>${panels.workHtml(1)}`;
  try {
    if (await isReport(file)) show(await file.text());
    else if (answers.review) await answers.review(file, heard);
    else throw new NoAnswer("wrong", say(words.noReview, { name: file.name }));
    $("state").innerHTML = `<p class="hint">${panels.safe(reports.firstChild ? file.name : words.noMatch)}</p>`;
  } catch (error) {
    if (!(error instanceof NoAnswer) && error.name !== "AbortError") throw error;
    const isStopped = error.name === "AbortError", { title, text } = texts.states[isStopped ? "stopped" : error.kind];
    const said = error.kind === "wrong" ? error.message : isStopped ? title : `${title}. ${text}`;
    $("state").innerHTML = `<p class="bad">${panels.safe(said)}</p>`;
  }
}

/** Whether `bgrace review --html` wrote a file. */
const MARK = '<meta name="generator" content="bgrace review">';
const isReport = async (/** @type {File} */ file) => (await file.slice(0, 1000).text()).includes(MARK);

function heard(told) {
  if (told.error) throw new NoAnswer("wrong", told.message);
  if (told.html) show(told.html);
  const bar = $("state").querySelector("progress");
  if (bar && told.of) [bar.max, bar.value] = [told.of, told.done];
}

function show(/** @type {string} */ html) {
  const [before, css = "", after = ""] = html.split(/<style>([^<]*)<\/style>/); // which the page's policy would not apply
  const report = new DOMParser().parseFromString(before + after, "text/html");
  const style = new CSSStyleSheet();
  style.replaceSync(css);
  reports.adoptedStyleSheets = [style];
  for (const foot of reports.querySelectorAll("footer")) foot.remove(); // of the report before: it explains them all
  for (const title of report.querySelectorAll("h1")) {
    const below = document.createElement("h2"); // this page has a title of its own
    below.className = "title";
    below.append(...title.childNodes);
    title.replaceWith(below);
  }
  const parts = [...report.body.querySelectorAll(":scope > :is(header, article, footer)")];
  for (const article of parts.filter((part) => part.matches("article"))) addButtons(article, report.title);
  reports.append(...parts);
}

/** A button for the mistakes of each player, or for all positions of a file without games. */
function addButtons(/** @type {Element} */ article, /** @type {string} */ title) {
  const source = article.querySelector("h2")?.textContent ?? title;
  const players = [...article.querySelectorAll(".cards .card")];
  for (const [player, place] of (players.length ? players : [article]).entries()) {
    const cards = [...article.querySelectorAll("[data-kind]")]
      .map((element) => /** @type {HTMLElement} */ (element))
      .filter(({ dataset }) => dataset.kind && KINDS[dataset.kind] && (!dataset.done || dataset.player === `${player}`))
      .map(({ dataset: { kind, xgid, where, done } }) =>
        ({ kind: KINDS[kind ?? ""], xgid: xgid?.replace(":D:", ":00:"), from: [source, where].join(", "), done }));
    if (!cards.length) continue;
    const button = document.createElement("button");
    const name = place.querySelector("h3")?.textContent;
    button.textContent = players.length ? say(texts.review.train, { name, n: cards.length }) : texts.review.trainPositions;
    button.addEventListener("click", () => train(cards));
    place.append(button);
  }
}

/** Links lead to positions in the explorer, and to places in the report. */
function pressed(/** @type {Event} */ event) {
  const link = /** @type {Element} */ (event.target).closest("a");
  if (!link) return;
  event.preventDefault();
  const address = link.getAttribute("href") ?? "";
  const race = races.parseRace(new URLSearchParams(address.split("?")[1]).get("xgid") ?? "");
  const place = reports.getElementById(address.slice(1));
  if (race) explore(race);
  else if (place) {
    place.scrollIntoView();
    place.tabIndex = -1;
    place.focus({ preventScroll: true }); // so that the tab key goes on from there
  }
}
