import type { Tensor } from "../../../autograd/index.js";
import { fail } from "../../../errors/index.js";
import { formatShape, sizeOf } from "../../../tensor/index.js";
import type { Attention, AttentionOptions } from "../attention.js";
import type { Settings } from "../settings.js";
import { causalOperation, type CausalOperationCall } from "./operation.js";
import { choicesFor, type CausalSettings } from "./schedule.js";

/** The causal form of `residualPivotedAttention`, whose operands are checked already. */
export function attendCausally(
  [q, k, v]: readonly [Tensor, Tensor, Tensor],
  settings: Settings,
  causal: CausalSettings,
  options: AttentionOptions,
): Attention {
  const [tokens, width] = q.shape.slice(-2) as [number, number];
  if (k.shape.at(-2) !== tokens) {
    fail(
      "E_SHAPE",
      `residualPivotedAttention: causal attention is that of tokens to themselves; expected as many keys as queries, got ` +
        `${formatShape(q.shape)} and ${formatShape(k.shape)}`,
    );
  }
  if (options.queryMask || options.keyMask) {
    fail(
      "E_VALUE",
      "residualPivotedAttention: the causal form takes no masks; put padding last, where no token sees it",
    );
  }
  if (options.sampler === "accelerated") {
    fail(
      "E_VALUE",
      "residualPivotedAttention: the causal form has the plain sampler only; leave sampler out",
    );
  }
  const problems = sizeOf(q.shape.slice(0, -2));
  const choices = choicesFor(tokens, causal);
  const call: CausalOperationCall = {
    width,
    channels: v.shape.at(-1)!,
    rank: settings.rank,
    ridge: settings.ridge,
    single: q.dtype === "float32",
    problems,
    tokens,
    settings: causal,
    pivots: pivotsFor(choices * problems, settings, options, problems, causal),
  };
  const output = causalOperation([q, k, v], call);
  const { pivots, ...counts } = call.tape!;
  const ranks = Int32Array.from({ length: choices * problems }, (_, at) => {
    const own = pivots.subarray(at * settings.rank, (at + 1) * settings.rank);
    return own.reduce((count, row) => count + Number(row >= 0), 0);
  });
  return { output, statistics: { pivots: pivots.slice(), ranks, ...counts } };
}

function pivotsFor(
  choices: number,
  { rank, pivots }: Settings,
  { held, rng }: AttentionOptions,
  problems: number,
  { chunk, refresh }: CausalSettings,
): CausalOperationCall["pivots"] {
  const count = choices * rank;
  if (held) {
    checkHeld(held, count, rank, problems, { chunk, refresh });
    return { held };
  }
  if (pivots === "greedy") return { law: pivots, uniforms: new Float64Array(count) };
  if (!rng) {
    fail("E_VALUE", `residualPivotedAttention: pivots "${pivots}" are drawn; pass a generator as rng`);
  }
  return { law: pivots, uniforms: rng.uniforms(count) };
}

function checkHeld(
  held: Int32Array,
  count: number,
  rank: number,
  problems: number,
  { chunk, refresh }: Pick<CausalSettings, "chunk" | "refresh">,
): void {
  if (held.length !== count) {
    fail("E_VALUE", `residualPivotedAttention: held must be ${count} rows, got ${held.length}`);
  }
  for (let at = 0; at < count; at++) {
    const choice = Math.floor(at / (rank * problems));
    const past = chunk * (refresh === "doubling" ? 2 ** choice : choice + 1);
    const row = held[at]!;
    if (row < -1 || row >= 2 * past || (row >= 0 && at % rank > 0 && held[at - 1] === -1)) {
      fail(
        "E_VALUE",
        `residualPivotedAttention: held of choice ${choice} must be rows from -1 to ${2 * past - 1} of the [Q; K] before it, ` +
          `nothing but -1 after a -1, got ${row} at ${at}`,
      );
    }
  }
}
