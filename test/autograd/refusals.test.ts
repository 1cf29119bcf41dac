import { expect, test } from "vitest";
import { grad, jvp, svd, tensor, vjp, type Tensor } from "../../src/autograd/index.js";

const matrix = tensor([
  [1, 2],
  [3, 4],
]);

test("svd refuses to stand where a gradient would have to flow, rather than give zeros", () => {
  expect(() => grad((x: Tensor) => svd(x).s.sum())(matrix)).toThrow(/E_NO_GRAD: svd.*detach/);
  expect(() => svd(tensor([[1]], { requiresGrad: true }))).toThrow(/E_NO_GRAD/);
  expect(svd(tensor([[2]], { requiresGrad: true }).detach()).s.item()).toBe(2);
});

test("JavaScript's operators are refused, for they would give NaN or text", () => {
  const x = tensor([1, 2]) as unknown as number;
  expect(() => x * 2).toThrow(/E_VALUE: JavaScript's operators/);
  expect(() => x + 1).toThrow(/E_VALUE/);
  expect(() => x < 2).toThrow(/E_VALUE/);
  expect(`${x}`).toBe("tensor([1., 2.])");
  expect(JSON.stringify({ x })).toBe('{"x":[1,2]}');
});

test("backward takes its options alone, as the message about a freed graph says", () => {
  const x = tensor([1, 2], { requiresGrad: true });
  const y = x.mul(x).sum();
  y.backward({ retainGraph: true });
  y.backward();
  expect(x.grad!.toArray()).toEqual([4, 8]);
  expect(() => y.backward()).toThrow(/E_GRAPH_FREED.*backward\(\{ retainGraph: true \}\)/);
});

test("what is no function, tangent or cotangent is named", () => {
  expect(() => grad(3 as never)).toThrow(/E_VALUE.*expected a function.*number/);
  expect(() => jvp((x) => x.sum(), [matrix], [1 as never])).toThrow(/E_VALUE.*tangent 0/);
  expect(() => vjp((x) => x.sum(), matrix).pullback(undefined as never)).toThrow(/E_VALUE.*cotangent/);
  expect(() => matrix.reshape([-1, -1])).toThrow(/E_SHAPE.*at most one -1/);
});
