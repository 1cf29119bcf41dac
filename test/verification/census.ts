import * as autograd from "../../src/autograd/index.js";
import { rules } from "../../src/autograd/index.js";
import * as momentRank2 from "../../src/ideas/moment-rank2/index.js";
import * as residualPivoted from "../../src/ideas/residual-pivoted/index.js";
import * as nn from "../../src/nn/index.js";

/** Public functions that compute nothing of their own, and why they need no row. */
export const withoutRow: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "arange",
      "eye",
      "full",
      "linspace",
      "ones",
      "onesLike",
      "randomIntegers",
      "randomNormal",
      "randomPermutation",
      "randomUniform",
      "tensor",
      "zeros",
      "zerosLike",
      "asTensor",
    ].map((name) => [`autograd ${name}`, "makes a leaf: test/autograd/values/creation.test.ts"]),
  ),
  ...Object.fromEntries(
    ["backward", "gradients", "grad", "valueAndGrad", "vjp", "jvp", "hvp", "gradcheck"].map((name) => [
      `autograd ${name}`,
      "differentiates: every row runs it, and test/autograd/derivatives.test.ts",
    ]),
  ),
  ...Object.fromEntries(
    ["defineOp", "isRecording", "noGrad", "keep", "scope", "mapTree", "Tensor"].map((name) => [
      `autograd ${name}`,
      "holds or records values and computes none",
    ]),
  ),
  ...Object.fromEntries(
    ["Module", "Parameter", "Optimizer"].map((name) => [
      `nn ${name}`,
      "what layers and optimizers are made of, which have the rows",
    ]),
  ),
  ...Object.fromEntries(
    ["encodeSafetensors", "decodeSafetensors"].map((name) => [
      `nn ${name}`,
      "moves the bits of values and computes none: test/nn/safetensors.test.ts",
    ]),
  ),
  "nn KeyValueCache":
    "keeps rows and gives the bits of attention, which has the row: test/nn/attention/decode.test.ts",
  "residual-pivoted PivotedAttentionDecoder":
    "gives the bits of residualPivotedAttention, which has the row: test/ideas/residual-pivoted/causal/decoder.test.ts",
  ...Object.fromEntries(
    ["dimensionTree", "treeNumbers", "MomentPreservingLayer", "PowerCounter", "storedNumbers"].map((name) => [
      `moment-rank2 ${name}`,
      "what the truncations, which have the rows, are made of: test/ideas/moment-rank2",
    ]),
  ),
  "moment-rank2 TruncationCounter": "counts and computes nothing: test/ideas/moment-rank2",
};

const functionsOf = (room: string, exports: object): string[] =>
  Object.entries(exports)
    .filter(([, value]) => typeof value === "function")
    .map(([name]) => `${room} ${name}`);

/** All that must have a row, by name: every rule, every public function or class, and every form and option of the ideas. */
export const census: readonly string[] = [
  ...Object.keys(rules).map((name) => `rule ${name}`),
  ...functionsOf("autograd", autograd),
  ...functionsOf("nn", nn),
  ...functionsOf("moment-rank2", momentRank2),
  ...momentRank2.forms.map((form) => `moment-rank2 form ${form}`),
  ...momentRank2.truncationGradients.map((gradient) => `moment-rank2 gradient ${gradient}`),
  ...functionsOf("residual-pivoted", residualPivoted),
  ...residualPivoted.pivotLaws.map((law) => `residual-pivoted pivots ${law}`),
];
