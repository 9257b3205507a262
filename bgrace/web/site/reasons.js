/**
 * Why a decision is right, in words: a language file (bgrace/answers/words/), which Python reads too.
 */

/** @type {any} */
let words = null;

/** Fetch the words, once; without them there are no sentences. */
export const loadReasons = async (language = "en") => {
  words ??= await (await fetch(`reasons.${language}.json`)).json();
};

const shown = (value, how) => {
  if (how in words.counted) {
    const of = Math.round(value);
    return words.counted[how][of === 1 ? 0 : 1].replace("{}", String(of));
  }
  const digits = { "%": 1, "%%": 2 }[how];
  const number = (digits === undefined ? value.toFixed(Number(how.slice(1))) : (100 * value).toFixed(digits)).replace(".", words.decimal_point);
  return digits === undefined ? number : words.per_cent.replace("{}", number);
};

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The sentences of a reason of the JSON, without the race where that has been told; "" before the words are there. */
export const sentenceOf = (reason, raceTold = false) =>
  words === null
    ? ""
    : capital(reason.phrases.slice(raceTold ? reason.phrases.findIndex((phrase) => phrase.key === "stop") + 1 : 0).map((phrase) => words.phrases[phrase.key].replace(/\{(\w+):([^}]+)\}/g, (_, name, how) => shown(phrase[name], how))).join("").trim());

/** What a decision is called, and its terms in points, without those that are nothing, as they are shown. */
export const headOf = (decision) => words[decision];
export const termsOf = (reason) =>
  Object.entries(reason.terms).filter(([, points]) => Math.abs(points) >= 0.00005).map(([name, points]) => [words.terms[name], points]);

export const reasonsLoaded = () => words !== null;
