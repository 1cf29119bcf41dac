/**
 * `npm run benchmark`: this framework beside whichever peers are installed, row by row, in one run. The peers take turns within each
 * round, so that whatever else the machine does meets all of them; a figure is the median over the rounds.
 *
 *   --rounds N       rounds of each row, default 15
 *   --budget MS      milliseconds that one measurement of a row may take, default 60
 *   --rows a,b       only these rows
 *   --json [FILE]    the whole result as JSON, to the file or instead of the table
 *
 * Peers: `npm ci --prefix benchmarks/peers` for tfjs and jax-js; any python3 that has PyTorch (GRADSTAND_PYTHON names one).
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { machine, peers } from "./sides.mjs";
import { Talk } from "./talk.mjs";
import { processes, timed } from "./table.mjs";
import { simdLimitOperations } from "./simd-limit.mjs";
import { measureProcess } from "./whole-process.mjs";
import { printTable } from "./print-table.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "15" },
    budget: { type: "string", default: "60" },
    rows: { type: "string" },
    json: { type: "string" },
  },
});
const rounds = wholeNumber("rounds", values.rounds);
const budget = wholeNumber("budget", values.budget);
const names = [...timed, ...processes].map(({ name }) => name);
const wanted = values.rows?.split(",") ?? names;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) stop(`unknown rows ${unknown.join(", ")}; expected some of ${names.join(", ")}`);

const sides = peers();
const talks = new Map(sides.filter(({ rows }) => rows).map((side) => [side.name, new Talk(side)]));
const result = {
  machine: machine(),
  rounds,
  budget,
  peers: sides.map(({ name, version, missing }) => ({ name, version, missing })),
  rows: [],
};

const note = (text) => process.stderr.write(`${text}\n`);
for (const side of sides) if (side.missing) note(`${side.name}: left out, ${side.missing}`);

for (const row of timed.filter(({ name }) => wanted.includes(name))) {
  note(row.title);
  const limit = [];
  const samples = new Map([...talks.keys()].map((name) => [name, []]));
  const missing = {};
  for (let round = 0; round < rounds; round++) {
    limit.push(
      simdLimitOperations / 1e6 / (await talks.get("gradstand").ask("simd-limit", budget / 4)).milliseconds,
    );
    for (const [name, talk] of talks) {
      if (missing[name]) continue;
      const answer = await talk.ask(row.name, budget);
      if (answer.missing && name === "gradstand") stop(`${row.name}: ${answer.missing}`);
      if (answer.missing) missing[name] = answer.missing;
      else samples.get(name).push(answer.milliseconds);
    }
  }
  const simdLimit = median(limit);
  const figures = Object.fromEntries(
    [...samples].filter(([, list]) => list.length > 0).map(([name, list]) => [name, summary(list)]),
  );
  result.rows.push({ ...row, simdLimit, figures, missing });
  noteFigures(figures);
}
for (const row of processes.filter(({ name }) => wanted.includes(name))) {
  note(row.title);
  result.rows.push({
    ...row,
    ...(await measureProcess(row.name, sides, row.name === "memory" ? 1 : rounds)),
  });
  noteFigures(result.rows.at(-1).figures);
}
for (const talk of talks.values()) talk.end();

if (values.json !== undefined && values.json !== "-")
  writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
if (values.json === "-") process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
else printTable(result);

/** What a row came to, while the rest is still being measured. */
function noteFigures(figures) {
  note(
    Object.entries(figures)
      .map(([name, { median }]) => `  ${name} ${Number(median.toPrecision(3))}`)
      .join(""),
  );
}

function summary(list) {
  return { median: median(list), least: Math.min(...list), greatest: Math.max(...list), rounds: list.length };
}

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function wholeNumber(name, text) {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    stop(`--${name}: expected a whole number from 1 on, got ${text}`);
  return value;
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
