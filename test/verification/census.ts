import * as autograd from "../../src/autograd/index.js";
import { rules } from "../../src/autograd/index.js";

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
};

const functionsOf = (room: string, exports: object): string[] =>
  Object.entries(exports)
    .filter(([, value]) => typeof value === "function")
    .map(([name]) => `${room} ${name}`);

/** All that must have a row, by name: every rule, and every public function or class. */
export const census: readonly string[] = [
  ...Object.keys(rules).map((name) => `rule ${name}`),
  ...functionsOf("autograd", autograd),
];
