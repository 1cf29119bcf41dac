import { statedLimit } from "./table.mjs";

/** Prints the result for people: the row's figure for each side, this framework's share of the machine's limit, and whether the aim is met. */
export function printTable({ machine, rounds, peers, rows }) {
  const print = (text = "") => process.stdout.write(`${text}\n`);
  print(
    `${machine.processor}, ${machine.cores} cores, Node ${machine.node}; medians of ${rounds} rounds, one thread`,
  );
  print(
    peers.map(({ name, version, missing }) => `${name} ${version ?? `(left out: ${missing})`}`).join(", "),
  );
  print();
  const sides = peers.filter(({ missing }) => !missing).map(({ name }) => name);
  const header = [
    "row",
    "unit",
    ...sides,
    ...sides.slice(1).map((name) => `× ${name}`),
    "of limit",
    "aim",
    "met",
  ];
  const table = [header];
  for (const row of rows) {
    const value = (name) => row.figures[name] && inUnit(row, row.figures[name].median);
    const own = value("gradstand");
    const ratio = (name) => {
      const [mine, theirs] = [row.figures.gradstand?.median, row.figures[name]?.median];
      return mine === undefined || theirs === undefined ? "" : (theirs / mine).toFixed(mine > theirs ? 2 : 1);
    };
    const gflops = row.flops && own !== undefined && row.flops / row.figures.gradstand.median / 1e6;
    const { text, met } = judged(row, own);
    table.push([
      row.title,
      row.unit,
      ...sides.map((name) => (value(name) === undefined ? "–" : short(value(name)))),
      ...sides.slice(1).map(ratio),
      gflops ? `${Math.round((100 * gflops) / row.simdLimit)} %` : "",
      text,
      own === undefined ? "–" : met ? "yes" : "no",
    ]);
  }
  const widths = header.map((_, column) => Math.max(...table.map((line) => line[column].length)));
  for (const [index, line] of table.entries()) {
    print(
      `| ${line.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(" | ")} |`,
    );
    if (index === 0) print(`| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  }
  const limits = rows.map(({ simdLimit }) => simdLimit).filter(Boolean);
  if (limits.length > 0) {
    print();
    print(
      `limit of 128-bit SIMD, multiplications and additions apart: ${short(Math.min(...limits))} to ${short(Math.max(...limits))} GFLOP/s over the rows`,
    );
    print(
      `aims in time are stated for ${statedLimit} GFLOP/s and scaled by the limit measured with each row`,
    );
  }
}

/** Milliseconds in the unit of the row. */
function inUnit({ unit, flops }, median) {
  if (unit === "GFLOP/s") return flops / median / 1e6;
  return unit === "µs" ? median * 1000 : median;
}

/** The aim in words, and whether this framework's figure meets it; aims in time are scaled to this machine's limit. */
function judged(row, own) {
  const { atLeast, atMost, times } = row.aim;
  const scale = row.simdLimit ? row.simdLimit / statedLimit : 1;
  if (atLeast) return { text: `≥ ${short(atLeast)}`, met: own >= atLeast };
  if (atMost) {
    const bound = row.simdLimit ? atMost / scale : atMost;
    return { text: `≤ ${short(bound)}`, met: own <= bound };
  }
  const measured = Object.entries(times).filter(([name]) => row.figures[name]);
  return {
    text: Object.entries(times)
      .map(([name, factor]) => `${factor}× ${name}`)
      .join(", "),
    met:
      measured.length > 0 &&
      measured.every(([name, factor]) => row.figures[name].median >= factor * row.figures.gradstand?.median),
  };
}

function short(value) {
  return Number(value.toPrecision(3)).toString();
}
