// ask_page_engine.mjs SITE MODULE: reads a question of engine.js on each line of standard input, prints an answer for each.
// {"file": path} opens a database for later questions with "database": true, {"url": address} one on a web host, and tells
// what has been read of it; {"call": name, "words": [...]} calls a method of the engine, or of the database if it has no
// such method, or a function of formats.js; {"time": name, "questions": [...]} calls it for each and says how many
// microseconds one took; {"counts": [on roll, opponent, truth]} asks counts.js.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [site, module] = process.argv.slice(2);
const load = (name) => import(new URL(name, `${pathToFileURL(site)}/`).href);
const [{ Engine }, { RangeFile }, { judgeCounts }, formats] = await Promise.all(
  ["engine.js", "ranges.js", "counts.js", "formats.js"].map(load));
const engine = await Engine.load(readFileSync(module));
let database = null;
let remote = null;

function answer(asked) {
  if (asked.file) {
    database = engine.open(readFileSync(asked.file));
    return database.info;
  }
  if (asked.time) {
    const start = performance.now();
    for (const question of asked.questions) engine[asked.time](question);
    return 1000 * (performance.now() - start) / asked.questions.length;
  }
  if (asked.counts) return judgeCounts(engine, ...asked.counts);
  if (asked.call) {
    const of = formats[asked.call] ? formats : engine[asked.call] ? engine : database;
    return of[asked.call](...asked.words) ?? null;
  }
  return engine.solve({ ...asked, database: asked.database ? database : null });
}

for await (const line of createInterface({ input: process.stdin })) {
  let said;
  try {
    const asked = JSON.parse(line);
    if (asked.url && (asked.cold || !remote)) {
      database?.close();
      remote = await RangeFile.open(asked.url);
      database = engine.open(remote);
    }
    if (asked.url) said = { requests: remote.requests, bytes: remote.bytes };
    else said = await (remote ? engine.reading(remote, () => answer(asked)) : answer(asked));
  } catch (error) {
    said = { error: error.name, code: error.code, message: error.message };
  }
  console.log(JSON.stringify(said));
}
