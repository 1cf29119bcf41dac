import fc from "fast-check";
import { it } from "vitest";
import { expectSetsAgree, float32Array, lengths } from "./same-bits.js";

const steps = fc.record({
  beta1: fc.constantFrom(0, 0.5, 0.9),
  beta2: fc.constantFrom(0, 0.99, 0.999),
  eps: fc.constantFrom(0, 1e-8, 1e-3),
  size: fc.constantFrom(0, 1e-3, 0.1, 1e30),
  rootScale: fc.constantFrom(1, 3.2, 31.6),
  decay: fc.constantFrom(1, 0.99),
  penalty: fc.constantFrom(0, 0.1),
});

const cases = lengths.chain((n) =>
  fc.record({
    step: steps,
    p: float32Array(n),
    g: float32Array(n),
    m: float32Array(n),
    v: float32Array(n),
  }),
);

it("adam: both sets give the same bits", () => {
  fc.assert(
    fc.property(cases, ({ step, p, g, m, v }) => {
      const n = p.length;
      expectSetsAgree([p, g, m, v], [n, n, n], (kernels, given, outputs) => {
        [0, 2, 3].forEach((at, i) => outputs[i]!.set(given[at]!));
        kernels.adam(step, outputs[0]!, given[1]!, outputs[1]!, outputs[2]!);
      });
    }),
  );
});
