import { stack, tensor, type Tensor } from "../../../../src/autograd/index.js";
import {
  HierarchicalTruncation,
  truncateHierarchically,
  truncateRank,
  type Form,
} from "../../../../src/ideas/moment-rank2/index.js";
import { generator } from "../../../../src/random/index.js";
import { shapes, treeOf, withGaps, type Shaped } from "../../../ideas/moment-rank2/some-tensors.js";
import { checkAgreement } from "../../checks/agreement.js";
import { checkKernelSets } from "../../checks/kernel-sets.js";
import { checkSecondOrderRefused } from "../../checks/second-order-refused.js";
import { layerRow, seeded } from "../../layer-row.js";
import { normals } from "../../module-sample.js";
import { check, property, type Row } from "../../row.js";
import type { Sample } from "../../sample.js";

const small: readonly Shaped[] = [shapes[4], shapes[5], { shape: [3, 3, 3], rank: 2, transferRank: 2 }];
const [cube] = shapes as readonly [Shaped, ...Shaped[]];

const reasons = {
  0: "singular values of whole numbers are not whole",
  2: "truncations of matrices, whose rows have the level",
  6: "its second derivative divides by every gap of the spectrum and is refused",
  8: "no other library has it; the gradient is checked at level 3",
  10: "trained by the bench; singular vectors of a model that drifts do not stay comparable",
};

const truncated =
  (given: Shaped): Sample["f"] =>
  (h) =>
    truncateHierarchically(h!, treeOf(given), { bound: Infinity });

const truncationSamples = seeded({ given: small }, ({ given }, seed) => ({
  f: truncated(given),
  inputs: [withGaps(seed, given)],
}));

const real = (f: Sample["f"]) => (): readonly Sample[] => [
  { f, inputs: [stack([1, 2, 3, 4].map((seed) => withGaps(seed, cube)))] },
];

const truncationRow = layerRow(
  "moment-rank2, hierarchical T",
  "idea",
  ["moment-rank2 truncateHierarchically"],
  {
    samples: truncationSamples,
    records: "compressMatrices",
    real: real(truncated(cube)),
    float32At: real(truncated(cube)),
    batch: () => ({ f: truncated(cube), singles: [1, 2, 3].map((seed) => [withGaps(seed, cube)]) }),
    further: {
      6: [property(reasons[6], truncationSamples, ({ f, inputs }) => checkSecondOrderRefused(f, inputs))],
      7: [
        check("the truncation of a matrix on two modes", () => {
          const h = normals(generator("matrices"), [9, 5, 4]);
          const tree = treeOf({ shape: [5, 4], rank: 2, transferRank: 2 });
          return checkAgreement("Twin", 1e-12, [
            [
              "value",
              truncateHierarchically(h.reshape([9, 20]), tree).reshape([9, 5, 4]),
              truncateRank(h, { rank: 2 }),
            ],
          ]);
        }),
      ],
    },
    reasons,
  },
);

const layerOf = (given: Shaped, form: Form): HierarchicalTruncation =>
  new HierarchicalTruncation({ ...given, form, bound: Infinity });

/** A tensor whose truncated part has gaps. */
function state(given: Shaped, form: Form, seed: number): Tensor {
  const { projector } = layerOf(given, form);
  const { rows, columns } = projector.basis;
  const h = withGaps(seed, given).reshape([rows, columns]);
  return form === "B" ? projector.remove(h) : h;
}

const layerSamples = seeded({ given: small, form: ["A", "B"] as const }, ({ given, form }, seed) => ({
  f: (h) => layerOf(given, form).forward(h!),
  inputs: [state(given, form, seed)],
}));

const atCube = (): readonly Sample[] => [
  {
    f: (h) => layerOf(cube, "B").forward(h!),
    inputs: [stack([1, 2, 3, 4].map((seed) => state(cube, "B", seed)))],
  },
];

const layer = layerRow(
  "moment-rank2, hierarchical",
  "idea",
  ["moment-rank2 HierarchicalTruncation", "moment-rank2 tensorMoments"],
  {
    samples: layerSamples,
    records: "compressMatrices",
    real: atCube,
    float32At: atCube,
    further: {
      6: [property(reasons[6], layerSamples, ({ f, inputs }) => checkSecondOrderRefused(f, inputs))],
      7: [
        check("the moments are kept, of tensors that have any", () => {
          const { projector, ...kept } = withMoments();
          return checkAgreement("PreservedFunctionals", 1e-13, [
            ["moments", projector.moments(kept.after), projector.moments(kept.before)],
          ]);
        }),
        check("reference = simd on states of a model", () =>
          checkKernelSets((h) => layerOf(cube, "B").forward(h!), [normals(generator("states"), [5, 16, 4])]),
        ),
      ],
    },
    reasons,
  },
);

function withMoments(): {
  readonly projector: HierarchicalTruncation["projector"];
  readonly before: Tensor;
  readonly after: Tensor;
} {
  const kept = layerOf(cube, "A");
  const before = normals(generator("moments"), [16, 16, 4]).add(tensor(0.5, { dtype: "float64" }));
  return { projector: kept.projector, before, after: kept.forward(before) };
}

export const hierarchicalRows: readonly Row[] = [layer, truncationRow];
