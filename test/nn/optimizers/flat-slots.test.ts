import fc from "fast-check";
import { expect, it } from "vitest";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import { Adam, AdamW, SGD, type Optimizer } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";

const make: Record<string, (parameters: Tensor[]) => Optimizer> = {
  Adam: (parameters) => new Adam(parameters, { lr: 0.1, weightDecay: 0.01 }),
  AdamW: (parameters) => new AdamW(parameters, { lr: 0.1 }),
  SGD: (parameters) => new SGD(parameters, { lr: 0.1, momentum: 0.9 }),
};

/** Parameters of both types and many sizes, and for each step which of them have a gradient. */
const plans = fc
  .array(fc.record({ size: fc.integer({ min: 0, max: 90 }), single: fc.boolean() }), {
    minLength: 1,
    maxLength: 7,
  })
  .chain((list) =>
    fc.record({
      list: fc.constant(list),
      steps: fc.array(fc.array(fc.boolean(), { minLength: list.length, maxLength: list.length }), {
        minLength: 1,
        maxLength: 5,
      }),
      reload: fc.integer({ min: 0, max: 4 }),
      name: fc.constantFrom(...Object.keys(make)),
    }),
  );

it("parameters updated together get the bits that each gets on its own", () => {
  fc.assert(
    fc.property(plans, ({ list, steps, reload, name }) => {
      const draws = generator("flat");
      const parameters = (): Tensor[] =>
        list.map(({ size, single }, at) =>
          tensor(generator("flat").stream(`${at}`).normals(size), {
            dtype: single ? "float32" : "float64",
            requiresGrad: true,
          }),
        );
      const together = parameters();
      const apart = parameters();
      let all = make[name]!(together);
      const each = apart.map((parameter) => make[name]!([parameter]));
      steps.forEach((has, step) => {
        const before = together.map((parameter) => ({
          saved: parameter.detach(),
          values: parameter.values(),
          version: parameter.version,
        }));
        list.forEach(({ size, single }, at) => {
          const gradient = tensor(draws.normals(size), { dtype: single ? "float32" : "float64" });
          together[at]!.grad = apart[at]!.grad = has[at] ? gradient : undefined;
        });
        if (step === reload) all = make[name]!(together).loadStateDict(all.stateDict());
        all.step();
        each.forEach((optimizer) => optimizer.step());
        before.forEach(({ saved, values, version }, at) => {
          expect(saved.values()).toEqual(values);
          expect(together[at]!.version).toBe(version + (has[at] ? 1 : 0));
        });
      });
      together.forEach((parameter, at) => expect(parameter.values()).toEqual(apart[at]!.values()));
      const slots = all.stateDict().slots.map((slot) => JSON.stringify(slot));
      expect(slots).toEqual(each.map((optimizer) => JSON.stringify(optimizer.stateDict().slots[0])));
    }),
  );
});
