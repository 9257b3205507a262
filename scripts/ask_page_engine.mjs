// Answer questions with engine.js: ask_page_engine.mjs SITE MODULE.
//
// Each line of standard input is a question as JSON, and each line of standard output its answer:
// - {"file": path} opens a database, which later questions with "database": true use;
// - {"call": name, "words": [...]} calls a function of formats.js, or a method of the engine or of the database;
// - {"time": questions} estimates each, and answers the microseconds that one takes;
// - {"counts": [on roll, opponent, truth]} calls judgeCounts;
// - anything else is a question for Engine.solve.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [site, module] = process.argv.slice(2);
const load = (name) => import(new URL(name, `${pathToFileURL(site)}/`).href);
const [{ Engine }, { judgeCounts }, formats] = await Promise.all(["engine.js", "counts.js", "formats.js"].map(load));
const engine = await Engine.load(readFileSync(module));
let database = null;

function answer(question) {
  if (question.file) {
    database = engine.open(readFileSync(question.file));
    return database.info;
  }
  if (question.time) {
    const start = performance.now();
    for (const each of question.time) engine.estimate(each);
    return 1000 * (performance.now() - start) / question.time.length;
  }
  if (question.counts) return judgeCounts(engine, ...question.counts);
  if (question.call) {
    const owner = formats[question.call] ? formats : engine[question.call] ? engine : database;
    return owner[question.call](...question.words) ?? null;
  }
  return engine.solve({ ...question, database: question.database ? database : null });
}

for await (const line of createInterface({ input: process.stdin })) {
  let reply;
  try {
    reply = await answer(JSON.parse(line));
  } catch (error) {
    reply = { error: error.name, code: error.code, message: error.message };
  }
  console.log(JSON.stringify(reply));
}
