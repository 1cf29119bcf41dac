import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  grad,
  gradcheck,
  gradients,
  hvp,
  jvp,
  noGrad,
  tensor,
  valueAndGrad,
  vjp,
  zeros,
  type Tensor,
} from "../../src/autograd/index.js";
import { expectClose, leaf } from "./cases/close.js";

const double = (data: number | number[]): Tensor => tensor(data, { dtype: "float64" });

describe("grad", () => {
  test("may be nested to any order", () => {
    const f = (x: Tensor): Tensor => x.pow(4).add(x.sin());
    const orders = [grad(f), grad(grad(f)), grad(grad(grad(f)))];
    const at = 0.7;
    const wanted = [4 * at ** 3 + Math.cos(at), 12 * at ** 2 - Math.sin(at), 24 * at - Math.cos(at)];
    orders.forEach((g, i) => expect(g(double(at)).item()).toBeCloseTo(wanted[i]!, 12));
    let g: (x: Tensor) => Tensor = (x) => x.exp();
    for (let order = 0; order < 6; order++) g = grad(g);
    expect(g(double(1)).item()).toBeCloseTo(Math.E, 12);
  });

  test("does not confuse perturbations of nested derivatives", () => {
    // d/dx (x · d/dy (x + y) at y = 1) = 1, not 2
    const inner = (x: Tensor): Tensor => x.mul(grad((y: Tensor) => x.add(y))(double(1)));
    expect(grad(inner)(double(1)).item()).toBe(1);
    // d/dx (x · d/dy (x·y)) = 2x
    expect(grad((x: Tensor) => x.mul(grad((y: Tensor) => x.mul(y))(double(1))))(double(3)).item()).toBe(6);
  });

  test("closes over outer tensors: the outer derivative flows through the inner one", () => {
    const w = leaf(3);
    const inner = grad((x: Tensor) => x.square().mul(w))(double(5));
    expect(inner.item()).toBe(30);
    inner.backward();
    expect(w.grad!.item()).toBe(10);
    expect(
      grad((v: Tensor) => grad((x: Tensor) => x.pow(3).mul(v.square()))(double(2)))(double(5)).item(),
    ).toBe(120);
  });

  test("takes lists and records and gives the same structure", () => {
    const parameters = {
      layers: [{ w: double([1, 2]), b: double(3) }],
      scale: double(2),
      unused: double([7]),
    };
    const f = (p: typeof parameters): Tensor =>
      p.layers[0]!.w.sum().mul(p.scale).add(p.layers[0]!.b.square());
    const g = grad(f)(parameters);
    expect(g.layers[0]!.w.toArray()).toEqual([2, 2]);
    expect(g.layers[0]!.b.item()).toBe(6);
    expect(g.scale.item()).toBe(3);
    expect(g.unused.toArray()).toEqual([0]);
    expect(() => grad(f)({ ...parameters, scale: 2 as never })).toThrow(/E_VALUE.*number 2/s);
    expect(() => grad((x: Tensor) => x)(new Map() as never)).toThrow(/E_VALUE/);
  });

  test("in another argument, with the value, and beside numbers", () => {
    const f = (x: Tensor, y: Tensor): Tensor => x.mul(y).sum();
    const both = valueAndGrad(f, { argument: 1 })(double([1, 2]), double([3, 4]));
    expect(both.value.item()).toBe(11);
    expect(both.value.requiresGrad).toBe(false);
    expect(both.gradient.toArray()).toEqual([1, 2]);
    expect(() => grad(f, { argument: 2 })(double(1), double(2))).toThrow(/E_VALUE.*position 2/s);
  });

  test("leaves the grad of what it closes over alone, and works inside noGrad", () => {
    const w = leaf([2]);
    const g = noGrad(() => grad((x: Tensor) => x.mul(w).sum())(double([1])));
    expect(g.toArray()).toEqual([2]);
    expect(g.requiresGrad).toBe(false);
    grad((x: Tensor) => x.mul(w).sum())(double([1]));
    expect(w.grad).toBeUndefined();
  });

  test("is 0 for an argument that is not used, and refuses what has no derivative", () => {
    expect(grad((x: Tensor) => x.detach().sum())(double([1, 2])).toArray()).toEqual([0, 0]);
    expect(grad((x: Tensor) => x.greater(0).sum())(double([1, 2])).toArray()).toEqual([0, 0]);
    expect(() => grad((x: Tensor) => x.mul(2))(double([1, 2]))).toThrow(/E_SHAPE.*\[2\]/s);
    expect(() => grad((x: Tensor) => x.sum())(tensor([1], { dtype: "int32" }))).toThrow(/E_DTYPE/);
    expect(() => grad((() => 3) as never)(double(1))).toThrow(/E_VALUE.*number/s);
  });

  test("agrees with backward", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 5 }), (list) => {
        const f = (x: Tensor): Tensor => x.sin().mul(x).softmax().square().sum();
        const at = list.map((n) => n / 10);
        const x = leaf(at);
        f(x).backward();
        expect(grad(f)(double(at)).values()).toEqual(x.grad!.values());
      }),
    );
  });
});

describe("vjp, jvp and hvp", () => {
  test("a pullback may be called many times", () => {
    const { value, pullback } = vjp((x, y) => x!.mul(y!).exp(), double([1, 2]), double([0.5, 0.25]));
    expectClose(value, [Math.exp(0.5), Math.exp(0.5)], 1e-12);
    for (let i = 0; i < 5; i++) {
      const [dx, dy] = pullback(double([i, 1]));
      expectClose(dx, [0.5 * i * Math.exp(0.5), 0.25 * Math.exp(0.5)], 1e-12);
      expectClose(dy, [i * Math.exp(0.5), 2 * Math.exp(0.5)], 1e-12);
    }
    expect(() => pullback(double([1]))).toThrow(/E_SHAPE/);
  });

  test("derivatives flow through directions and cotangents too", () => {
    // J·v = 3x²·v: its derivative in v is 3x²
    const inV = grad((v: Tensor) => jvp((x) => x!.pow(3), [double(2)], [v]).tangent);
    expect(inV(double(5)).item()).toBe(12);
    // and in x: 6x·v
    const inX = grad((x: Tensor) => jvp((y) => y!.pow(3), [x], [double(5)]).tangent);
    expect(inX(double(2)).item()).toBe(60);
    const inCotangent = grad((c: Tensor) => vjp((x) => x!.pow(3), double(2)).pullback(c)[0]!);
    expect(inCotangent(double(1)).item()).toBe(12);
    // H·v = 6x·v
    const inDirection = grad((v: Tensor) => hvp((x) => x!.pow(3), [double(2)], [v]).product[0]!);
    expect(inDirection(double(1)).item()).toBe(12);
  });

  test("jvp of a function that does not use an argument, or any", () => {
    const { value, tangent } = jvp(
      (x) => x!.mul(3),
      [double([1, 2]), double(7)],
      [double([1, 0]), double(9)],
    );
    expect(value.toArray()).toEqual([3, 6]);
    expect(tangent.toArray()).toEqual([3, 0]);
    const second = jvp((_, y) => y!.square(), [double(7), double([1, 2])], [double(9), double([1, 10])]);
    expect(second.tangent.toArray()).toEqual([2, 40]);
    expect(jvp(() => zeros([2]), [double(1)], [double(1)]).tangent.toArray()).toEqual([0, 0]);
    expect(() => jvp((x) => x!, [double([1, 2])], [double(1)])).toThrow(/E_SHAPE.*tangent 0.*\[2\].*\[\]/s);
    expect(() => jvp((x) => x!, [double(1)], [])).toThrow(/E_SHAPE.*1 tangents, got 0/s);
  });

  test("hvp of a quadratic form is its matrix", () => {
    const a = tensor(
      [
        [2, 1, 0],
        [1, 3, -1],
        [0, -1, 4],
      ],
      { dtype: "float64" },
    );
    const f = (...xs: Tensor[]): Tensor => xs[0]!.matmul(a).matmul(xs[0]!).mul(0.5);
    const { gradient, product } = hvp(f, [double([1, 2, 3])], [double([1, 0, -1])]);
    expect(gradient[0]!.toArray()).toEqual([4, 4, 10]);
    expect(product[0]!.toArray()).toEqual([2, 2, -4]);
    expect(hvp((x) => x!.sum(), [double([1])], [double([1])]).product[0]!.toArray()).toEqual([0]);
    expect(() => hvp((x) => x!, [double([1, 2])], [double([1, 2])])).toThrow(/E_SHAPE/);
  });

  test("results do not hold a graph unless an outer derivative needs it", () => {
    const run = vjp((x) => x!.exp(), double([1]));
    expect(run.value.requiresGrad).toBe(false);
    expect(run.pullback(double([1]))[0]!.requiresGrad).toBe(false);
    expect(jvp((x) => x!.exp(), [double(1)], [double(1)]).tangent.requiresGrad).toBe(false);
    const outer = leaf([1]);
    expect(vjp((x) => x!.exp(), outer).value.requiresGrad).toBe(true);
  });
});

describe("gradients of a gradient through a whole expression", () => {
  test("a gradient penalty", () => {
    const w = leaf([0.3, -0.2]);
    const x = leaf([1.5, 0.5]);
    const [inner] = gradients(x.mul(w).tanh().sum(), [x], { createGraph: true });
    const penalty = inner!.square().sum();
    const [g] = gradients(penalty, [w]);
    const check = gradcheck((v) => gradientPenalty(v!), [w.detach()]);
    expect(check.passed).toBe(true);
    expectClose(g, grad(gradientPenalty)(w.detach()).toArray(), 1e-14);
  });
});

function gradientPenalty(w: Tensor): Tensor {
  return grad((x: Tensor) => x.mul(w).tanh().sum())(double([1.5, 0.5]))
    .square()
    .sum();
}
