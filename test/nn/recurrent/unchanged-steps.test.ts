import fc from "fast-check";
import { it } from "vitest";
import { randomNormal } from "../../../src/autograd/index.js";
import { GRU } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import { expectSameBits } from "../../tensor/kernels/same-bits.js";
import { runs } from "../../runs.js";

it("a change between the steps that changes nothing leaves every bit of the states and gradients", () => {
  const sizes = fc.record({
    seed: fc.nat(),
    batch: fc.integer({ min: 1, max: 70 }),
    time: fc.integer({ min: 1, max: 12 }),
    hidden: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(sizes, ({ seed, batch, time, hidden }) => {
      const x = randomNormal(generator(seed), [batch, time, 3], { requiresGrad: true });
      const [plain, stepped] = [{}, { onStep: <T>(state: T): T => state }].map((options) => {
        const gru = new GRU(3, hidden, { rng: generator(seed), ...options });
        x.grad = undefined;
        const { output } = gru.forward(x);
        output.square().sum().backward();
        return [output, x.grad!, ...gru.parameters().map(({ grad }) => grad!)].map((part) => part.values());
      });
      plain!.forEach((values, i) =>
        expectSameBits(stepped![i] as Float32Array, values as Float32Array, `part ${i}`),
      );
    }),
    { numRuns: runs(30) },
  );
});
