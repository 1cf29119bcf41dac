import type { Generator } from "../../../random/index.js";
import { reserve, type Floats } from "../../../tensor/index.js";
import { acceleratedBatch } from "./accelerated-batch.js";
import type { DrawnLaw } from "./accelerated-pivots.js";
import { backwardProblem, backwardScratch } from "./backward.js";
import type { PivotSource } from "./choose-pivots.js";
import { fastBackward, fastForward } from "./fast.js";
import { forwardProblem, forwardScratch } from "./forward.js";
import type { Mask } from "./points.js";
import type { PivotLaw } from "../settings.js";
import { tangentProblem } from "./tangent.js";
import { clearTape, problemStates, problemTape, tapeLength, tapeOn, type Tape } from "./tape.js";

/** The masks of a batch: one row of tokens for every `problems / rows` consecutive problems. */
export interface BatchMask {
  readonly rows: number;
  readonly tokens: Uint8Array;
}

/** Where the pivots of a batch come from: `rank` uniform numbers, or `rank` held rows, a problem; or the accelerated sampler. */
export type BatchPivots = SuppliedPivots | { readonly law: DrawnLaw; readonly random: Generator };

export type SuppliedPivots =
  { readonly law: PivotLaw; readonly uniforms: Float64Array } | { readonly held: Int32Array };

/** What a batch of attention problems shares. */
export interface BatchPlan<Pivots = SuppliedPivots> {
  readonly ridge: number;
  readonly pivots: Pivots;
  readonly queryMask?: BatchMask | undefined;
  readonly keyMask?: BatchMask | undefined;
}

function maskOf(mask: BatchMask | undefined, problem: number, problems: number, tokens: number): Mask {
  if (mask === undefined) return undefined;
  const row = Math.floor((problem * mask.rows) / problems);
  return mask.tokens.subarray(row * tokens, (row + 1) * tokens);
}

function pivotsOf(pivots: SuppliedPivots, problem: number, rank: number): PivotSource {
  const [from, to] = [problem * rank, (problem + 1) * rank];
  return "held" in pivots
    ? { held: pivots.held.subarray(from, to) }
    : { law: pivots.law, uniforms: pivots.uniforms.subarray(from, to) };
}

function countOf(flags: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < flags.length; at++) sum += flags[at]!;
  return sum;
}

/**
 * The attention of every problem, one after another and each by itself: q `[problems, queries, width]`, k
 * `[problems, keys, width]`, v `[problems, keys, channels]` → out `[problems, queries, channels]`, whatever it holds before. In
 * float32 with the fast kernels all in one call of them, which gives the same bits.
 */
export function forwardBatch(
  size: Tape["size"],
  problems: number,
  rank: number,
  given: BatchPlan<BatchPivots>,
  { q, k, v }: { readonly q: Floats; readonly k: Floats; readonly v: Floats },
  out: Floats,
): Tape {
  const plan = withSuppliedPivots(size, problems, rank, given, q, k);
  const { queries, keys, width, channels } = size;
  const single = out instanceof Float32Array;
  const block = reserve("float64", tapeLength(size, problems, rank, single)) as Float64Array;
  const tape = tapeOn(block, size, problems, rank, single);
  if (fastForward(tape, plan, { q, k, v }, out)) return tape;
  clearTape(tape);
  out.fill(0);
  const scratch = forwardScratch(queries + keys, single);
  for (let p = 0; p < problems; p++) {
    const result = forwardProblem(
      problemTape(tape, p),
      {
        q: q.subarray(p * queries * width, (p + 1) * queries * width),
        k: k.subarray(p * keys * width, (p + 1) * keys * width),
        v: v.subarray(p * keys * channels, (p + 1) * keys * channels),
        queryMask: maskOf(plan.queryMask, p, problems, queries),
        keyMask: maskOf(plan.keyMask, p, problems, keys),
      },
      pivotsOf(plan.pivots, p, rank),
      plan.ridge,
      scratch,
      out.subarray(p * queries * channels, (p + 1) * queries * channels),
    );
    tape.ranks[p] = result.rank;
    tape.states[p] = result.state;
  }
  tape.flooredCount = countOf(tape.floored);
  tape.clampedCount = countOf(tape.clamped);
  return tape;
}

/** The plan with the pivots of the accelerated sampler, when it asks for them, to be held. */
function withSuppliedPivots(
  size: Tape["size"],
  problems: number,
  rank: number,
  plan: BatchPlan<BatchPivots>,
  q: Floats,
  k: Floats,
): BatchPlan {
  const { pivots, queryMask, keyMask } = plan;
  if (!("random" in pivots)) return { ...plan, pivots };
  const { queries, keys, width } = size;
  const held = acceleratedBatch(size, problems, rank, pivots.law, pivots.random, (p) => ({
    q: q.subarray(p * queries * width, (p + 1) * queries * width),
    k: k.subarray(p * keys * width, (p + 1) * keys * width),
    queryMask: maskOf(queryMask, p, problems, queries),
    keyMask: maskOf(keyMask, p, problems, keys),
  }));
  return { ...plan, pivots: { held } };
}

/** The gradients of {@link forwardBatch} in q, k and v with the pivots constant, over what the arrays hold before. */
export function backwardBatch(
  tape: Tape,
  v: Floats,
  cotangent: Floats,
  grads: { readonly dq: Floats; readonly dk: Floats; readonly dv: Floats },
): void {
  if (fastBackward(tape, v, cotangent, grads)) return;
  for (const grad of Object.values(grads)) grad.fill(0);
  const { queries, keys, width, channels } = tape.size;
  const scratch = backwardScratch(tape);
  for (let p = 0; p < tape.problems; p++) {
    const own = {
      dq: grads.dq.subarray(p * queries * width, (p + 1) * queries * width),
      dk: grads.dk.subarray(p * keys * width, (p + 1) * keys * width),
      dv: grads.dv.subarray(p * keys * channels, (p + 1) * keys * channels),
    };
    if (tape.states[p] === problemStates.empty) continue;
    if (tape.states[p] === problemStates.notFinite) {
      own.dq.fill(NaN);
      own.dk.fill(NaN);
      own.dv.fill(NaN);
      continue;
    }
    backwardProblem(
      problemTape(tape, p),
      tape.ranks[p]!,
      v.subarray(p * keys * channels, (p + 1) * keys * channels),
      cotangent.subarray(p * queries * channels, (p + 1) * queries * channels),
      scratch,
      own,
    );
  }
}

/** The directional derivatives of {@link forwardBatch} with the pivots constant, over what `out` holds before. */
export function tangentBatch(
  tape: Tape,
  v: Floats,
  { tq, tk, tv }: { readonly tq: Floats; readonly tk: Floats; readonly tv: Floats },
  out: Floats,
): void {
  const { queries, keys, width, channels } = tape.size;
  out.fill(0);
  for (let p = 0; p < tape.problems; p++) {
    const own = out.subarray(p * queries * channels, (p + 1) * queries * channels);
    if (tape.states[p] === problemStates.notFinite) own.fill(NaN);
    if (tape.states[p] !== problemStates.ordinary) continue;
    tangentProblem(
      problemTape(tape, p),
      tape.ranks[p]!,
      v.subarray(p * keys * channels, (p + 1) * keys * channels),
      {
        tq: tq.subarray(p * queries * width, (p + 1) * queries * width),
        tk: tk.subarray(p * keys * width, (p + 1) * keys * width),
        tv: tv.subarray(p * keys * channels, (p + 1) * keys * channels),
      },
      own,
    );
  }
}
