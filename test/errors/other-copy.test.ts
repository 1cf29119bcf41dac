import { expect, test } from "vitest";
import { add, backward, Tensor, tensor } from "../../src/autograd/index.js";
import { kindOfGiven } from "../../src/errors/index.js";
import type * as gradstand from "../../src/index.js";
import { Linear } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";

const said = "a tensor of another copy of gradstand: import everything from one installation";

test("a tensor of another copy of the package is called that wherever it is given", async () => {
  // The built package beside its sources is such a copy.
  const built = new URL("../../dist/index.js", import.meta.url).href;
  const other = (await import(/* @vite-ignore */ built)) as typeof gradstand;
  expect(other.Tensor).not.toBe(Tensor);
  const foreign = other.tensor([1, 2]) as unknown as Tensor;
  const layer = new Linear(2, 1, { rng: generator(0) });
  const own = tensor([1, 2]);
  for (const use of [
    () => add(own, foreign),
    () => add(foreign, 1),
    () => tensor([foreign] as never),
    () => layer.forward(foreign),
    () => backward(foreign),
  ])
    expect(use).toThrow(said);
  expect(() => other.add(foreign as never, own as never)).toThrow(said);
  expect(kindOfGiven(foreign)).toMatch(said);
  expect(kindOfGiven(own)).toBe("an object");
  expect(() => tensor([own] as never)).not.toThrow(said);
});
