import type { Tensor } from "../../../../src/autograd/index.js";
import { PowerMomentTruncation, restorePowers } from "../../../../src/ideas/moment-rank2/index.js";
import { shapes, withGaps } from "../../../ideas/moment-rank2/some-tensors.js";
import { checkAgreement } from "../../checks/agreement.js";
import { checkSecondOrderRefused } from "../../checks/second-order-refused.js";
import { layerRow, seeded } from "../../layer-row.js";
import { normals, stream } from "../../module-sample.js";
import { check, property, type Row } from "../../row.js";
import type { Sample } from "../../sample.js";

const reasons = {
  0: "the polynomials of whole numbers that have wanted means are not whole",
  2: "fitted in float64 whatever the type; the closed forms of one and two means are checked at level 7",
  6: "the coefficients are taken as they are, and a second derivative is refused",
  8: "no other library has it; the gradient is checked at level 3",
  10: "trained by the bench",
};

/** h and a coarser x whose spread is about the same. */
function pair(seed: number, shape: readonly number[]): readonly [Tensor, Tensor] {
  const h = normals(stream(seed, "h"), shape);
  return [h.mul(0.8).add(normals(stream(seed, "moved"), shape).mul(0.3)), h];
}

const counts = [1, 2, 3, 4] as const;

const samples = seeded({ count: counts }, ({ count }, seed) => ({
  f: (x, h) => restorePowers(x!, h!, { count }),
  inputs: pair(seed, [2, 16]),
}));

const realPowers = (): readonly Sample[] =>
  counts.map((count) => ({ f: (x, h) => restorePowers(x!, h!, { count }), inputs: pair(5, [8, 64]) }));

const restoring = layerRow("moment-rank2, power means", "idea", ["moment-rank2 restorePowers"], {
  samples,
  records: "restorePowers",
  real: realPowers,
  float32At: realPowers,
  further: {
    6: [property(reasons[6], samples, ({ f, inputs }) => checkSecondOrderRefused(f, inputs))],
    7: [
      check("one and two means are a shift and a rescaling", () => {
        const [x, h] = pair(3, [4, 30]);
        const mean = (y: Tensor): Tensor => y.mean(-1, { keepDims: true });
        const centred = x.sub(mean(x));
        const spread = (y: Tensor): Tensor => mean(y.sub(mean(y)).square()).sqrt();
        return checkAgreement("Twin", 1e-13, [
          ["one", restorePowers(x, h, { count: 1 }), centred.add(mean(h))],
          ["two", restorePowers(x, h, { count: 2 }), centred.mul(spread(h)).div(spread(x)).add(mean(h))],
        ]);
      }),
    ],
  },
  reasons,
});

const [, , , , given] = shapes;

const layerSamples = seeded({ form: ["A", "B"] as const, powers: [1, 2, 3] }, ({ form, powers }, seed) => {
  const h = withGaps(seed, given).reshape([1, 24]);
  return {
    f: (x) => new PowerMomentTruncation({ ...given, form, powers, bound: Infinity }).forward(x!),
    inputs: [form === "B" ? h.sub(h.mean(-1, { keepDims: true })) : h],
  };
});

const layer = layerRow("moment-rank2, power moments", "idea", ["moment-rank2 PowerMomentTruncation"], {
  samples: layerSamples,
  records: "restorePowers",
  real: () => [
    {
      f: (x) => new PowerMomentTruncation({ ...given, form: "A", bound: Infinity }).forward(x!),
      inputs: [withGaps(4, given)],
    },
  ],
  further: {
    6: [property(reasons[6], layerSamples, ({ f, inputs }) => checkSecondOrderRefused(f, inputs))],
    7: [
      check("the means are kept", () => {
        const h = normals(stream(1, "states"), [16, 24]);
        const c = new PowerMomentTruncation({ ...given, powers: 2 }).forward(h);
        return checkAgreement("PreservedFunctionals", 1e-13, [
          ["mean(h)", c.mean(-1), h.mean(-1)],
          ["mean(h²)", c.square().mean(-1), h.square().mean(-1)],
        ]);
      }),
    ],
  },
  reasons,
});

export const powerMomentRows: readonly Row[] = [restoring, layer];
