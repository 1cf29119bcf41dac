import { describe, expect, test } from "vitest";
import { defineOp, keep, scope, tensor, zeros, type Tensor } from "../../src/autograd/index.js";
import { inScope, NDArray } from "../../src/tensor/index.js";

/** Long enough to lie in linear memory inside a scope. */
const size = 1000;
const filled = (value: number, requiresGrad = false): Tensor =>
  tensor(new Float32Array(size).fill(value), { requiresGrad });

describe("scope", () => {
  test("keeps what it returns, in lists and records too, under later scopes that reuse the memory", () => {
    const x = filled(1);
    const { sum, parts } = scope(() => ({ sum: x.add(1), parts: [x.mul(3), "text"] as const }));
    scope(() => x.mul(100));
    expect(sum.values()).toEqual(new Float32Array(size).fill(2));
    expect(parts[0].values()).toEqual(new Float32Array(size).fill(3));
  });

  test("refuses to read what it did not keep", () => {
    const leaked: Tensor[] = [];
    scope(() => {
      leaked.push(filled(1).add(1));
    });
    expect(() => leaked[0]!.values()).toThrow(/E_SCOPE.*made in a scope that has ended/s);
    expect(leaked[0]!.shape).toEqual([size]);
    expect(leaked[0]!.size).toBe(size);
    expect(() => leaked[0]!.add(1)).toThrow("E_SCOPE");
    expect(() => leaked[0]!.reshape([10, 100]).values()).toThrow("E_SCOPE");
  });

  test("keep() saves a value, and its other shapes only when they are kept too", () => {
    let kept: Tensor | undefined;
    let view: Tensor | undefined;
    scope(() => {
      kept = keep(filled(1).add(1));
      view = kept.reshape([10, 100]);
    });
    expect(kept!.values()).toEqual(new Float32Array(size).fill(2));
    expect(() => view!.values()).toThrow("E_SCOPE");
  });

  test("leaves values that were assigned, and gradients, to their leaves", () => {
    const p = filled(2, true);
    scope(() => {
      p.square().sum().backward();
      p.assign(p.detach().sub(p.grad!.mul(0.5)));
    });
    scope(() => filled(9).mul(9));
    expect(p.values()).toEqual(new Float32Array(size));
    expect(p.grad!.values()).toEqual(new Float32Array(size).fill(4));
  });

  test("kept results are cut off from their graph", () => {
    const p = filled(2, true);
    const loss = scope(() => p.square().sum());
    expect(loss.item()).toBe(4 * size);
    expect([loss.requiresGrad, loss.isLeaf]).toEqual([false, true]);
    expect(() => loss.backward()).toThrow("E_NO_GRAD");
  });

  test("a kept result is a constant in later graphs: a state carried from step to step", () => {
    const w = filled(0.5, true);
    let h = filled(1);
    for (let step = 0; step < 3; step++) {
      w.grad = undefined;
      h = scope(() => {
        const next = h.mul(w);
        next.sum().backward();
        return next;
      });
    }
    expect(h.values()[0]).toBe(0.125);
    expect(w.grad!.values()[0]).toBe(0.25);
  });

  test("what an outer graph made is returned as it is, its graph whole", () => {
    const p = filled(2, true);
    const outside = p.square();
    scope(() => [outside, keep(outside)]);
    scope(() => {
      const inOuter = p.mul(3);
      scope(() => inOuter);
      inOuter.sum().backward();
    });
    outside.sum().backward();
    expect(p.grad!.values()).toEqual(new Float32Array(size).fill(7));
  });

  test("a gradient that is set by hand stays as well", () => {
    const p = filled(2, true);
    scope(() => {
      p.grad = p.detach().mul(5);
    });
    expect(p.grad!.values()).toEqual(new Float32Array(size).fill(10));
  });

  test("a short part of its memory that an operation of one's own returns is copied", () => {
    const head = defineOp({
      name: "head",
      forward: ([x]) => NDArray.of([4], x!.data.subarray(0, 4)),
      vjp: () => [undefined],
    });
    const y = scope(() => head([filled(1).mul(2)]));
    scope(() => filled(7).mul(1));
    expect(y.toArray()).toEqual([2, 2, 2, 2]);
  });

  test("keeps what maps, sets and cyclic records hold", () => {
    const x = filled(1);
    const kept = scope(() => {
      const record: Record<string, unknown> = { map: new Map([["a", x.add(1)]]), set: new Set([x.add(2)]) };
      record.self = record;
      return record as { map: Map<string, Tensor>; set: Set<Tensor> };
    });
    expect(kept.map.get("a")!.values()[0]).toBe(2);
    expect([...kept.set][0]!.values()[0]).toBe(3);
  });

  test.each<[string, () => unknown]>([
    ["keep(undefined)", () => keep(undefined as never)],
    ["keep([x])", () => keep([filled(1)] as never)],
    ["a generator", () => (function* () {})()],
    ["a thenable", () => ({ then: () => undefined })],
    ["a rejected promise", () => Promise.reject(new Error("later"))],
  ])("%s is refused, and the scope is closed all the same", (_, f) => {
    expect(() => scope(f)).toThrow("E_VALUE");
    expect(inScope()).toBe(false);
    expect(filled(1).add(1).array.isTemporary).toBe(false);
  });

  test("what is no function is refused", () => {
    expect(() => scope(3 as never)).toThrow("E_VALUE");
  });

  test("a graph that leaves through a variable is refused, not computed from what lies there now", () => {
    const p = filled(2, true);
    let loss: Tensor | undefined;
    scope(() => {
      loss = p.exp().sum();
    });
    expect(() => loss!.backward()).toThrow(/E_SCOPE.*run backward\(\) inside the scope/s);
  });

  test("scopes nest: the inner one keeps for the outer one, the outer one gives it back", () => {
    let inner: Tensor | undefined;
    const total = scope(() => {
      inner = scope(() => filled(1).add(1));
      scope(() => filled(7).mul(7));
      return inner.add(1);
    });
    expect(total.values()).toEqual(new Float32Array(size).fill(3));
    expect(inner!.values()).toEqual(new Float32Array(size).fill(2));
  });

  test("gives memory back when the function throws, and says what is wrong with a promise", () => {
    const leaked: Tensor[] = [];
    expect(() =>
      scope(() => {
        leaked.push(filled(1).add(1));
        throw new Error("mine");
      }),
    ).toThrow("mine");
    expect(() => leaked[0]!.values()).toThrow("E_SCOPE");
    expect(() => scope(() => Promise.resolve(1))).toThrow(/E_VALUE.*synchronous/s);
    expect(filled(1).add(1).values()[0]).toBe(2);
  });

  test("more than the memory holds spills to the heap and is right all the same", () => {
    const last = scope(() => {
      const many: Tensor[] = [];
      for (let i = 0; i < 20; i++) many.push(zeros([2 ** 24]).add(i));
      return many.map((x) => x.slice([[0, 2]]).toArray());
    });
    expect(last).toEqual(Array.from({ length: 20 }, (_, i) => [i, i]));
  });
});

describe("a leaf that is assigned to leaves earlier views of it as they were", () => {
  const views: Record<string, (x: Tensor) => Tensor> = {
    squeeze: (x) => x.squeeze(),
    unsqueeze: (x) => x.unsqueeze(0),
    reshape: (x) => x.reshape([1, 2]),
    permute: (x) => x.permute([0, 1]),
    transpose: (x) => x.transpose(0, 0),
    expand: (x) => x.expand([1, 2]),
    cast: (x) => x.cast("float32"),
    detach: (x) => x.detach(),
    slice: (x) => x.slice([null]),
  };
  test.each(Object.entries(views))("%s", (_, view) => {
    const p = tensor([[1, 2]], { requiresGrad: true });
    const before = view(p);
    p.assign(tensor([[3, 4]]));
    expect([...before.values()]).toEqual([1, 2]);
  });
});
