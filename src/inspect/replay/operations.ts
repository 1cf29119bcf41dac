import { rules, withoutGradient, type Op, type PlainOp } from "../../autograd/index.js";
import { definitionOf } from "../../autograd/define-op.js";
import { compressionOperation } from "../../ideas/moment-rank2/compress.js";
import { restoreOp, type PowerOptions } from "../../ideas/moment-rank2/power/restore-powers.js";
import { causalOperation } from "../../ideas/residual-pivoted/causal/operation.js";
import { attentionOperation as pivotedAttention } from "../../ideas/residual-pivoted/operation.js";
import { attentionOperation } from "../../nn/attention/attention.js";
import { headsAttentionOperation } from "../../nn/attention/heads-attention.js";
import { visibleScoresOperation, visibleSumOperation } from "../../nn/attention/visible-operations.js";
import { affineOperation } from "../../nn/layers/affine.js";
import { layerNormOperation } from "../../nn/layers/layer-norm-operation.js";
import { crossEntropyOperation } from "../../nn/losses/cross-entropy-operation.js";
import { squaredErrorOperation } from "../../nn/losses/squared-error-operation.js";
import { gruSequenceOperation } from "../../nn/recurrent/gru-sequence.js";
import {
  gruStepOperation,
  turnstileOperation,
  type TurnstileAttributes,
} from "../../nn/recurrent/gru-steps.js";
import { joinStepsOperation } from "../../nn/recurrent/time-steps.js";
import type { DType } from "../../tensor/index.js";

/** Settings by name, as an operation gets them. */
export type Settings = Readonly<Record<string, unknown>>;

/** An operation of the package that can be carried out again. */
export interface ReplayableOperation {
  readonly definition: Op<never> | PlainOp<never>;
  /** Whether it has no gradient rule. */
  readonly plain: boolean;
  /** The attributes that decide what it computes, without what it remembers of a pass; all where this is left out. */
  readonly settings?: readonly string[] | ((attributes: Settings) => Settings);
  /** The attributes from the settings, those of the operation that made an input, and the type that stands for float32. */
  complete?(settings: Settings, attributesOf: (input: number) => unknown, single: DType): unknown;
}

const plain: ReadonlySet<string> = new Set<string>(withoutGradient);

/** What an elementary operation remembers is left out; the others remember nothing. */
const elementarySettings: Readonly<Record<string, readonly string[]>> = { normalize: ["eps"] };

const fused = (
  operation: object,
  settings: NonNullable<ReplayableOperation["settings"]>,
  complete?: ReplayableOperation["complete"],
): ReplayableOperation => ({
  definition: definitionOf(operation)!,
  plain: false,
  settings,
  ...(complete && { complete }),
});

const listed: readonly ReplayableOperation[] = [
  ...Object.entries(rules).map(([name, definition]) => ({
    definition: definition as unknown as Op<never>,
    plain: plain.has(name),
    ...(elementarySettings[name] && { settings: elementarySettings[name] }),
  })),
  fused(affineOperation, []),
  fused(layerNormOperation, ["eps"]),
  fused(attentionOperation, ["layout", "masks", "differentiated"]),
  fused(headsAttentionOperation, ["layout", "masks", "differentiated"]),
  fused(visibleScoresOperation, ["hidden"]),
  fused(visibleSumOperation, ["hidden", "transposed"]),
  fused(gruSequenceOperation, []),
  fused(turnstileOperation, ["learns"]),
  fused(gruStepOperation, ["t"], ({ t }, attributesOf) => ({
    run: (attributesOf(0) as TurnstileAttributes).run,
    t,
  })),
  fused(joinStepsOperation, []),
  fused(crossEntropyOperation, ["picked", "counts"]),
  fused(squaredErrorOperation, ["count"]),
  fused(pivotedAttention, ["size", "problems", "rank", "plan"]),
  fused(
    causalOperation,
    ["width", "channels", "rank", "ridge", "single", "problems", "tokens", "settings", "pivots"],
    (settings, _, single) => ({ ...settings, single: settings.single === true && single === "float32" }),
  ),
  fused(compressionOperation, ["compression", "derivative"]),
  fused(restoreOp, ({ options }) => {
    const { count, fallback } = options as PowerOptions;
    return { options: { count, fallback } };
  }),
];

/** Every operation of the package that can be carried out again, by name. */
export const replayableOperations: ReadonlyMap<string, ReplayableOperation> = new Map(
  listed.map((operation) => [operation.definition.name, operation]),
);
