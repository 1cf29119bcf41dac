import { noGrad, tensor, type Tensor } from "../../../autograd/index.js";
import { PivotedAttentionDecoder, residualPivoted } from "../../../ideas/residual-pivoted/index.js";
import { KeyValueCache, type AttentionDecoder } from "../../../nn/index.js";
import { generator } from "../../../random/index.js";
import type { IdeaReference, TrainSpec } from "../../cells/spec.js";
import type { StudiedModel } from "../study.js";
import { scoreOfModel } from "./studied-model.js";

/**
 * A context whose next tokens are timed (`time`), or a language model that is scored: trained through this attention
 * (`trained`), or trained exactly with this attention put in afterwards (`replaced`).
 */
export interface DecodePoint extends Readonly<Record<string, number | string>> {
  readonly what: "time" | "trained" | "replaced";
  /** `exact`: keys and values kept; else attention through pivots that are chosen anew before chunks 1, 2, 4, … or once. */
  readonly method: "exact" | "doubling" | "once";
  /** 0 for exact attention. */
  readonly rank: number;
  /** Of the head; 0 for a language model. */
  readonly width: number;
  /** The tokens of the context; the seed of a language model. */
  readonly n: number;
}

/** What a token costs after a context, or what the model is worth. */
export type DecodeFigures =
  | {
      /** Seconds of a token, the median of the last quarter of the context. */
      readonly seconds: number;
      /** The mean over the whole context, in which pivots are chosen again and again, and the longest. */
      readonly mean: number;
      readonly longest: number;
      /** Bytes that are remembered at the end. */
      readonly bytes: number;
    }
  | { readonly bits: number; readonly perplexity: number };

const heads = 4;
const chunk = 16;

/** The training cell of a language model; none for a time. */
export function decodeModels({ what, n, ...point }: DecodePoint): readonly TrainSpec[] {
  if (what === "time") return [];
  const idea = what === "trained" ? ideaOf(point) : null;
  return [
    {
      kind: "train",
      track: "language",
      model: "transformer_tiny",
      arm: idea ? "idea" : "baseline",
      cfg: { lr: 0.01 },
      seed: n,
      trainSize: 3500,
      validationSize: 0,
      testSize: 300,
      evaluate: "test",
      epochs: 5,
      batchSize: 32,
      optimizer: "adam",
      idea,
    },
  ];
}

function ideaOf({ method, rank }: Pick<DecodePoint, "method" | "rank">): IdeaReference | null {
  if (method === "exact") return null;
  const { name, options } = residualPivoted;
  return { name, options: { ...options, causal: true, refresh: method, chunk, rank } };
}

/** Computes a point: the time of the tokens of a context, or the score of a trained model. */
export function decodeCell(point: DecodePoint, [studied]: readonly StudiedModel[]): DecodeFigures {
  if (!studied) return timeTokens(point);
  const bits = scoreOfModel(studied, ideaOf(point));
  return { bits, perplexity: 2 ** bits };
}

function decoderOf({ method, rank }: DecodePoint): AttentionDecoder {
  if (method === "exact") return new KeyValueCache();
  return new PivotedAttentionDecoder({ rank, chunk, refresh: method, rng: generator(1).stream("pivots") });
}

function timeTokens(point: DecodePoint): DecodeFigures {
  const { width, n } = point;
  const warm = decoderOf(point);
  for (let at = 0; at < 4 * chunk; at++) warm.step(...token(width, at));
  const decoder = decoderOf(point);
  const times = new Float64Array(n);
  noGrad(() => {
    for (let at = 0; at < n; at++) {
      const inputs = token(width, at);
      const begin = performance.now();
      decoder.step(...inputs);
      times[at] = (performance.now() - begin) / 1000;
    }
  });
  const last = times.slice(-Math.ceil(n / 4)).sort();
  return {
    seconds: last[Math.floor(last.length / 2)]!,
    mean: times.reduce((sum, time) => sum + time, 0) / n,
    longest: Math.max(...times),
    bytes: decoder.bytes,
  };
}

/** q, k and v of token `at`, of N(0, 1). */
function token(width: number, at: number): [q: Tensor, k: Tensor, v: Tensor] {
  const rng = generator(0).stream(`token ${at}`);
  const rows = (): Tensor =>
    tensor(Float32Array.from(rng.normals(heads * width)), { shape: [1, heads, 1, width] });
  return [rows(), rows(), rows()];
}
