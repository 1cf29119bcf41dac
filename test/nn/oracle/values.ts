import { readFileSync } from "node:fs";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import type { Module, Reduction } from "../../../src/nn/index.js";
import { expectNear, type Numbers } from "../near.js";

interface LayerCase {
  readonly state: Readonly<Record<string, Numbers>>;
  readonly output: Numbers;
  readonly cotangent: Numbers;
  readonly gradients: Readonly<Record<string, Numbers>>;
}

interface LossCase {
  readonly reduction: Reduction;
  readonly loss: Numbers;
  readonly cotangent: Numbers;
  readonly gradients: Readonly<Record<string, Numbers>>;
}

/** What generate.py wrote. */
interface Values {
  readonly gru: readonly (Omit<LayerCase, "cotangent"> & {
    readonly layers: number;
    readonly bias: boolean;
    readonly x: Numbers;
    readonly h: Numbers;
    readonly hidden: Numbers;
    readonly cotangents: readonly [Numbers, Numbers];
  })[];
  readonly gruCell: readonly (LayerCase & {
    readonly bias: boolean;
    readonly x: Numbers;
    readonly h: Numbers;
  })[];
  readonly attention: readonly (LayerCase & {
    readonly bias: boolean;
    readonly query: Numbers;
    readonly key: Numbers | null;
    readonly value: Numbers | null;
    readonly attnMask: Numbers | null;
    readonly keyPaddingMask: Numbers | null;
  })[];
  readonly layerNorm: readonly (LayerCase & { readonly eps: number; readonly x: Numbers })[];
  readonly block: readonly (LayerCase & {
    readonly activation: "gelu" | "relu";
    readonly x: Numbers;
    readonly mask: Numbers | null;
  })[];
  readonly embedding: readonly (LayerCase & { readonly indices: Numbers })[];
  readonly crossEntropy: readonly (LossCase & {
    readonly ignoreIndex: number;
    readonly labelSmoothing: number;
    readonly logits: Numbers;
    readonly targets: Numbers;
  })[];
  readonly regression: readonly (LossCase & {
    readonly name: "mseLoss" | "l1Loss" | "huberLoss";
    readonly options: { readonly delta?: number };
    readonly prediction: Numbers;
    readonly target: Numbers;
  })[];
  readonly optimizers: readonly {
    readonly name: "SGD" | "Adam" | "AdamW";
    readonly options: Readonly<Record<string, unknown>>;
    readonly start: Numbers;
    readonly steps: readonly Numbers[];
    readonly trace: readonly Numbers[];
  }[];
  readonly clipping: readonly {
    readonly limit: number;
    readonly before: readonly Numbers[];
    readonly norm: number;
    readonly after: readonly Numbers[];
  }[];
  readonly cosine: readonly {
    readonly lr: number;
    readonly steps: number;
    readonly floor: number;
    readonly rates: readonly number[];
  }[];
}

/** What generate-reset-before.py wrote. */
type ResetBefore = readonly Omit<Values["gru"][number], "layers" | "cotangents" | "gradients">[];

/** What generate-formulas.py wrote. */
interface Formulas {
  readonly gru: Values["gru"];
  readonly gruCell: Values["gruCell"];
  readonly attention: readonly {
    readonly name: string;
    readonly causal: boolean;
    readonly attnMask: Numbers | null;
    readonly keyPaddingMask: Numbers | null;
    readonly q: Numbers;
    readonly k: Numbers;
    readonly v: Numbers;
    readonly output: Numbers;
    readonly cotangent: Numbers;
    readonly gradients: Readonly<Record<"q" | "k" | "v", Numbers>>;
  }[];
}

/** A scalar loss of named tensors, its gradient, and its Hessian times a direction. */
export interface SecondDerivative {
  readonly inputs: Readonly<Record<string, Numbers>>;
  readonly direction: Readonly<Record<string, Numbers>>;
  readonly loss: Numbers;
  readonly gradient: Readonly<Record<string, Numbers>>;
  readonly product: Readonly<Record<string, Numbers>>;
}

/** What generate-second-derivatives.py wrote. */
interface SecondDerivatives {
  readonly layerNorm: SecondDerivative & { readonly probe: Numbers };
  readonly gruAfter: SecondDerivative & { readonly probe: Numbers };
  readonly gruBefore: SecondDerivative & { readonly probe: Numbers };
  readonly attention: SecondDerivative & { readonly probe: Numbers };
  readonly crossEntropy: SecondDerivative & { readonly targets: Numbers };
  readonly net: SecondDerivative & { readonly x: Numbers; readonly y: Numbers };
  readonly embedding: SecondDerivative & { readonly indices: Numbers; readonly probe: Numbers };
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
}

/** PyTorch's values in float64; see generate.py. */
export const values = read("values.json") as Values;

/** The values of ONNX's reference evaluator for the GRU of the paper, in float64; see generate-reset-before.py. */
export const resetBefore = read("reset-before.json") as ResetBefore;

/** PyTorch's values for layers written out from their formulas; see generate-formulas.py. */
export const formulas = read("formulas.json") as Formulas;

/** PyTorch's Hessian-vector products; see generate-second-derivatives.py. */
export const secondDerivatives = read("second-derivatives.json") as SecondDerivatives;

/** A float64 leaf. */
export function leaf(data: Numbers): Tensor {
  return tensor(data, { dtype: "float64", requiresGrad: true });
}

/** A float64 constant. */
export function constant(data: Numbers): Tensor {
  return tensor(data, { dtype: "float64" });
}

/** The module with PyTorch's parameters, whose names and shapes must be its own. */
export function withState<M extends Module>(module: M, state: Readonly<Record<string, Numbers>>): M {
  return module.loadStateDict(
    Object.fromEntries(Object.entries(state).map(([name, value]) => [name, constant(value)])),
  );
}

/** The gradients of leaves and parameters against PyTorch's; each expected one must be there. */
export function expectGradients(
  found: Readonly<Record<string, Tensor | undefined>>,
  module: Module | undefined,
  expected: Readonly<Record<string, Numbers>>,
): void {
  const named = { ...found, ...Object.fromEntries(module?.namedParameters() ?? []) };
  for (const [name, gradient] of Object.entries(expected)) {
    expectNear(named[name]!.grad!, gradient, 1e-9, `gradient of ${name}`);
  }
}
