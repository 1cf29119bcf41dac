import { hvp, tensor, vjp, type Tensor } from "../../../src/autograd/index.js";
import {
  attention,
  crossEntropy,
  Embedding,
  GRU,
  GRUCell,
  LayerNorm,
  Linear,
  mseLoss,
  MultiHeadAttention,
  TransformerBlock,
  type MaskOptions,
  type Module,
  type ResetPlace,
} from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import type { LawResult } from "../../../src/testing/index.js";
import type { Numbers } from "../../nn/near.js";
import {
  constant,
  formulas,
  resetBefore,
  secondDerivatives,
  values,
  withState,
  type SecondDerivative,
} from "../../nn/oracle/values.js";
import { checkAgreement } from "../checks/agreement.js";
import { moduleSample } from "../module-sample.js";
import { check, type Check } from "../row.js";
import type { Function, Sample } from "../sample.js";

const options = { rng: generator("oracle"), dtype: "float64" } as const;

/** Both compute in float64, in other orders: far below the 1e-6 of the ladder. */
const tolerance = 1e-12;

/** What the outside gives for one use. */
interface Recorded {
  readonly outputs: readonly Numbers[];
  readonly cotangents: readonly Numbers[];
  readonly gradients: Readonly<Record<string, Numbers>>;
}

/** Outputs and gradients of inputs and parameters, by name. */
function agrees(
  module: Module | undefined,
  named: Readonly<Record<string, Numbers>>,
  call: (...xs: Tensor[]) => readonly Tensor[],
  { outputs, cotangents, gradients }: Recorded,
): LawResult {
  const leaves = Object.values(named).map(constant);
  const names = [...Object.keys(named), ...(module?.namedParameters() ?? []).map(([name]) => name)];
  const pairs: (readonly [string, Tensor, Tensor])[] = [];
  outputs.forEach((output, i) => {
    const one = (...xs: Tensor[]): Tensor => call(...xs)[i]!;
    const { f, inputs } = module ? moduleSample(module, one, leaves) : { f: one, inputs: leaves };
    pairs.push(["value", f(...inputs), constant(output)]);
  });
  const joint: Function = (...xs) =>
    call(...xs)
      .map((out, i) => out.mul(constant(cotangents[i]!)).sum())
      .reduce((a, b) => a.add(b));
  const { f, inputs } = module ? moduleSample(module, joint, leaves) : { f: joint, inputs: leaves };
  const found = vjp(f, ...inputs).pullback(tensor(1, { dtype: "float64" }));
  for (const [name, gradient] of Object.entries(gradients))
    pairs.push(["gradient", found[names.indexOf(name)]!, constant(gradient)]);
  return checkAgreement("Oracle", tolerance, pairs);
}

function second(title: string, { f }: Pick<Sample, "f">, given: SecondDerivative): Check {
  return check(title, () => {
    const list = (named: Readonly<Record<string, Numbers>>): Tensor[] => Object.values(named).map(constant);
    const inputs = list(given.inputs);
    const { product, gradient } = hvp(f, inputs, list(given.direction));
    return checkAgreement("Oracle", tolerance, [
      ["value", f(...inputs), constant(given.loss)],
      ...list(given.gradient).map((wanted, i) => ["gradient", gradient[i]!, wanted] as const),
      ...list(given.product).map((wanted, i) => ["Hessian-vector product", product[i]!, wanted] as const),
    ]);
  });
}

/** Σ probe·f². */
const probed =
  (f: Function, probe: Numbers): Function =>
  (...xs) =>
    f(...xs)
      .square()
      .mul(constant(probe))
      .sum();

type GruCases = typeof values.gru;

const gruChecks = (title: string, cases: GruCases, reset: ResetPlace): Check =>
  check(title, () =>
    cases.map((given) => {
      const { layers: numLayers, bias, state, x, h } = given;
      const module = withState(new GRU(3, 4, { ...options, numLayers, bias, reset }), state);
      const call = (...[x, h]: Tensor[]): Tensor[] => {
        const { output, hidden } = module.forward(x!, h);
        return [output, hidden];
      };
      return agrees(module, { x, h }, call, { ...given, outputs: [given.output, given.hidden] });
    }),
  );

const cellChecks = (title: string, cases: typeof values.gruCell, reset: ResetPlace): Check =>
  check(title, () =>
    cases.map((given) => {
      const { bias, state, x, h } = given;
      const module = withState(new GRUCell(3, 4, { ...options, bias, reset }), state);
      return agrees(module, { x, h }, (...[x, h]) => [module.forward(x!, h)], one(given));
    }),
  );

/** A case with one output. */
const one = (given: {
  readonly output: Numbers;
  readonly cotangent: Numbers;
  readonly gradients: Readonly<Record<string, Numbers>>;
}): Recorded => ({
  outputs: [given.output],
  cotangents: [given.cotangent],
  gradients: given.gradients,
});

const masksOf = (attnMask: Numbers | null, keyPaddingMask: Numbers | null): MaskOptions => ({
  ...(attnMask !== null && { attnMask: tensor(attnMask, { dtype: "bool" }) }),
  ...(keyPaddingMask !== null && { keyPaddingMask: tensor(keyPaddingMask, { dtype: "bool" }) }),
});

const gruSecond = (reset: ResetPlace, given: SecondDerivative & { readonly probe: Numbers }): Check => {
  const module = new GRU(2, 3, { ...options, reset });
  const call: Function = (x, h) => module.forward(x!, h!.unsqueeze(0)).output;
  const f: Function = (...xs) => moduleSample(module, call, xs.slice(0, 2)).f(...xs);
  return second("PyTorch 1.13, second derivatives", { f: probed(f, given.probe) }, given);
};

/** Level 8 of layers: what PyTorch and ONNX give for values, gradients and Hessian-vector products. */
export const layerOracles = {
  gruAfter: [gruChecks("PyTorch 1.13", values.gru, "after"), gruSecond("after", secondDerivatives.gruAfter)],
  gruBefore: [
    gruChecks("its formula in PyTorch 1.13", formulas.gru, "before"),
    check("ONNX", () =>
      resetBefore.map(({ bias, state, x, h, output, hidden }) => {
        const module = withState(new GRU(3, 4, { ...options, bias, reset: "before" }), state);
        const found = module.forward(constant(x), constant(h));
        return checkAgreement("Oracle", tolerance, [
          ["value", found.output, constant(output)],
          ["value", found.hidden, constant(hidden)],
        ]);
      }),
    ),
    gruSecond("before", secondDerivatives.gruBefore),
  ],
  cellAfter: [cellChecks("PyTorch 1.13", values.gruCell, "after")],
  cellBefore: [cellChecks("its formula in PyTorch 1.13", formulas.gruCell, "before")],
  attention: [
    check("its formula in PyTorch 1.13, under every mask", () =>
      formulas.attention.map((given) => {
        const { causal, attnMask, keyPaddingMask, q, k, v } = given;
        const masks = { ...masksOf(attnMask, keyPaddingMask), causal };
        return agrees(undefined, { q, k, v }, (...[q, k, v]) => [attention(q!, k!, v!, masks)], one(given));
      }),
    ),
    second(
      "PyTorch 1.13, second derivatives",
      { f: probed((q, k, v) => attention(q!, k!, v!, { causal: true }), secondDerivatives.attention.probe) },
      secondDerivatives.attention,
    ),
  ],
  multiHead: [
    check("PyTorch 1.13, self and cross, under masks", () =>
      values.attention.map((given) => {
        const { bias, state, query, key, value, attnMask, keyPaddingMask } = given;
        const module = withState(new MultiHeadAttention(6, 2, { ...options, bias }), state);
        const masks = masksOf(attnMask, keyPaddingMask);
        const named = { query, ...(key !== null && { key }), ...(value !== null && { value }) };
        const call = (...[q, key, value]: Tensor[]): Tensor[] => [
          module.forward(q!, { ...masks, ...(key && { key }), ...(value && { value }) }),
        ];
        return agrees(module, named, call, one(given));
      }),
    ),
  ],
  block: [
    check("PyTorch 1.13, TransformerEncoderLayer", () =>
      values.block.map((given) => {
        const { activation, state, x, mask } = given;
        const shape = { heads: 2, feedForward: 5, activation };
        const module = withState(new TransformerBlock(6, { ...options, ...shape }), state);
        return agrees(module, { x }, (x) => [module.forward(x!, masksOf(mask, null))], one(given));
      }),
    ),
  ],
  layerNorm: [
    check("PyTorch 1.13", () =>
      values.layerNorm.map((given) => {
        const module = withState(new LayerNorm(7, { eps: given.eps, dtype: "float64" }), given.state);
        return agrees(module, { x: given.x }, (x) => [module.forward(x!)], one(given));
      }),
    ),
    second(
      "PyTorch 1.13, second derivatives",
      {
        f: probed((...xs) => {
          const module = new LayerNorm(5, { dtype: "float64" });
          return moduleSample(module, (x) => module.forward(x!), xs.slice(0, 1)).f(...xs);
        }, secondDerivatives.layerNorm.probe),
      },
      secondDerivatives.layerNorm,
    ),
  ],
  embedding: [
    check("PyTorch 1.13, indices repeated", () =>
      values.embedding.map((given) => {
        const module = withState(new Embedding(5, 3, options), given.state);
        const indices = tensor(given.indices, { dtype: "int32" });
        return agrees(module, {}, () => [module.forward(indices)], one(given));
      }),
    ),
    second(
      "PyTorch 1.13, second derivatives",
      {
        f: (...xs) => {
          const module = new Embedding(5, 3, options);
          const indices = tensor(secondDerivatives.embedding.indices, { dtype: "int32" });
          const { f } = moduleSample(module, () => module.forward(indices).tanh(), []);
          return probed(f, secondDerivatives.embedding.probe)(...xs);
        },
      },
      secondDerivatives.embedding,
    ),
  ],
  linear: [
    second(
      "PyTorch 1.13, second derivatives of a net of two",
      {
        f: (...xs) => {
          const [one, two] = [new Linear(3, 4, options), new Linear(4, 2, options)];
          const { x, y } = secondDerivatives.net;
          const inner = moduleSample(one, () => one.forward(constant(x)).tanh(), []).f(...xs.slice(0, 2));
          const { f } = moduleSample(two, (hidden) => two.forward(hidden!), [inner]);
          return mseLoss(f(inner, ...xs.slice(2)), constant(y));
        },
      },
      secondDerivatives.net,
    ),
  ],
  crossEntropy: [
    check("PyTorch 1.13, reductions, ignored rows and smoothing", () =>
      values.crossEntropy.map((given) => {
        const { reduction, ignoreIndex, labelSmoothing, logits, loss } = given;
        const targets = tensor(given.targets, { dtype: "int32" });
        const shape = { reduction, ignoreIndex, labelSmoothing };
        return agrees(undefined, { logits }, (x) => [crossEntropy(x!, targets, shape)], {
          ...one({ ...given, output: loss }),
        });
      }),
    ),
    second(
      "PyTorch 1.13, second derivatives, smoothed",
      {
        f: (logits) =>
          crossEntropy(logits!, tensor(secondDerivatives.crossEntropy.targets, { dtype: "int32" }), {
            labelSmoothing: 0.2,
          }),
      },
      secondDerivatives.crossEntropy,
    ),
  ],
} satisfies Record<string, readonly Check[]>;
