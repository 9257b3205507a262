// Read position IDs, and print verdicts for money: ids.c in JavaScript, for a page (ids.html) and for node.
//
//     echo 8d4nAADa7TkAAA | node ids.js SITE MODULE
//
// SITE is bgrace/embed/js, the folder of engine.js; `python -m bgrace.embed --wasm` prints the path of MODULE.

/** Write a number to the bit. */
function bits(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value + 0); // turns -0 into 0
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/** Answer an ID in a line. */
export function answerId(engine, parseBoard, id) {
  const { onRoll, opponent } = parseBoard(id.slice(0, 14));
  const answer = engine.solve({ onRoll, opponent, stakes: { jacoby: true }, dice: [3, 1],
    budget: { seconds: 0.02, memoryBytes: 2 ** 26 } });
  const cube = answer.cube_action;
  const numbers = [answer.win_probability, answer.gammon_win, answer.gammon_loss, cube.no_double, cube.double_take,
    answer.plays[0].equity];
  return [id.slice(0, 14), cube.verdict, ...numbers.map(bits)].join(" ");
}

if (typeof process !== "undefined" && process.argv[2]) {
  const [{ readFileSync }, { pathToFileURL }] = await Promise.all([import("node:fs"), import("node:url")]);
  const of = (name) => import(new URL(name, `${pathToFileURL(process.argv[2])}/`).href);
  const [{ Engine }, { parseBoard }] = await Promise.all([of("engine.js"), of("formats.js")]);
  const engine = await Engine.load(readFileSync(process.argv[3]));
  const ids = readFileSync(0, "utf8").split("\n").filter(Boolean);
  try {
    for (const id of ids) console.log(answerId(engine, parseBoard, id));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
