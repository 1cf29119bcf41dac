import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  concat,
  defineOp,
  gradients,
  isRecording,
  noGrad,
  tensor,
  type Tensor,
} from "../../src/autograd/index.js";
import { NDArray } from "../../src/tensor/index.js";
import { expectEqualBits } from "../../src/testing/index.js";
import { leaf } from "./cases/close.js";

describe("a deep or wide graph", () => {
  test("100,000 operations deep overflows no stack", () => {
    const x = leaf(1);
    let y: Tensor = x;
    for (let i = 0; i < 100_000; i++) y = y.add(x);
    y.backward();
    expect(x.grad!.item()).toBe(100_001);
  });

  test("a value with 10,000 uses receives them all", () => {
    const x = leaf([2, 3]);
    const shared = x.mul(2);
    let total = shared.mul(0);
    for (let i = 0; i < 10_000; i++) total = total.add(shared);
    total.sum().backward();
    expect(x.grad!.toArray()).toEqual([20_000, 20_000]);
  });

  test("doubling forty times does not visit paths twice", () => {
    const x = leaf(1);
    let y: Tensor = x;
    for (let i = 0; i < 40; i++) y = y.add(y);
    y.backward();
    expect(x.grad!.item()).toBe(2 ** 40);
  });
});

test("parts that need no gradient keep their places in a joined tensor", () => {
  const x = leaf([1, 2]);
  const fixed = tensor([5, 6, 7], { dtype: "float64" });
  const weights = tensor([1, 2, 3, 10, 20, 4, 5, 6, 30, 40], { dtype: "float64" });
  concat([fixed, x, fixed, x]).mul(weights).sum().backward();
  expect(x.grad!.toArray()).toEqual([40, 60]);
});

/** A random graph as indices of operands among what came before. */
const graphs = fc.array(
  fc.tuple(fc.nat(), fc.nat(), fc.constantFrom<"add" | "mul" | "sub">("add", "mul", "sub")),
  { minLength: 1, maxLength: 25 },
);

describe("any graph", () => {
  test("gives what forward sensitivities give, and the same bits twice", () => {
    fc.assert(
      fc.property(graphs, (steps) => {
        const leaves = [leaf([0.5, -1]), leaf([0.25, 2])];
        const values = [...leaves];
        /** ∂value/∂leaf of each element, carried forward. */
        const slopes = leaves.map((_, i) => leaves.map((_, j) => [Number(i === j), Number(i === j)]));
        for (const [i, j, op] of steps) {
          const [a, b] = [i % values.length, j % values.length];
          const [x, y] = [values[a]!, values[b]!];
          const bounded = op === "mul" ? x.mul(y).mul(0.5) : x[op](y).mul(0.5);
          values.push(bounded);
          slopes.push(
            leaves.map((_, at) =>
              [0, 1].map((e) => {
                const [da, db] = [slopes[a]![at]![e]!, slopes[b]![at]![e]!];
                if (op === "add") return 0.5 * (da + db);
                if (op === "sub") return 0.5 * (da - db);
                return 0.5 * (da * y.values()[e]! + db * x.values()[e]!);
              }),
            ),
          );
        }
        const output = values[values.length - 1]!;
        const ask = (): (Tensor | undefined)[] =>
          gradients(output, leaves, { cotangents: [[1, 1]], retainGraph: true });
        const found = ask();
        leaves.forEach((_, at) => {
          const wanted = slopes[slopes.length - 1]![at]!;
          const got = found[at]?.values() ?? [0, 0];
          wanted.forEach((slope, e) => expect(got[e]).toBeCloseTo(slope, 10));
        });
        ask().forEach((again, at) => {
          if (again) expectEqualBits(again, found[at]!);
          else expect(found[at]).toBeUndefined();
        });
      }),
    );
  });
});

describe("the life of a graph", () => {
  test("a second pass needs retainGraph", () => {
    const x = leaf(3);
    const y = x.square();
    const z = y.mul(2);
    z.backward(undefined, { retainGraph: true });
    z.backward();
    expect(x.grad!.item()).toBe(24);
    expect(() => z.backward()).toThrow(/E_GRAPH_FREED.*'mul'.*retainGraph/s);
    expect(() => y.add(1).backward()).toThrow(/E_GRAPH_FREED/);
    expect(x.grad!.item()).toBe(24);
  });

  test("freed values are let go, also by what was made of them", () => {
    const x = leaf([1, 2]);
    const loss = x.exp().sum();
    const total = loss.add(1);
    loss.backward();
    expect(loss.node!.inputs).toBeUndefined();
    expect(total.add(loss).node!.inputs).toBeUndefined();
    expect(total.node!.inputs).toBeUndefined();
    expect(total.add(1).toArray()).toBeCloseTo(Math.E + Math.E ** 2 + 2, 12);
  });

  test("a graph on another path stays", () => {
    const x = leaf(1);
    const w = leaf(2);
    const [ofX] = gradients(x.mul(w), [x]);
    expect(ofX!.item()).toBe(2);
    const shared = w.exp();
    gradients(shared.mul(x), [x]);
    shared.backward();
    expect(w.grad!.item()).toBeCloseTo(Math.exp(2), 12);
  });

  test("values that changed are refused", () => {
    const x = leaf([1]);
    const y = x.square();
    x.assign(tensor([2], { dtype: "float64" }));
    expect(() => y.backward([1])).toThrow(/E_STALE.*input 0 of 'square'.*version 0, now 1/s);
    const again = x.square();
    again.backward([1]);
    expect(x.grad!.toArray()).toEqual([4]);
    const constant = tensor([3], { dtype: "float64" });
    const product = x.mul(constant);
    constant.assign(tensor([4], { dtype: "float64" }));
    expect(() => product.backward([1])).toThrow(/E_STALE.*input 1 of 'mul'/s);
  });

  test("an error leaves gradients and recording as they were", () => {
    const x = leaf([1, 2]);
    expect(() => x.exp().backward()).toThrow(/E_SHAPE/);
    expect(x.grad).toBeUndefined();
    expect(() =>
      noGrad(() => {
        throw new Error("inside");
      }),
    ).toThrow("inside");
    expect(isRecording()).toBe(true);
  });

  test("backward adds to what is there, in every leaf", () => {
    const x = leaf([1, 2]);
    const y = leaf([3, 4]);
    x.mul(y).sum().backward();
    x.sum().backward();
    expect(x.grad!.toArray()).toEqual([4, 5]);
    expect(y.grad!.toArray()).toEqual([1, 2]);
    expect(x.grad!.requiresGrad).toBe(false);
    x.backward([10, 10]);
    expect(x.grad!.toArray()).toEqual([14, 15]);
  });
});

describe("what is not recorded", () => {
  test("noGrad, detach, stopGradient, comparisons and integers", () => {
    const x = leaf([1, -2]);
    expect(noGrad(() => x.mul(2)).requiresGrad).toBe(false);
    expect(x.detach().requiresGrad).toBe(false);
    expect(x.greater(0).requiresGrad).toBe(false);
    expect(x.cast("int32").requiresGrad).toBe(false);
    expect(x.argmax().requiresGrad).toBe(false);
    x.mul(x.stopGradient()).sum().backward();
    expect(x.grad!.toArray()).toEqual([1, -2]);
    expect(() => x.detach().sum().backward()).toThrow(/E_NO_GRAD/);
    expect(() => tensor([1], { dtype: "int32", requiresGrad: true })).toThrow(/E_DTYPE/);
  });

  test("noGrad nests and ends", () => {
    const x = leaf(1);
    noGrad(() => {
      noGrad(() => expect(x.exp().requiresGrad).toBe(false));
      expect(x.exp().requiresGrad).toBe(false);
    });
    expect(x.exp().requiresGrad).toBe(true);
  });
});

describe("gradients", () => {
  test("what was not reached is undefined, and no grad is touched", () => {
    const x = leaf(2);
    const unused = leaf(5);
    const middle = x.square();
    const found = gradients(middle.mul(3), [x, unused, middle]);
    expect(found.map((g) => g?.item())).toEqual([12, undefined, 3]);
    expect(x.grad).toBeUndefined();
  });

  test("an output may be its own input, several outputs add, and an input may be named twice", () => {
    const x = leaf(2);
    const y = x.mul(5);
    expect(gradients(y, [y])[0]!.item()).toBe(1);
    const [a, b] = [x.mul(2), x.mul(3)];
    const found = gradients([a, b, a], [x, x], { cotangents: [10, undefined, 1] });
    expect(found.map((g) => g!.item())).toEqual([25, 25]);
  });

  test("an input that does not require a gradient is an error, not half of its gradient", () => {
    const x = leaf(2);
    const c = tensor(3, { dtype: "float64" });
    expect(() => gradients(x.mul(c).add(c.exp()), [c])).toThrow(/E_NO_GRAD.*input 0/s);
  });

  test("cotangents are checked and cast", () => {
    const x = leaf([1, 2]);
    expect(() => gradients(x.exp(), [x])).toThrow(/E_SHAPE.*\[2\].*without one/s);
    expect(() => gradients(x.exp(), [x], { cotangents: [[1, 2, 3]] })).toThrow(/E_SHAPE.*\[2\].*\[3\]/s);
    const [g] = gradients(x.mul(2), [x], { cotangents: [tensor([1, 1], { dtype: "int32" })] });
    expect(g!.dtype).toBe("float64");
    const twice = x.sum();
    twice.backward({ retainGraph: true });
    twice.backward();
    expect(x.grad!.toArray()).toEqual([2, 2]);
    expect(() => x.sum().backward("1" as never)).toThrow(/E_VALUE/);
  });

  test("createGraph makes them differentiable", () => {
    const x = leaf(2);
    const [first] = gradients(x.pow(4), [x], { createGraph: true });
    const [second] = gradients(first!, [x], { createGraph: true });
    const [third] = gradients(second!, [x]);
    expect([first, second, third].map((g) => g!.item())).toEqual([32, 48, 48]);
    expect(first!.requiresGrad).toBe(true);
    expect(third!.requiresGrad).toBe(false);
  });

  test("a leaf's grad under createGraph can be differentiated", () => {
    const x = leaf(3);
    x.pow(3).backward(undefined, { createGraph: true });
    const penalty = x.grad!.square();
    x.grad = undefined;
    penalty.backward();
    expect((x.grad as Tensor | undefined)!.item()).toBe(2 * 27 * 18);
  });
});

test("float32 and float64 meet: each leaf's gradient has its own type", () => {
  const a = tensor([1, 2], { requiresGrad: true });
  const b = leaf([3, 4]);
  a.mul(b).sum().backward();
  expect(a.grad!.dtype).toBe("float32");
  expect(b.grad!.dtype).toBe("float64");
  expect(a.grad!.toArray()).toEqual([3, 4]);
});

describe("a rule of one's own that is wrong", () => {
  const wrong = (vjp: (g: Tensor) => (Tensor | undefined)[]) =>
    defineOp({
      name: "mine",
      forward: ([x]) => new NDArray(x!.shape, x!.dtype, x!.data.slice()),
      vjp: ({ cotangent }) => vjp(cotangent),
    });

  test("in shape or in number is an error that names it", () => {
    const x = leaf([1, 2]);
    expect(() => wrong((g) => [g.sum()])([x]).backward([1, 1])).toThrow(/E_SHAPE.*'mine'.*\[\].*\[2\]/s);
    expect(() => wrong(() => [])([x]).backward([1, 1])).toThrow(/E_SHAPE.*'mine' gave 0 cotangents for 1/s);
  });

  test("what it leaves undefined stays undefined", () => {
    const x = leaf([1, 2]);
    expect(gradients(wrong(() => [undefined])([x]), [x], { cotangents: [[1, 1]] })).toEqual([undefined]);
  });
});
