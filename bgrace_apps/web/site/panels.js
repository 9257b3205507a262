/**
 * What an answer looks like: each function fills one part of the page.
 *
 * Nothing is computed here but differences of numbers that the answer has.  No style attributes: the page's policy for
 * contents forbids them.
 */

import {
  capital, countNames, culpritTexts, decimal, headOf, percent, phraseTexts, say, sentenceOf, termsOf, texts,
} from "./texts.js";

const TAGS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as HTML has it. */
export const safe = (text) => String(text).replace(/[&<>"']/g, (letter) => TAGS[letter]);

export const MINUS = "−";

/** A number of points with its sign. */
export const signed = (x, digits = 3) => {
  const text = Math.abs(x).toFixed(digits);
  return (Number(text) === 0 ? "" : x < 0 ? MINUS : "+") + decimal(Math.abs(x), digits);
};

export const plain = (x, digits = 3) => (x < 0 ? signed(x, digits) : decimal(x, digits));

/** When two choices are too close for an answer to tell them apart: as bgrace.answers.closeness. */
export const closeness = (error) => Math.min(Math.max(error, 0.00005), 0.002);

/** A count of pips: whole, or to a tenth. */
export const count = (x) => decimal(x, Number(!Number.isInteger(x)));

const listed = (names) => names.join(phraseTexts.comma);

// Parts of many tables and cards.
const methodHtml = (text) => `<p class="method">${text}</p>`;
export const headingHtml = (text) => `<h2 class="verdict-words">${text}</h2>`;
export const quietHtml = (data, text) => `<button type="button" class="quiet" ${data}>${text}</button>`;
export const headCell = (text) => `<th scope="row">${text}</th>`;
export const numCell = (text, kind = "") => `<td class="num ${kind}">${text}</td>`;

/** The heads of columns. */
const headsHtml = (names) => names.map((name) => `<th scope="col">${name}</th>`).join("");

/** A table whose rows begin with what they are of. */
export const tableHtml = (kind, names, rows) =>
  `<table class="${kind}"><thead><tr><td></td>${headsHtml(names)}</tr></thead><tbody>${rows.join("")}</tbody></table>`;

/** Hands a file to the browser. */
export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// ------------------------------------------------------------------ the verdict

/** The three choices in points, and what each wrong one costs; null where there is no cube to turn. */
export function choicesOf(action) {
  const of = action.normalised ?? action;
  if (action.double_take === null || of.double_take === null || of.no_double === null) return null;
  return {
    no: of.no_double,
    take: of.double_take,
    pass: of.double_pass,
    double: Math.min(of.double_take, of.double_pass) - of.no_double,
    taking: of.double_pass - of.double_take,
  };
}

/** The verdict in the words of players. */
export function verdictWords(action, error) {
  const words = texts.verdict;
  const choices = choicesOf(action);
  if (!choices || action.double === null) return words.none;
  const close = closeness(error);
  const what = action.cube === "mine" ? words.redouble : words.double;
  let answer = action.take ? words.take : words.pass;
  if (action.beaver) answer = words.beaver;
  if (Math.abs(choices.taking) <= close) answer = words.optionalTake;
  let doubled = action.double ? what.yes : what.no;
  if (Math.abs(choices.double) <= close) doubled = what.optional;
  if (action.verdict === "too good") doubled = what.good;
  const margins = [choices.double, choices.taking].map(Math.abs);
  if (!margins.some((margin) => margin > close && margin <= error)) return `${doubled}, ${answer}`;
  return `${doubled}, ${answer}, ${say(words.tooClose, { error: plain(error, error >= 0.01 ? 2 : 4) })}`;
}

/** A choice of a cube in words; plays are as they are. */
export const choiceWords = (name) => {
  const { double, take, pass, beaver } = texts.verdict;
  const answers = { take: capital(take), pass: capital(pass), beaver: capital(beaver) };
  return { double: double.yes, "no double": double.no, ...answers }[name] ?? name;
};

/** Where an answer comes from, and how close it is. */
export function methodWords(answer) {
  const words = texts.verdict.methods;
  if (answer.method === "one-sided") return words.estimate;
  if (answer.method === "estimate") return say(words.rough, { error: decimal(answer.error, 2) });
  if (answer.method === "turns") return say(words.turns, { error: decimal(Math.max(answer.error, 0.0001), 4) });
  if (answer.method === "solved") return words.exact;
  if (answer.error <= 0) return words.exactFile;
  // The error of an approximate file, to four places, is rounded up.
  return say(words.nearFile, { error: decimal(Math.ceil(Number((answer.error * 1e4).toFixed(6))) / 1e4, 4) });
}

/** Bounds of the value that are further apart, or than the error, say less than those of the chance to win. */
const PROVED_NEAR = 0.05;

/** An answer with the values that are outside of what is proved put to the nearest that is not. */
export function withinBounds(answer, bounds) {
  const inside = (value, of) => (of ? Math.min(Math.max(value, of[0]), of[1]) : value);
  const action = answer.cube_action;
  const no_double = inside(action.no_double, bounds.no_double);
  const double_take = action.double_take === null ? null : inside(action.double_take, bounds.double_take);
  const win_probability = inside(answer.win_probability, bounds.win);
  const isWithin = no_double === action.no_double && double_take === action.double_take;
  if (isWithin && win_probability === answer.win_probability) return answer;
  return { ...answer, win_probability, cube_action: { ...action, no_double, double_take } };
}

/** Between which values an answer is proved to lie, rounded outward; where little is, the chance to win. */
export function provedWords(bounds, atScore, error) {
  const words = texts.verdict.proved;
  const near = bounds.value[1] - bounds.value[0] <= Math.min(PROVED_NEAR, error ? 2 * error : PROVED_NEAR);
  const told = (value) => (atScore || !near ? percent(value, 2) : signed(value, 4));
  const [least, most] = near ? bounds.value : bounds.win;
  const [low, high] = [Math.floor(least * 1e4) / 1e4, Math.ceil(most * 1e4) / 1e4].map(told);
  const said = say(near ? words.value : words.win, { low, high });
  return bounds.verdict === "no cube" ? said : `${said} ${bounds.proved ? words.verdict : words.notYet}`;
}

/** What is played for, as players say it. */
export function stakesWords(race) {
  const words = texts.stakes.words;
  const said = [];
  if (race.matchLength) {
    const [mine, theirs] = race.score.map((won) => race.matchLength - won);
    said.push(say(words.match, { mine, theirs }));
    if (race.crawford) said.push(words.crawford);
    else if (mine === 1 && theirs === 1) said.push(words.doubleMatchPoint);
    else if (mine === 1 || theirs === 1) said.push(words.afterCrawford);
  } else {
    said.push(words.money);
    if (race.jacoby) said.push(words.jacoby);
    if (race.beavers) said.push(words.beavers);
  }
  if (!race.gammons) said.push(words.noGammons);
  said.push(cubeWords(race));
  return listed(said);
}

const cubeWords = (race) => say(texts.stakes.words.cube[race.cube], { value: race.cubeValue });

/** The race with the cube where its answer has it, which is elsewhere if it cannot be in this place in a match. */
export const asTaken = (race, answer) => ({ ...race, cube: answer?.cube_action?.cube ?? race.cube });

function whyNoCube(race, action) {
  const words = texts.verdict.noCube;
  if (race.cube === "theirs") return words.theirs;
  if (race.crawford) return words.crawford;
  return action.reason ? safe(say(words.dead, { value: race.cubeValue })) : words.none;
}

/** What is under way, and how to stop it. */
export const workHtml = (most = 0) =>
  `<p class="work"><progress aria-label="${texts.work.progress}" ${most ? `max="${most}" value="0"` : ""}></progress>` +
  `${quietHtml("data-stop", texts.work.stop)}</p>`;

const againHtml = () => quietHtml("data-again", texts.work.again);

/** A row of choices; `chance` is null but at a score. */
const choiceHtml = (isRight, name, points, chance, remark) =>
  `<tr class="${isRight ? "right" : ""}">${headCell(name)}${chance === null ? "" : numCell(percent(chance, 2))}` +
  `${numCell(points === null ? "" : signed(points))}<td class="remark">${remark}</td></tr>`;

export function verdictHtml(answer, race, refining) {
  const action = answer.cube_action;
  const words = texts.verdict;
  const taken = asTaken(race, answer);
  const isOdd = taken.cube !== race.cube || (race.crawford && race.cubeValue > 1);
  const given = listed([...(race.crawford ? [texts.stakes.words.crawford] : []), cubeWords(race)]);
  const about =
    `<p class="stakes-words">${safe(stakesWords(taken))}</p>` +
    (isOdd ? methodHtml(safe(say(words.oddCube, { cube: given }))) : "") +
    (answer.without ? methodHtml(safe(say(words.without, { why: answer.without }))) : "") +
    methodHtml(safe(methodWords(answer)) + (refining ? ` <span class="refining">${words.closer}</span>` : "")) +
    (refining ? workHtml() : "") +
    `<p class="method proof"></p>`;
  if (!action) return headingHtml(words.none) + about;
  const choices = choicesOf(action);
  const head = headingHtml(safe(verdictWords(action, answer.error)));
  const atScore = Boolean(action.normalised);
  const chanceOf = (value) => (atScore ? value : null);
  if (!choices) {
    const { no_double } = action.normalised ?? action;
    const row = choiceHtml(true, words.none, no_double, chanceOf(action.no_double), whyNoCube(taken, action));
    return `${head}<table class="choices">${row}</table>${about}`;
  }
  const what = action.cube === "mine" ? words.redouble : words.double;
  const close = closeness(answer.error);
  const cost = (who, loss) => (loss <= close ? words.same : say(who, { loss: plain(loss) }));
  const [right, wrong] = action.take ? ["take", "pass"] : ["pass", "take"];
  const remarks = {
    no: action.double ? cost(words.youLose, choices.double) : words.right,
    [right]: action.double ? words.right : cost(words.youLose, -choices.double),
    [wrong]: cost(words.theyLose, Math.abs(choices.taking)),
  };
  const best = action.double ? right : "no";
  const names = {
    no: what.no,
    take: `${what.yes}, ${action.beaver ? words.beaver : words.take}`,
    pass: `${what.yes}, ${words.pass}`,
  };
  const chance = { no: action.no_double, take: action.double_take, pass: action.double_pass };
  const rows = ["no", "take", "pass"].map((row) =>
    choiceHtml(row === best, names[row], choices[row], chanceOf(chance[row]), remarks[row]));
  const reasons = reasonsHtml(answer.reasons, ["double", "take"]);
  return `${head}<table class="choices">${rows.join("")}</table>${reasons}${about}`;
}

/** A take or a pass, as the player sees it who decides; `race` is theirs, too. */
export function takeHtml(answer, race) {
  const words = texts.verdict;
  const { cube_action: action, error } = answer;
  const choices = /** @type {any} */ (choicesOf(action));
  const name = action.beaver ? "beaver" : "take";
  const chances = { [name]: action.double_take, pass: action.double_pass };
  const points = { [name]: -choices.take, pass: -choices.pass };
  const best = choices.taking > 0 ? name : "pass";
  const loss = Math.abs(choices.taking);
  const lost = loss <= closeness(error) ? words.same : say(words.youLose, { loss: plain(loss) });
  const rows = [name, "pass"].map((row) => {
    const chance = action.normalised ? 1 - chances[row] : null;
    return choiceHtml(row === best, capital(words[row]), points[row], chance, row === best ? words.right : lost);
  });
  return (
    `<table class="choices">${rows.join("")}</table>${reasonsHtml(answer.reasons, ["take"])}` +
    `<p class="stakes-words">${safe(stakesWords(race))}</p>${methodHtml(safe(methodWords(answer)))}`
  );
}

/** Why, for who doubles and for who takes; the terms that add up on demand. */
function reasonsHtml(reasons, decisions) {
  if (!reasons) return "";
  const words = texts.reasons;
  const one = (decision, place) => {
    const reason = reasons[decision];
    const rows = termsOf(reason).map(([name, points]) => `<tr>${headCell(safe(name))}${numCell(signed(points))}</tr>`);
    const total = `<tr class="right">${headCell(words.margin[decision])}${numCell(signed(reason.margin))}</tr>`;
    return (
      `<details><summary><b>${safe(headOf(decision))}:</b> ${safe(sentenceOf(reason, place > 0))}</summary>` +
      `<table class="choices terms">${rows.join("")}${total}</table></details>`
    );
  };
  return `<div class="reasons">${decisions.map(one).join("")}</div>`;
}

// ------------------------------------------------------------------ chances, equities, the race

/** Both chances to win in a sentence. */
export const chanceWords = (win, digits = 2) =>
  say(texts.chances.summary, { you: percent(win, digits), them: percent(1 - win, digits) });

export function chancesHtml(answer) {
  const words = texts.chances;
  const win = answer.win_probability;
  const [gw, gl] = [answer.gammon_win ?? 0, answer.gammon_loss ?? 0];
  const [bw, bl] = [answer.backgammon_win ?? 0, answer.backgammon_loss ?? 0];
  const parts = [
    ["mine gammon", Math.min(gw, win)],
    ["mine", Math.max(win - gw, 0)],
    ["theirs", Math.max(1 - win - gl, 0)],
    ["theirs gammon", Math.min(gl, 1 - win)],
  ];
  let x = 0;
  const bars = parts.map((/** @type {any} */ [name, width]) => {
    const [left, wide] = [x, width].map((share) => `${(100 * share).toFixed(3)}%`);
    const bar = `<rect class="${name}" x="${left}" width="${wide}" height="100%"/>`;
    x += width;
    return bar;
  });
  const also = (gammon, backgammon) =>
    Object.entries({ [words.gammon]: gammon, [words.backgammon]: backgammon })
      .filter(([, chance]) => chance >= 0.00005)
      .map(([name, chance]) => `<span>${name} ${percent(chance, 2)}</span>`)
      .join(" ");
  return (
    `<div class="chance-words"><div><b class="num">${percent(win, 2)}</b> <span>${words.you}</span>` +
    ` <small>${also(gw, bw)}</small></div><div class="end"><small>${also(gl, bl)}</small>` +
    ` <span>${words.opponent}</span> <b class="num">${percent(1 - win, 2)}</b></div></div>` +
    `<svg class="chance-bar" role="img" aria-label="${safe(chanceWords(win))}">${bars.join("")}</svg>`
  );
}

export function equitiesHtml(answer, race) {
  const words = texts.equities;
  if (!answer.equities) return "";
  const { cube } = asTaken(race, answer);
  const names = ["cubeless", "centered", "mine", "theirs"].filter((name) => answer.equities[name] !== null);
  const here = (name) => (name === cube ? "here" : "");
  const heads = names.map((name) => `<th scope="col" class="${here(name)}">${words.columns[name]}</th>`);
  const row = (values, shown) => {
    const cells = names.map((name) => numCell(values[name] === null ? "" : shown(values[name]), here(name)));
    return `<tr>${cells.join("")}</tr>`;
  };
  const chances = answer.match_chances ? row(answer.match_chances, (value) => percent(value, 2)) : "";
  const body = chances + row(answer.equities, (value) => signed(value));
  return `<table class="equities"><thead><tr>${heads.join("")}</tr></thead><tbody>${body}</tbody></table>`;
}

export function raceHtml(answer) {
  const words = texts.race;
  const sides = [answer.on_roll, answer.opponent];
  const rows = [
    [words.rows.pips, (side) => side.pips, 0],
    [words.rows.epc, (side) => side.epc, 2],
    [words.rows.wastage, (side) => side.epc - side.pips, 2],
    [words.rows.rolls, (side) => side.mean_rolls, 3],
    [words.rows.sd, (side) => Math.sqrt(side.variance_rolls), 3],
  ].map(([name, value, digits]) => {
    const [mine, theirs] = sides.map(/** @type {any} */ (value));
    const lead = name === words.rows.sd ? "" : signed(theirs - mine, Number(digits));
    const cells = numCell(decimal(mine, digits)) + numCell(decimal(theirs, digits)) + numCell(lead, "lead");
    return `<tr>${headCell(name)}${cells}</tr>`;
  });
  return tableHtml("race-table", [words.you, words.opponent, words.lead], rows) + chartHtml(sides);
}

const SHOWN = 0.0005;

/** A bar of a chart, its corners round. */
export const barHtml = (kind, x, y, width, height, round) => {
  const [left, top, wide, high] = [x, y, width, height].map((length) => length.toFixed(1));
  return `<rect class="${kind}" x="${left}" y="${top}" width="${wide}" height="${high}" rx="${round}"/>`;
};

function chartHtml(sides) {
  const words = texts.race;
  const [mine, theirs] = sides.map((side) => side.roll_distribution);
  const rolls = Array.from({ length: Math.max(mine.length, theirs.length) }, (_, n) => n)
    .filter((n) => (mine[n] ?? 0) >= SHOWN || (theirs[n] ?? 0) >= SHOWN);
  if (!rolls.length) return "";
  const [first, last] = [rolls[0], rolls[rolls.length - 1]];
  const n = last - first + 1;
  const [width, height, base] = [400, 130, 108];
  const slot = width / Math.max(n, 6);
  const left = (width - slot * n) / 2;
  const most = Math.max(...mine, ...theirs);
  const bar = (chance, x, w, kind) => {
    const h = ((chance ?? 0) / most) * (base - 16);
    return h < 0.15 ? "" : barHtml(kind, x, base - h, w, h, 1.5);
  };
  const w = Math.min(slot * 0.4, 30);
  let bars = "";
  let list = "";
  const step = n > 16 ? 2 : 1;
  for (let k = 0; k < n; k++) {
    const roll = first + k;
    const x = left + slot * (k + 0.5);
    bars += bar(mine[roll], x - w - 0.7, w, "mine") + bar(theirs[roll], x + 0.7, w, "theirs");
    if (k % step === 0) bars += `<text x="${x.toFixed(1)}" y="${base + 15}">${roll}</text>`;
    const [you, them] = [mine, theirs].map((chances) => percent(chances[roll] ?? 0, 2));
    list += `<li>${say(words.chartRow, { n: roll, you, them })}</li>`;
  }
  return (
    `<figure class="chart"><svg viewBox="0 0 ${width} ${height}" aria-hidden="true">` +
    `<path class="axis" d="M0 ${base}H${width}"/>${bars}</svg>` +
    `<figcaption>${words.chart}</figcaption><ul class="hidden">${list}</ul></figure>`
  );
}

// ------------------------------------------------------------------ rolls and plays

const WEIGHT = (roll) => (roll[0] === roll[1] ? 1 : 2);
const STEPS = 5;

/** A share of 1 with its sign. */
const signedPercent = (x) => percent(Math.abs(x)).replace(decimal(Math.abs(100 * x), 1), signed(100 * x, 1));

const cell = (x) => percent(x).replace(/[^\d.,]+$/, (unit) => `<span class="unit">${unit}</span>`);

/** The value of a roll: in points, or in a match the chance to win it; `least` where all rolls are nearly alike. */
const byEquity = {
  value: (play) => play.equity,
  shown: (play) => signed(play.equity, 2),
  scale: (x) => signed(x, 2),
  mean: (x) => signed(x),
  least: 0.05,
};
const byChance = {
  value: (play) => play.mwc,
  shown: (play) => cell(play.mwc),
  scale: signedPercent,
  mean: (x) => percent(x),
  least: 0.01,
};

/** The risk that a roll leaves; less is better. */
const byRisk = {
  value: (play) => -riskOf(play),
  shown: (play) => cell(riskOf(play)),
  scale: (x) => signedPercent(-x),
  mean: (x) => percent(-x),
  least: 0.05,
  words: { ...texts.dice, worse: texts.risk.higher, better: texts.risk.lower },
};

export const diceHtml = (rolls, roll, atScore) => rollsHtml(rolls, roll, atScore ? byChance : byEquity);
export const riskDiceHtml = (rolls, roll) => rollsHtml(rolls, roll, byRisk);

function rollsHtml(rolls, roll, { value, shown, scale, mean: meanText, least, words = texts.dice }) {
  const first = ({ plays }) => value(plays[0]);
  const mean = rolls.reduce((sum, each) => sum + WEIGHT(each.roll) * first(each), 0) / 36;
  const most = Math.max(...rolls.map((each) => Math.abs(first(each) - mean)), least);
  // How much better or worse than the average a roll is, in steps from -5 to 5 of the greatest difference.
  const step = (each) => Math.round((STEPS * (first(each) - mean)) / most);
  const by = new Map(rolls.map((each) => [each.roll.join(""), each]));
  const rows = [1, 2, 3, 4, 5, 6].map((a) => {
    const cells = [1, 2, 3, 4, 5, 6].map((b) => {
      const each = by.get(`${Math.max(a, b)}${Math.min(a, b)}`);
      const best = each.plays[0];
      const chosen = Boolean(roll) && each.roll[0] === roll[0] && each.roll[1] === roll[1];
      return (
        `<td${a > b ? ' class="again"' : ""}><button type="button" class="roll" data-roll="${each.roll.join("")}"` +
        ` data-step="${step(each)}" tabindex="-1" aria-pressed="${chosen}">` +
        `<span class="hidden which">${each.roll.join("-")}<i>:</i></span>` +
        `<b class="num">${shown(best)}</b><span class="best">${safe(best.play)}</span></button></td>`
      );
    });
    return `<tr>${headCell(a)}${cells.join("")}</tr>`;
  });
  const colours = Array.from({ length: 2 * STEPS + 1 }, (_, k) => `<i data-step="${k - STEPS}"></i>`);
  return (
    tableHtml("dice-table", [1, 2, 3, 4, 5, 6], rows) +
    `<div class="legend" aria-hidden="true"><span>${words.worse} <b class="num">${scale(-most)}</b></span>` +
    `<div class="scale">${colours.join("")}</div><span><b class="num">${scale(most)}</b> ${words.better}</span>` +
    `<small>${words.average} ${meanText(mean)}</small></div>`
  );
}

/** The plays of a roll, in a box that scrolls. */
function playsBoxHtml(roll, hint, columns, rows) {
  const heading = say(texts.plays.heading, { roll: roll.join("-") });
  return (
    `<h3>${heading}</h3><p class="hint">${hint}</p>` +
    `<div class="plays-box" tabindex="0" role="group" aria-label="${safe(heading)}">` +
    `${tableHtml("plays", [texts.plays.columns.play, ...columns], rows)}</div>`
  );
}

/** The cells that begin the row of a play: its rank, and the play as a button. */
const playCells = (k, label, play) =>
  `${numCell(k + 1, "rank")}<td><button type="button" class="play" data-play="${k}" aria-label="${safe(label)}">` +
  `${safe(play)}</button></td>`;

export function playsHtml(plays, roll) {
  const words = texts.plays;
  const atScore = plays[0]?.mwc !== undefined;
  const lacks = (reason) =>
    `<tr class="lacks"><td></td><td colspan="${atScore ? 4 : 3}">${safe(sentenceOf(reason))}</td></tr>`;
  const rows = plays.map(({ play, loss, equity, mwc, reason }, k) => {
    const label = say(loss ? words.label : words.labelBest, { play, loss: plain(loss) });
    const isBest = loss < 0.00005;
    return (
      `<tr class="${isBest ? "right" : ""}">${playCells(k, label, play)}${atScore ? numCell(percent(mwc, 2)) : ""}` +
      `${numCell(signed(equity))}${numCell(isBest ? words.best : plain(-loss), "loss")}</tr>` +
      (reason ? lacks(reason) : "")
    );
  });
  const { match, equity, loss } = words.columns;
  return playsBoxHtml(roll, words.hint, [...(atScore ? [match] : []), equity, loss], rows);
}

// ------------------------------------------------------------------ men behind

/** Where men are, in words. */
function behindWords(behind) {
  const words = texts.risk;
  const found = /^(\d)x([12])$/.exec(behind);
  return found ? say(words.behind[found[2] === "1" ? "one" : "two"], { point: found[1] }) : words.behind[behind];
}

/** The risk of a position: both sides to roll. */
export function riskHtml(told) {
  const words = texts.risk;
  const whose = told.on_roll ? "mine" : "theirs";
  const one = told.never_hit !== null;
  const [least, never] = told.on_roll ? [told.least_on_roll, told.never_hit_on_roll] : [told.least, told.never_hit];
  const row = (name, shots, risk, chance) =>
    `<tr>${headCell(name)}${numCell(shots)}${numCell(percent(risk, 2))}${one ? numCell(percent(chance, 2)) : ""}</tr>`;
  const c = words.columns;
  const rows = [
    row(words.rows.bearer[whose], "", told.least_on_roll, told.never_hit_on_roll),
    row(words.rows.other[whose], say(words.shots, { n: told.shots }), told.least, told.never_hit),
  ];
  return (
    headingHtml(say(words.heading[one ? "never" : "least"], { chance: percent(never), risk: percent(least) })) +
    `<p>${say(words[whose], { behind: behindWords(told.behind) })} ${words.unknown}</p>` +
    tableHtml("race-table", [c.shots, c.least, ...(one ? [c.never] : [])], rows) +
    `<details><summary>${words.about}</summary>${methodHtml(words.least + (one ? ` ${words.never}` : ""))}</details>`
  );
}

/** The risk to go by: against one man whatever he does, against two if they wait. */
export const riskOf = (play) => (play.never_hit === null ? play.least : 1 - play.never_hit);

/** What a play leaves. */
export const riskWords = (play) => say(texts.risk.ofPlay, { shots: play.shots, risk: percent(riskOf(play)) });

/** The plays of a roll by their risk. */
export function riskPlaysHtml(plays, roll) {
  const words = texts.risk;
  const one = plays[0].never_hit !== null;
  const c = words.columns;
  const rows = plays.map(
    (play, k) =>
      `<tr>${playCells(k, `${play.play}, ${riskWords(play)}`, play.play || "–")}` +
      `${numCell(play.shots)}${numCell(percent(play.least))}${one ? numCell(percent(play.never_hit)) : ""}` +
      `${numCell(play.off)}${numCell(decimal(play.epc, 1))}</tr>`,
  );
  return playsBoxHtml(roll, words.order, [c.shots, c.least, ...(one ? [c.never] : []), c.off, c.epc], rows);
}

// ------------------------------------------------------------------ scores and counts

const KIND = { "no double": "none", "double/take": "take", "double/beaver": "take", "double/pass": "pass",
  "too good": "good", "no cube": "dead" };

/** A map without its actions, which `fillScore` puts in as they come. */
export function mapHtml(length, race) {
  const words = texts.map;
  const needs = Array.from({ length }, (_, k) => k + 1);
  const here = race.matchLength ? race.score.map((won) => race.matchLength - won).join(",") : "";
  const rows = needs.map((a) => {
    const cells = needs.map((b) => {
      const at = `${a},${b}`;
      const label = say(words.label, { mine: a, theirs: b, verdict: texts.states.loading.title });
      return (
        `<td><button type="button" class="score" data-score="${at}" tabindex="-1"` +
        ` ${at === here ? 'aria-current="true"' : ""}><span class="hidden">${label}</span></button></td>`
      );
    });
    return `<tr>${headCell(a)}${cells.join("")}</tr>`;
  });
  const legend = Object.entries(words.legend).map(
    ([verdict, name]) => `<span><i data-kind="${KIND[verdict]}">${words.letters[verdict]}</i>${name}</span>`);
  return (
    `<p class="axes"><span>${words.you} ↓</span><span>${words.opponent} →</span></p>` +
    `${tableHtml("map-table", needs, rows)}<p class="map-legend">${legend.join("")}</p>` +
    `<div class="map-end">${workHtml(length ** 2 + 2 * (length - 1))}</div>`
  );
}

/** Says how exact a map is, all of which is there. */
export function endMap(box, worst) {
  const unsure = box.querySelector("[data-unsure]") ? ` ${texts.map.unsure}` : "";
  const near = say(texts.map.near, { error: decimal(Math.max(worst, 0.0001), 4) }) + unsure;
  box.querySelector(".map-end").innerHTML = methodHtml(worst ? near : texts.map.exact);
}

/** A map that was stopped. */
export function stopMap(box) {
  box.querySelector(".map-end").innerHTML = methodHtml(`${texts.states.stopped.title} ${againHtml()}`);
}

/** Whether a map's answer cannot tell the right action from the next. */
function isUnsure(action, error) {
  const choices = choicesOf(action);
  if (!choices || !error) return false;
  return Math.abs(choices.double) <= error || (choices.double > 0 && Math.abs(choices.taking) <= error);
}

/** Puts the action at one score into a map; the Crawford game, in which nobody doubles, is left out. */
export function fillScore(box, { on_roll_needs: a, opponent_needs: b, crawford, cube_action: action, error }) {
  const bar = box.querySelector("progress");
  if (bar) bar.value += 1;
  const button = box.querySelector(`[data-score="${a},${b}"]`);
  if (crawford || !button) return;
  const words = texts.map;
  button.dataset.kind = KIND[action.verdict];
  if (isUnsure(action, error)) button.dataset.unsure = "";
  const exactness = say(texts.verdict.methods.turns, { error: decimal(Math.max(error, 0.0001), 4) });
  const verdict = say(words.label, { mine: a, theirs: b, verdict: verdictWords(action, error) });
  const label = error ? `${verdict}; ${exactness}` : verdict;
  const letter = `<span aria-hidden="true">${words.letters[action.verdict]}</span>`;
  button.innerHTML = `${letter}<span class="hidden">${safe(label)}</span>`;
  button.title = label;
}

const DECISIONS = ["double", "redouble", "take"];

/** The parts of a count that make a decision wrong, in words. */
function culpritSaid(culprit, decision) {
  const limit = culprit.true_limit === null ? "far" : decision;
  const wastage = culprit.on_roll || culprit.opponent ? "wastage" : "pips_alone";
  const keys = { limit: [limit], wastage: [wastage], both: [wastage, limit] }[culprit.term] ?? [culprit.term];
  return keys.map((key) => say(culpritTexts[key], culprit)).join(phraseTexts.and);
}

/** Why counts are wrong, once for all counts and decisions that share the reason. */
function culpritsHtml(counts) {
  const said = new Map(); // names of counts by decisions and reason
  for (const [name, counted] of Object.entries(counts)) {
    const decisions = new Map();
    for (const [decision, culprit] of Object.entries(counted?.culprits ?? {})) {
      const text = culpritSaid(culprit, decision);
      decisions.set(text, [...(decisions.get(text) ?? []), texts.counts.columns[decision]]);
    }
    for (const [text, wrong] of decisions) {
      const key = `${listed(wrong)}${phraseTexts.colon}${text}`;
      said.set(key, [...(said.get(key) ?? []), countNames[name] ?? name]);
    }
  }
  const lines = [...said].map(([text, [first, ...others]]) => {
    const alike = others.length ? say(culpritTexts.alike, { names: listed(others) }) : "";
    return `<li>${safe(`${listed([first, text])}${alike}${phraseTexts.end}`)}</li>`;
  });
  return lines.length ? `<ul class="hint culprits">${lines.join("")}</ul>` : "";
}

export function countsHtml(told, taking = false) {
  const words = texts.counts;
  const close = Math.max(closeness(told.truth.error), told.truth.error); // what is too close to call is either
  const { double, redouble, points } = told.truth;
  // The player who is asked to take sees their own count first, their own chance, and no advice to the other side.
  const asked = DECISIONS.filter((decision) => decision === "take" || (!taking && told.truth[decision]));
  const seen = (one, other) => (taking ? [other, one] : [one, other]);
  const chance = (wins) => percent(taking ? 1 - wins : wins);
  const right = asked.map((decision) => {
    const action = decision === "take" ? double ?? redouble : told.truth[decision];
    const choices = choicesOf(action);
    if (!choices) return "";
    const margin = decision === "take" ? choices.taking : choices.double;
    if (Math.abs(margin) <= close) return words.either;
    if (decision !== "take" && action.verdict === "too good") return words.tooGood;
    return margin > 0 ? words.yes : words.no;
  });
  const rows = Object.entries(told.counts)
    .filter(([, counted]) => counted)
    .map(([name, counted]) => {
      const cells = asked.map((decision) => {
        const said = counted[decision];
        if (said === null) return "<td></td>";
        const loss = counted.loss[decision] ?? 0;
        const advice = said ? words.yes : words.no;
        if (!loss) return `<td>${advice}</td>`;
        return `<td class="wrong">${advice} <b class="num">${plain(-1000 * loss, 0)}</b></td>`;
      });
      const wins = counted.win_probability === null ? "" : chance(counted.win_probability);
      const sides = seen(counted.on_roll, counted.opponent).map((side) => numCell(count(side)));
      return `<tr>${headCell(safe(countNames[name] ?? name))}${[...sides, numCell(wins), ...cells].join("")}</tr>`;
    });
  const c = words.columns;
  const heads = headsHtml([c.count, c.you, c.opponent, c.wins, ...asked.map((decision) => c[decision])]);
  const truth =
    `<tr class="right">${headCell(words.right)}<td></td><td></td>${numCell(chance(told.truth.win_probability))}` +
    `${right.map((said) => `<td>${said}</td>`).join("")}</tr>`;
  const known = Object.entries(points ?? {}).filter(([, point]) => point !== null);
  const froms = known.map(([decision, point]) => say(words.from, { decision: c[decision], chance: percent(point) }));
  const from = known.length ? `${say(words.points, { listed: listed(froms) })} ` : "";
  const without = Object.entries(told.counts).filter(([, counted]) => counted && counted.win_probability === null);
  const rules = say(words.without, { names: listed(without.map(([name]) => countNames[name] ?? name)) });
  return (
    `<p class="hint">${safe(points ? from + rules : words.money)}</p>` +
    `<div class="scroll" tabindex="0" role="group" aria-label="${words.heading}"><table class="counts">` +
    `<thead><tr>${heads}</tr></thead><tbody>${truth}${rows.join("")}</tbody></table></div>` +
    (taking ? "" : culpritsHtml(told.counts))
  );
}

/** A place without an answer, and why. */
export function stateHtml(name, message = "") {
  const words = texts.states[name];
  const more = { loading: workHtml, stopped: againHtml }[name]?.() ?? "";
  const text = `<p>${safe(message || words.text || "")}</p>`;
  return `<div class="state" data-state="${name}">${headingHtml(words.title)}${text}${more}</div>`;
}

/** Arrow keys within a table of buttons, of which one is reached by the tab key. */
export function roving(table) {
  const rows = [...table.querySelectorAll("tbody tr")];
  const buttons = rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.querySelector("button")));
  const all = buttons.flat().filter(Boolean);
  const start = all.find((button) => button.matches('[aria-pressed="true"], [aria-current]')) ?? all[0];
  start?.setAttribute("tabindex", "0");
  table.addEventListener("keydown", (/** @type {any} */ event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    const row = buttons.findIndex((cells) => cells.includes(event.target));
    const next = buttons[row + step[0]]?.[buttons[row].indexOf(event.target) + step[1]];
    event.preventDefault();
    if (!next) return;
    for (const button of all) button.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}
