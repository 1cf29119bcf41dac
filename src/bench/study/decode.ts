import { decodeCell, decodeModels, type DecodeFigures, type DecodePoint } from "./cells/decode.js";
import { presentDecode } from "./decode-presentation.js";
import type { Study, StudyGrid } from "./study.js";

/** What a token costs when attention goes one token at a time, and what the rank costs a language model. */
export const decode: Study<DecodePoint, DecodeFigures> = {
  name: "decode",
  title: "A token at a time: exact attention and attention through pivots",
  question:
    "What does the next token cost in time and memory as its context grows, with all keys and values kept and through pivots, " +
    "and what do pivots cost a language model?",
  grid: {
    what: ["time", "trained", "replaced"],
    method: ["exact", "doubling", "once"],
    rank: [4, 16, 64],
    width: [8, 64],
    n: [256, 512, 1024, 2048, 4096],
    seed: [0, 1, 2],
  },
  points: pointsOf,
  models: decodeModels,
  measures: ({ what }) => what === "time",
  cell: decodeCell,
  present: presentDecode,
};

/** The largest rank that language models are trained through: the gradient of the causal form has no fast kernel. */
const mostTrained = 16;

/** Exact attention has no rank, and nothing replaces it; a language model has a seed in the place of a width and a context. */
function pointsOf(grid: StudyGrid): readonly DecodePoint[] {
  const words = <Word extends string>(axis: string): readonly Word[] => grid[axis] as readonly Word[];
  const numbers = (axis: string): readonly number[] => grid[axis] as readonly number[];
  const ranksOf = ({ what, method }: Pick<DecodePoint, "what" | "method">): readonly number[] => {
    if (method === "exact") return what === "replaced" ? [] : [0];
    return numbers("rank").filter((rank) => what !== "trained" || rank <= mostTrained);
  };
  const pairs = words<DecodePoint["what"]>("what").flatMap((what) =>
    words<DecodePoint["method"]>("method").map((method) => ({ what, method })),
  );
  return pairs.flatMap((pair) =>
    ranksOf(pair).flatMap((rank): readonly DecodePoint[] =>
      pair.what === "time"
        ? numbers("width").flatMap((width) => numbers("n").map((n) => ({ ...pair, rank, width, n })))
        : numbers("seed").map((n) => ({ ...pair, rank, width: 0, n })),
    ),
  );
}
