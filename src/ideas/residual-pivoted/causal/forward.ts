import type { Floats } from "../../../tensor/index.js";
import type { PivotSource } from "../kernel/choose-pivots.js";
import type { PivotLaw } from "../settings.js";
import { attendRow, emptyRow, type Row } from "./attend-row.js";
import { beginPrefix, scaledRows, type Past } from "./begin-prefix.js";
import { absorb, type CausalPlan, type Prefix, type Tokens } from "./prefix.js";
import { choicesFor, choosesBefore, type CausalSettings } from "./schedule.js";

/** A batch of causal attentions of one size. */
export interface CausalCall extends CausalPlan {
  readonly problems: number;
  readonly tokens: number;
  readonly settings: CausalSettings;
  /** `[choices, problems, rank]`: the numbers that pivots are drawn by, or the pivots themselves. */
  readonly pivots:
    { readonly law: PivotLaw; readonly uniforms: Float64Array } | { readonly held: Int32Array };
}

/** What the forward pass leaves: no more than the pivots, since all else can be computed from them again. */
export interface CausalTape {
  /** `[choices, problems, rank]`, rows of [Q; K] of the tokens before, −1 after the last. */
  readonly pivots: Int32Array;
  floored: number;
  normalisers: number;
  clamped: number;
  outputs: number;
}

/** The pivots of one choice of one problem. */
export function sourceOf(call: CausalCall, choice: number, problem: number): PivotSource {
  const { pivots, problems, rank } = call;
  const [from, to] = [(choice * problems + problem) * rank, (choice * problems + problem + 1) * rank];
  return "held" in pivots
    ? { held: pivots.held.subarray(from, to) }
    : { law: pivots.law, uniforms: pivots.uniforms.subarray(from, to) };
}

/** The tokens of one chunk as points about the centre of the prefix. */
export function chunkTokens(
  plan: CausalPlan,
  { q, k, v }: Omit<Past, "length">,
  from: number,
  length: number,
  prefix: Prefix | undefined,
): Tokens {
  return {
    length,
    queries: scaledRows(q, from, length, plan),
    keys: scaledRows(k, from, length, plan, prefix?.centre),
    values: v.subarray(from * plan.channels, (from + length) * plan.channels),
  };
}

/**
 * The attention of every problem: q and k `[problems, tokens, width]`, v `[problems, tokens, channels]` → out
 * `[problems, tokens, channels]`. A chunk's queries see nothing of later chunks, and no query anything of later tokens: not
 * in the pivots, the centre of the keys, the scale of the sums, the floor or the clamp. In O(n r (r + d) + n chunk d) time,
 * but for `refresh: "chunk"`.
 */
export function causalForward(
  call: CausalCall,
  { q, k, v }: { readonly q: Floats; readonly k: Floats; readonly v: Floats },
  out: Floats,
): CausalTape {
  const { problems, tokens, width, channels, rank, settings } = call;
  const choices = choicesFor(tokens, settings);
  const pivots = new Int32Array(choices * problems * rank).fill(-1);
  const tape: CausalTape = { pivots, floored: 0, normalisers: 0, clamped: 0, outputs: 0 };
  const row = emptyRow(rank, channels, Math.min(settings.chunk, tokens));
  for (let p = 0; p < problems; p++) {
    const [from, to] = [p * tokens, (p + 1) * tokens];
    const own = {
      q: q.subarray(from * width, to * width),
      k: k.subarray(from * width, to * width),
      v: v.subarray(from * channels, to * channels),
    };
    forwardProblem(call, tape, p, own, row, out.subarray(from * channels, to * channels));
  }
  return tape;
}

function forwardProblem(
  call: CausalCall,
  tape: CausalTape,
  problem: number,
  arrays: Omit<Past, "length">,
  row: Row,
  out: Floats,
): void {
  const { problems, tokens, channels, rank, single, settings } = call;
  const { chunk, refresh } = settings;
  let prefix: Prefix | undefined;
  let choice = 0;
  for (let at = 0; at * chunk < tokens; at++) {
    const from = at * chunk;
    if (choosesBefore(at, refresh)) {
      const to = (choice * problems + problem) * rank;
      const chosen = tape.pivots.subarray(to, to + rank);
      prefix = beginPrefix(call, { ...arrays, length: from }, sourceOf(call, choice, problem), chosen, row);
      choice++;
    }
    const length = Math.min(chunk, tokens - from);
    const here = chunkTokens(call, arrays, from, length, prefix);
    for (let i = 0; i < length; i++) {
      attendRow(prefix, here, i, row, single);
      out.set(row.output, (from + i) * channels);
      if (prefix) countEvents(tape, row);
    }
    const goesOn = from + chunk < tokens && !choosesBefore(at + 1, refresh);
    if (prefix && goesOn) absorb(prefix, here, row);
  }
}

/** Counts the events of a row that has a prefix. */
export function countEvents(tape: CausalTape, row: Row): void {
  tape.normalisers++;
  tape.outputs += row.clamped.length;
  if (row.floored) tape.floored++;
  for (const each of row.clamped) tape.clamped += each;
}
