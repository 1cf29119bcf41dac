import type { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import type { Generator } from "../../random/index.js";
import { formatShape, sizeOf, type Shape } from "../../tensor/index.js";
import type { BatchMask, BatchPivots } from "./kernel/batch.js";
import { attendCausally } from "./causal/attend.js";
import { completeCausalSettings, type Refresh } from "./causal/schedule.js";
import { attentionOperation, type Call } from "./operation.js";
import { completeSampler, completeSettings, type PivotLaw, type Sampler, type Settings } from "./settings.js";
import type { Tape } from "./kernel/tape.js";

/** Options of {@link residualPivotedAttention}. */
export interface AttentionOptions {
  /** The number of pivots r. Default 4. */
  readonly rank?: number;
  /** The law of the pivots. Default `exp`. */
  readonly pivots?: PivotLaw;
  /**
   * How pivots are drawn; the law is the same. `accelerated` draws as many numbers as it needs, from a stream that is named
   * by two numbers of `rng`. Default `plain`.
   */
  readonly sampler?: Sampler;
  /** Added to the diagonal of the pivots' Gaussian kernel. Default 0. */
  readonly ridge?: number;
  /** Where the pivots are drawn from: r numbers a problem, whatever the data. Not needed for `greedy` or `held`. */
  readonly rng?: Generator;
  /**
   * Pivots to use instead of drawing: `[problems × rank]` rows of [Q; K] in order; −1 ends the pivots of a problem, so
   * nothing but −1 may follow it. In the causal form `[choices × problems × rank]`, rows of the [Q; K] before the choice.
   */
  readonly held?: Int32Array;
  /**
   * true where a query takes part, false where it is padding: the opposite of a `keyPaddingMask`, in which true is
   * padding. bool `[…, queries]`, the axes before the last being the first axes of q. Masked queries are never read,
   * are never pivots, and give 0.
   */
  readonly queryMask?: Tensor;
  /**
   * true where a key and its value take part, false where they are padding: the opposite of a `keyPaddingMask`, in
   * which true is padding. bool `[…, keys]`, axes as above. Masked keys are never read and are never pivots.
   */
  readonly keyMask?: Tensor;
  /**
   * Whether a token sees only itself and earlier ones. Tokens then go by chunks: the keys before a chunk through pivots chosen
   * from the rows of [Q; K] before it, those inside it exactly, with one normaliser over both. Default false.
   */
  readonly causal?: boolean;
  /** The tokens of a chunk of the causal form. Default 16. */
  readonly chunk?: number;
  /** When the causal form chooses pivots anew: before chunks 1, 2, 4, 8, … (the default), before every one, or once. */
  readonly refresh?: Refresh;
}

/** What happened in one call; nothing of it is kept anywhere else. */
export interface AttentionStatistics {
  /** The pivots `[problems × rank]`, rows of [Q; K], −1 where a problem stopped earlier; can be passed as `held`, as all of its form. */
  readonly pivots: Int32Array;
  /** The number of pivots of each problem. */
  readonly ranks: Int32Array;
  /** Normalisers that were replaced by their bound, of `normalisers`. */
  readonly floored: number;
  readonly normalisers: number;
  /** Outputs that were replaced by the bound of their channel, of `outputs`. */
  readonly clamped: number;
  readonly outputs: number;
}

/** The attention and what happened in it. */
export interface Attention {
  /** `[…, queries, channels]`. */
  readonly output: Tensor;
  readonly statistics: AttentionStatistics;
}

/**
 * Attention through a pivoted Cholesky factor of its exponential kernel: with X = [Q; K − mean(K)]/d^¼ and r pivots S
 * of K_X = exp(X Xᵀ), out = F_q (F_kᵀ [V, 1]) normalised, in O(n r (r + d)) time and O(n r) memory; no n × n matrix.
 * q `[…, queries, d]`, k `[…, keys, d]`, v `[…, keys, channels]` → `[…, queries, channels]`.
 *
 * The normaliser Z is at least max(number of unmasked keys, Σ over pivot keys A_is), a certified bound of the exact
 * one. It is computed as Z e^{−|x|²/2 − max |y|²/2}, which is at least the smallest normal number as well: 2⁻¹²⁶, in
 * float64 2⁻¹⁰²². The output is clamped to the range of the values of each channel. Rounding is no event: a normaliser
 * less than √u (2⁻¹², in float64 2⁻²⁶) of its bound below it is left as it is, and an output outside the range by less
 * than √u of its width and 64u of the largest magnitude in it is moved into it but has its gradient. The gradient holds
 * the pivots constant and is zero through what was replaced: a floored normaliser and a clamped output count as
 * constants.
 *
 * In float32 the Gaussian kernel underflows beyond |x − y|² ≈ 170, that is for scores |q·k|/√d of about 80: such
 * queries end at the floor.
 *
 * Throws E_SHAPE, E_DTYPE, E_VALUE (settings, a missing generator, masks beside causal) and, in a second derivative,
 * E_SECOND_ORDER. Source: randomly pivoted Cholesky (arXiv 2207.06503), in the Gaussian form e^{x·y} =
 * e^{|x|²/2} e^{−|x−y|²/2} e^{|y|²/2}.
 */
export function residualPivotedAttention(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  options: AttentionOptions = {},
): Attention {
  const settings = completeSettings(options);
  const causal = completeCausalSettings(options);
  completeSampler(options);
  checkOperands(q, k, v);
  if (causal.causal) return attendCausally([q, k, v], settings, causal, options);
  const [queries, width] = q.shape.slice(-2) as [number, number];
  const [keys, channels] = v.shape.slice(-2) as [number, number];
  const leading = q.shape.slice(0, -2);
  const problems = sizeOf(leading);
  const call: Call = {
    size: { queries, keys, width, channels },
    problems,
    rank: settings.rank,
    plan: {
      ridge: settings.ridge,
      pivots: planPivots(settings, options, problems, queries + keys),
      queryMask: planMask("queryMask", options.queryMask, leading, queries),
      keyMask: planMask("keyMask", options.keyMask, leading, keys),
    },
  };
  const output = attentionOperation([q, k, v], call);
  return { output, statistics: statisticsOf(call.tape!) };
}

function checkOperands(q: Tensor, k: Tensor, v: Tensor): void {
  const shapes = [q, k, v].map((x) => formatShape(x.shape)).join(", ");
  const same = (a: Shape, b: Shape): boolean =>
    a.length === b.length && a.every((size, axis) => size === b[axis]);
  if (
    q.rank < 2 ||
    !same(q.shape.slice(0, -2), k.shape.slice(0, -2)) ||
    !same(k.shape.slice(0, -1), v.shape.slice(0, -1)) ||
    q.shape[q.rank - 1] !== k.shape[k.rank - 1]
  ) {
    fail(
      "E_SHAPE",
      `residualPivotedAttention: expected q [..., queries, d], k [..., keys, d] and v [..., keys, channels] with the ` +
        `same leading axes, got ${shapes}`,
    );
  }
  if ((q.dtype !== "float32" && q.dtype !== "float64") || k.dtype !== q.dtype || v.dtype !== q.dtype) {
    fail(
      "E_DTYPE",
      `residualPivotedAttention: expected q, k and v all float32 or all float64, got ${q.dtype}, ${k.dtype}, ${v.dtype}`,
    );
  }
}

function planPivots(
  settings: Settings,
  options: AttentionOptions,
  problems: number,
  rows: number,
): BatchPivots {
  const { held, rng } = options;
  const count = problems * settings.rank;
  if (held !== undefined) {
    checkHeld(held, problems, settings.rank, rows);
    return { held };
  }
  if (settings.pivots === "greedy") return { law: "greedy", uniforms: new Float64Array(count) };
  if (rng === undefined) {
    fail(
      "E_VALUE",
      `residualPivotedAttention: pivots "${settings.pivots}" are drawn; pass a generator as rng`,
    );
  }
  if (completeSampler(options).sampler === "accelerated") {
    return { law: settings.pivots, random: rng.stream(`call ${rng.uint32()} ${rng.uint32()}`) };
  }
  return { law: settings.pivots, uniforms: rng.uniforms(count) };
}

function checkHeld(held: Int32Array, problems: number, rank: number, rows: number): void {
  const expected = `residualPivotedAttention: held must be ${problems} × ${rank} rows from -1 to ${rows - 1}`;
  if (held.length !== problems * rank) fail("E_VALUE", `${expected}, got ${held.length}`);
  for (let at = 0; at < held.length; at++) {
    const row = held[at]!;
    if (row < -1 || row >= rows) fail("E_VALUE", `${expected}, got ${row} at ${at}`);
    if (row >= 0 && at % rank > 0 && held[at - 1] === -1) {
      fail("E_VALUE", `${expected}, and -1 ends the pivots of a problem, got ${row} after it at ${at}`);
    }
  }
}

function planMask(
  name: string,
  mask: Tensor | undefined,
  leading: Shape,
  tokens: number,
): BatchMask | undefined {
  if (mask === undefined) return undefined;
  const before = mask.shape.slice(0, -1);
  if (
    mask.dtype !== "bool" ||
    mask.shape[mask.rank - 1] !== tokens ||
    before.length > leading.length ||
    before.some((size, axis) => size !== leading[axis])
  ) {
    fail(
      "E_SHAPE",
      `residualPivotedAttention: ${name} must be bool [..., ${tokens}] with the first of the axes ` +
        `${formatShape(leading)} before it, got ${mask.dtype} ${formatShape(mask.shape)}`,
    );
  }
  return { rows: sizeOf(before), tokens: mask.values() as Uint8Array };
}

function statisticsOf(tape: Tape): AttentionStatistics {
  return {
    pivots: tape.pivots.slice(),
    ranks: tape.ranks.slice(),
    floored: tape.flooredCount,
    normalisers: tape.floored.length,
    clamped: tape.clampedCount,
    outputs: tape.clamped.length,
  };
}
