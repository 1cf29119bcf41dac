import type { DecodeFigures, DecodePoint } from "./cells/decode.js";
import type { StudyCell, StudyPlot, StudyPresentation, StudyTable } from "./study.js";

type Times = Extract<DecodeFigures, { readonly seconds: number }>;
type Scores = Extract<DecodeFigures, { readonly bits: number }>;
type Cell = StudyCell<DecodePoint, DecodeFigures>;

/** One method with one rank. */
interface Line {
  readonly name: string;
  readonly method: DecodePoint["method"];
  readonly rank: number;
}

const timesOf = ({ figures }: Cell): Times => figures as Times;

/** What the cells of decode say. */
export function presentDecode(cells: readonly Cell[]): StudyPresentation {
  const times = cells.filter(({ point }) => point.what === "time");
  const trained = cells.filter(({ point }) => point.what === "trained");
  const replaced = cells.filter(({ point }) => point.what === "replaced");
  const widths = [...new Set(times.map(({ point }) => point.width))];
  return {
    tables: [
      ...(times.length > 0 ? [timeTable(times)] : []),
      ...(trained.length > 0 ? [scoreTable(trained, "Language models trained through each attention")] : []),
      ...(replaced.length > 0
        ? [scoreTable(replaced, "Language models trained exactly, with this attention put in afterwards")]
        : []),
    ],
    plots: widths.flatMap((width) => {
      const own = times.filter(({ point }) => point.width === width);
      return [
        plotOf(own, width, "time", "Time of a token", "milliseconds", ({ seconds }) => 1000 * seconds),
        plotOf(own, width, "mean", "Mean time over the context", "milliseconds", ({ mean }) => 1000 * mean),
        plotOf(own, width, "bytes", "What is remembered", "KiB", ({ bytes }) => bytes / 1024),
      ];
    }),
    findings: [
      ...widths.flatMap((width) =>
        timeFindings(
          times.filter(({ point }) => point.width === width),
          width,
        ),
      ),
      ...scoreFindings(trained, replaced),
    ],
  };
}

function linesOf(cells: readonly Cell[]): readonly Line[] {
  const found = new Map<string, Line>();
  for (const { point } of cells) {
    const { method, rank } = point;
    const name = method === "exact" ? "exact" : `${method}, rank ${rank}`;
    found.set(name, { name, method, rank });
  }
  return [...found.values()];
}

const on = (cells: readonly Cell[], { method, rank }: Line): readonly Cell[] =>
  cells.filter(({ point }) => point.method === method && point.rank === rank);

function timeTable(cells: readonly Cell[]): StudyTable {
  return {
    title: "The next token of 4 heads after a context of n tokens: milliseconds, and KiB remembered",
    columns: ["method", "width d", "n", "ms", "mean ms", "longest ms", "KiB"],
    rows: linesOf(cells).flatMap((line) =>
      on(cells, line).map((cell) => {
        const { seconds, mean, longest, bytes } = timesOf(cell);
        return [
          line.name,
          cell.point.width,
          cell.point.n,
          1000 * seconds,
          1000 * mean,
          1000 * longest,
          bytes / 1024,
        ];
      }),
    ),
  };
}

const average = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

function scoresOf(cells: readonly Cell[], line: Line): Scores & { readonly seeds: number } {
  const own = on(cells, line).map(({ figures }) => figures as Scores);
  const bits = average(own.map((each) => each.bits));
  return { bits, perplexity: 2 ** bits, seeds: own.length };
}

function scoreTable(cells: readonly Cell[], which: string): StudyTable {
  return {
    title: `${which}: bits per character and perplexity on the test part, mean over seeds`,
    columns: ["method", "bits per character", "perplexity", "seeds"],
    rows: linesOf(cells).map((line) => {
      const { bits, perplexity, seeds } = scoresOf(cells, line);
      return [line.name, bits, perplexity, seeds];
    }),
  };
}

function plotOf(
  cells: readonly Cell[],
  width: number,
  quantity: string,
  title: string,
  unit: string,
  of: (figures: Times) => number,
): StudyPlot {
  return {
    id: `${quantity}-${width}`,
    title: `${title}, 4 heads ${width} wide`,
    description: `${title} in ${unit} over the tokens of the context, both logarithmic, a line for each method and rank. The values are in the table.`,
    x: { title: "tokens of the context", logarithmic: true },
    y: { title: unit, logarithmic: true },
    series: linesOf(cells).map((line) => ({
      name: line.name,
      points: on(cells, line).map((cell) => [cell.point.n, of(timesOf(cell))] as const),
    })),
  };
}

const short = (value: number): string => (value < 1000 ? value.toPrecision(3) : value.toFixed(0));

function timeFindings(cells: readonly Cell[], width: number): readonly string[] {
  const longest = Math.max(...cells.map(({ point }) => point.n));
  const last = (line: Line): Times | undefined => {
    const cell = on(cells, line).find(({ point }) => point.n === longest);
    return cell && timesOf(cell);
  };
  const lines = linesOf(cells);
  const exactLine = lines.find(({ method }) => method === "exact");
  const exact = exactLine && last(exactLine);
  if (!exact) return [];
  const others = lines.flatMap((line) => {
    const figures = line.method === "exact" ? undefined : last(line);
    return figures ? [{ line, figures }] : [];
  });
  const list = (found: typeof others, of: (figures: Times) => string): string =>
    found.map(({ line, figures }) => `${of(figures)} (${line.name})`).join(", ");
  const slower = others.filter(({ figures }) => figures.mean >= exact.mean);
  const faster = others.filter(({ figures }) => figures.mean < exact.mean);
  const larger = others.filter(({ figures }) => figures.bytes >= exact.bytes);
  const smaller = others.filter(({ figures }) => figures.bytes < exact.bytes);
  const ms = ({ mean }: Times): string => `${short(1000 * mean)} ms`;
  const kib = ({ bytes }: Times): string => `${short(bytes / 1024)} KiB`;
  const where = `Width ${width}, ${longest} tokens`;
  return [
    ...(slower.length > 0
      ? [
          `${where}: on average a token takes no less time than exactly, ${ms(exact)}, with ${list(slower, ms)}.`,
        ]
      : []),
    ...(larger.length > 0
      ? [
          `${where}: no less is remembered than the ${kib(exact)} of all keys and values with ${list(larger, kib)}.`,
        ]
      : []),
    ...(faster.length > 0
      ? [`${where}: a token takes ${ms(exact)} exactly, and ${list(faster, ms)} on average.`]
      : []),
    ...(smaller.length > 0
      ? [`${where}: remembered are ${kib(exact)} exactly, and ${list(smaller, kib)}.`]
      : []),
  ];
}

function scoreFindings(trained: readonly Cell[], replaced: readonly Cell[]): readonly string[] {
  const list = (cells: readonly Cell[]): string =>
    linesOf(cells)
      .filter(({ method }) => method !== "exact")
      .map((line) => `${short(scoresOf(cells, line).perplexity)} (${line.name})`)
      .join(", ");
  const exact = linesOf(trained).find(({ method }) => method === "exact");
  if (!exact) return [];
  const own = scoresOf(trained, exact);
  const [through, after] = [list(trained), list(replaced)];
  return [
    `Trained exactly, the language models have a perplexity of ${short(own.perplexity)} (${short(own.bits)} bits per character)` +
      `${through && `; trained through pivots ${through}`}${after && `; with pivots put in after exact training ${after}`}.`,
  ];
}
