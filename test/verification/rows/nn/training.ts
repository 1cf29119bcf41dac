import { tensor, type Tensor } from "../../../../src/autograd/index.js";
import {
  Adam,
  AdamW,
  clipGradNorm,
  cosine,
  SGD,
  warmup,
  warmupCosine,
  type Optimizer,
  type Schedule,
} from "../../../../src/nn/index.js";
import { kernelSets, kernels, useKernels } from "../../../../src/tensor/index.js";
import { checkEqualBits, type LawResult } from "../../../../src/testing/index.js";
import { constant, values } from "../../../nn/oracle/values.js";
import { caseChecks } from "../../case-checks.js";
import { checkAgreement } from "../../checks/agreement.js";
import { mutantEntry } from "../../mutants.js";
import { normals, stream } from "../../module-sample.js";
import { check, notApplicable, type Row } from "../../row.js";

type Make = (parameters: Tensor[], options: Readonly<Record<string, unknown>>) => Optimizer;

const sgd: Make = (parameters, options) => new SGD(parameters, options as unknown as { lr: number });
const adam: Make = (parameters, options) => new Adam(parameters, options);
const adamW: Make = (parameters, options) => new AdamW(parameters, options);

/** Parameters after some steps with given gradients. */
function stepped(
  make: Make,
  options: Readonly<Record<string, unknown>>,
  shapes: readonly (readonly number[])[],
): Tensor[] {
  const leaves = shapes.map((shape, i) =>
    tensor(normals(stream(i, "start"), shape).values(), {
      shape: [...shape],
      dtype: "float32",
      requiresGrad: true,
    }),
  );
  const optimizer = make(leaves, options);
  for (let step = 0; step < 5; step++) {
    leaves.forEach(
      (leaf, i) => (leaf.grad = normals(stream(step, `gradient ${i}`), leaf.shape).cast("float32")),
    );
    optimizer.step();
  }
  return leaves;
}

function underEachSet(run: () => readonly Tensor[]): LawResult[] {
  const before = kernels().name;
  try {
    const results = [...kernelSets.keys()].map((name) => {
      useKernels(name);
      return run();
    });
    return results.slice(1).flatMap((found) => found.map((x, i) => checkEqualBits(x, results[0]![i]!)));
  } finally {
    useKernels(before);
  }
}

const shapes = [[7], [3, 5], [1], [64, 33]] as const;

function optimizerRow(
  name: "SGD" | "Adam" | "AdamW",
  make: Make,
  options: readonly Readonly<Record<string, unknown>>[],
  cases: readonly string[],
): Row {
  const level9 = caseChecks(cases);
  return {
    name,
    subject: "optimizer",
    covers: [`nn ${name}`],
    levels: {
      0: notApplicable("its step has roots and quotients; the oracle has twenty steps"),
      2: [
        check("float32 against float64 over twenty steps of the oracle", () =>
          agrees(name, make, "float32", 2e-6),
        ),
      ],
      7: [
        check("a parameter does not see the others", () =>
          options.flatMap((each) =>
            stepped(make, each, shapes).map((together, i) => {
              const alone = shapes.map((shape, j) => (i === j ? shape : [0]));
              return checkEqualBits(together, stepped(make, each, alone)[i]!);
            }),
          ),
        ),
        check("the same bits twice", () =>
          options.flatMap((each) => {
            const again = stepped(make, each, shapes);
            return stepped(make, each, shapes).map((x, i) => checkEqualBits(x, again[i]!));
          }),
        ),
        check("reference = simd", () =>
          options.flatMap((each) => underEachSet(() => stepped(make, each, shapes))),
        ),
      ],
      8: [check("PyTorch 1.13, twenty steps", () => agrees(name, make, "float64", 1e-12))],
      9: level9.length > 0 ? level9 : notApplicable("no case of the collection is about it"),
      10:
        name === "Adam"
          ? notApplicable("the rows GRU and TransformerBlock are trained with it")
          : notApplicable("Adam is what models are trained with; level 2 has its steps in float32"),
      11: mutantEntry(name),
    },
  };
}

/** Twenty steps of every recorded setting. */
function agrees(name: string, make: Make, dtype: "float32" | "float64", tolerance: number): LawResult[] {
  return values.optimizers
    .filter((given) => given.name === name)
    .map(({ options, start, steps, trace }) => {
      const parameter = tensor(start, { dtype, requiresGrad: true });
      const optimizer = make([parameter], options);
      const pairs = steps.map((gradient, i) => {
        parameter.grad = tensor(gradient, { dtype });
        optimizer.step();
        return ["parameter", tensor(parameter.values().slice(), { dtype }), constant(trace[i]!)] as const;
      });
      return checkAgreement(
        "Oracle",
        tolerance,
        pairs.map(([what, found, wanted]) => [what, found.cast("float64"), wanted]),
      );
    });
}

const clipped = (maxNorm: number): { norm: number; gradients: Tensor[] } => {
  const leaves = shapes.map((shape) =>
    tensor(new Float32Array(shape.reduce((a: number, b) => a * b, 1)), {
      shape: [...shape],
      requiresGrad: true,
    }),
  );
  leaves.forEach((leaf, i) => (leaf.grad = normals(stream(i, "clip"), leaf.shape).cast("float32")));
  const norm = clipGradNorm(leaves, maxNorm);
  return { norm, gradients: leaves.map((leaf) => leaf.grad!) };
};

const scalar = (x: number): Tensor => tensor(x, { dtype: "float64" });

const clipRow: Row = {
  name: "clipGradNorm",
  subject: "optimizer",
  covers: ["nn clipGradNorm"],
  levels: {
    0: notApplicable("a root of a sum; the oracle has its values"),
    2: [
      check("the norm in float64 over all elements", () => {
        const { norm } = clipped(1e9);
        const squares = shapes.map((shape, i) =>
          normals(stream(i, "clip"), shape).cast("float32").cast("float64").square().sum().item(),
        );
        return checkAgreement("Norm", 1e-14, [
          ["norm", scalar(norm), scalar(Math.sqrt(squares.reduce((a, b) => a + b)))],
        ]);
      }),
    ],
    7: [
      check("gradients within the norm keep every bit, others end at it", () => {
        const wide = clipped(1e9);
        const narrow = clipped(0.5);
        const left = narrow.gradients
          .map((g) => g.cast("float64").square().sum().item())
          .reduce((a, b) => a + b);
        return [
          ...wide.gradients.map((g, i) =>
            checkEqualBits(g, normals(stream(i, "clip"), shapes[i]!).cast("float32")),
          ),
          checkAgreement("Norm", 1e-6, [["norm after", scalar(Math.sqrt(left)), scalar(0.5)]]),
        ];
      }),
      check("reference = simd", () => underEachSet(() => clipped(0.5).gradients)),
    ],
    8: [
      check("PyTorch 1.13", () =>
        values.clipping.map(({ limit, before, norm, after }) => {
          const leaves = before.map((gradient) => {
            const leaf = tensor(gradient, { dtype: "float64", requiresGrad: true });
            leaf.grad = constant(gradient);
            return leaf;
          });
          return checkAgreement("Oracle", 1e-14, [
            ["norm", scalar(clipGradNorm(leaves, limit)), scalar(norm)],
            ...leaves.map((leaf, i) => ["gradient", leaf.grad!, constant(after[i]!)] as const),
          ]);
        }),
      ),
    ],
    9: notApplicable("no case of the collection is about it"),
    10: notApplicable("the models are trained without it"),
    11: mutantEntry("clipGradNorm"),
  },
};

/** Rates that follow from the formula without rounding. */
function scheduleRow(
  name: string,
  given: Schedule,
  exact: Readonly<Record<number, number>>,
  oracle: Row["levels"][8],
): Row {
  return {
    name,
    subject: "schedule",
    covers: [`nn ${name}`],
    levels: {
      0: [
        check("rates that are exact", () =>
          checkAgreement(
            "Schedule",
            0,
            Object.entries(exact).map(([step, rate]) => ["rate", scalar(given(Number(step))), scalar(rate)]),
          ),
        ),
      ],
      8: oracle!,
      9: notApplicable("no case of the collection is about it"),
      11: mutantEntry(name),
    },
  };
}

const cosineOracle = check("PyTorch 1.13", () =>
  values.cosine.map(({ lr, steps, floor, rates }) => {
    const schedule = cosine(lr, { steps, floor });
    return checkAgreement(
      "Oracle",
      1e-15,
      rates.map((rate, step) => ["rate", scalar(schedule(step)), scalar(rate)]),
    );
  }),
);

export const trainingRows: readonly Row[] = [
  optimizerRow("SGD", sgd, [{ lr: 0.1 }, { lr: 0.1, momentum: 0.9, weightDecay: 0.01, nesterov: true }], []),
  optimizerRow("Adam", adam, [{}, { lr: 0.1, weightDecay: 0.1 }], ["adam-epsilon"]),
  optimizerRow("AdamW", adamW, [{}, { lr: 0.1, weightDecay: 0.1 }], ["adamw-coupling"]),
  clipRow,
  scheduleRow(
    "warmup",
    warmup(2, { steps: 4 }),
    { 0: 0.5, 1: 1, 2: 1.5, 3: 2, 4: 2, 100: 2 },
    notApplicable("a straight line, which level 0 has exactly"),
  ),
  scheduleRow("cosine", cosine(2, { steps: 8, floor: 0.5 }), { 0: 2, 8: 0.5, 100: 0.5 }, [cosineOracle]),
  scheduleRow(
    "warmupCosine",
    warmupCosine(2, { warmup: 4, steps: 12, floor: 0.5 }),
    { 0: 0.5, 3: 2, 4: 2, 12: 0.5, 50: 0.5 },
    notApplicable("warmup and then cosine, whose row has the oracle"),
  ),
];
