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

/**
 * x, and h in another order: a polynomial of x near the identity, where the derivative of the means by the coefficients is
 * diag(k) times the moment matrix of x, which is regular. So there are coefficients; for any h there need not be.
 */
function pair(seed: number, shape: readonly number[]): readonly [Tensor, Tensor] {
  const x = normals(stream(seed, "x"), shape);
  const bent = x.mul(0.9).add(x.square().mul(0.03)).add(x.square().mul(x).mul(0.02));
  return [x, bent.add(0.3).flip(-1)];
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

// Three means of a state and of its truncation cannot always be had; the row above has them where they can.
const layerSamples = seeded({ form: ["A", "B"] as const, powers: [1, 2] }, ({ form, powers }, seed) => {
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
