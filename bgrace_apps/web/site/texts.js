/**
 * Every word that the page says, from the file of its language (bgrace/_base/words/), which Python reads too.
 *
 * index.html names entries with data-text (the content), data-label (the name for a screen reader) and data-title (what
 * is shown under the mouse).
 */

/** Languages by their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", es: "Español", ja: "日本語" };
const STORE = "bgrace-language";

/** What this browser keeps by a name; null if there is nothing, or storage is switched off. */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text, and says whether that could be done: storage may be full or switched off. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** What was chosen here, else the first of the browser's languages that is known. */
export const language =
  [kept(STORE), ...navigator.languages].map((name) => (name ?? "").slice(0, 2)).find((name) => name in LANGUAGES) ?? "en";

/** Keeps a language, and shows the page in it. */
export function choose(name) {
  if (keep(STORE, name)) location.reload();
}

/** @type {any} */
const words = await (await fetch(`words.${language}.json`)).json();
export const texts = words.page;
export const countNames = words.counts;
export const culpritTexts = words.culprit;
export const phraseTexts = words.phrases;
export const isDraft = Boolean(words.draft);

/** A number as this language writes it, with `digits` behind the point. */
export const decimal = (x, digits) => x.toFixed(digits).replace(".", words.decimal_point);

/** A share of 1. */
export const percent = (x, digits = 1) => words.per_cent.replace("{}", decimal(100 * Math.min(Math.max(x, 0), 1), digits));

function shown(value, how) {
  if (how === undefined) return String(value);
  if (how in words.counted) {
    const of = Math.round(value);
    return words.counted[how][Number(!words.singular.includes(of))].replace("{}", String(of));
  }
  if (how.startsWith("%")) return percent(value, how.length);
  return decimal(value, Number(how.slice(1)));
}

/** A text with its values: {name} as it is, {name:pips} counted, {name:.1} with digits, {name:%} in percent. */
export const say = (text, values) => text.replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name, how) => shown(values[name], how));

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Why a decision is right: the sentences of a reason of the JSON, without the race where that has been told. */
export function sentenceOf({ phrases }, raceTold = false) {
  const first = raceTold ? phrases.findIndex(({ key }) => key === "stop") + 1 : 0;
  return capital(phrases.slice(first).map((phrase) => say(words.phrases[phrase.key], phrase)).join("").trim());
}

/** What a decision is called, and its terms in points, without those that are nothing, as they are shown. */
export const headOf = (decision) => words[decision];
export const termsOf = (reason) =>
  Object.entries(reason.terms)
    .filter(([, points]) => Math.abs(points) >= 0.00005)
    .map(([name, points]) => [words.terms[name], points]);
