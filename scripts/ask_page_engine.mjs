// ask_page_engine.mjs SITE MODULE: reads a question of engine.js on each line of standard input, prints an answer for each.
// {"file": path} opens a database for later questions with "database": true; {"call": name, "words": [...]} calls a
// method of the engine, or of the database if it has no such method, or a function of formats.js.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [site, module] = process.argv.slice(2);
const load = (name) => import(new URL(name, `${pathToFileURL(site)}/`).href);
const [{ Engine }, formats] = await Promise.all([load("engine.js"), load("formats.js")]);
const engine = await Engine.load(readFileSync(module));
let database = null;

function answer(asked) {
  if (asked.file) {
    database = engine.open(readFileSync(asked.file));
    return database.info;
  }
  if (asked.call) {
    const of = formats[asked.call] ? formats : engine[asked.call] ? engine : database;
    return of[asked.call](...asked.words) ?? null;
  }
  return engine.solve({ ...asked, database: asked.database ? database : null });
}

for await (const line of createInterface({ input: process.stdin })) {
  let said;
  try {
    said = answer(JSON.parse(line));
  } catch (error) {
    said = { error: error.name, code: error.code, message: error.message };
  }
  console.log(JSON.stringify(said));
}
