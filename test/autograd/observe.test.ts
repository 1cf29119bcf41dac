import { describe, expect, test } from "vitest";
import type { Contribution } from "../../src/autograd/hook.js";
import { defineOp, tensor, vjp, type Tensor } from "../../src/autograd/index.js";
import { observe, type Observation } from "../../src/autograd/observe.js";
import { firstOutside } from "../../src/autograd/source-line.js";
import { withStandIns } from "../../src/autograd/stand-in.js";

const names = (seen: readonly Observation[]): string[] => seen.map(({ op }) => op.name);

describe("observe", () => {
  const x = tensor([1, 2], { dtype: "float64", requiresGrad: true });

  test("tells of each operation in order, with node, inputs and output; of those without a gradient too", () => {
    const seen: Observation[] = [];
    const y = observe(
      (one) => seen.push(one),
      () => {
        x.less(1);
        return x.exp().mul(x);
      },
    );
    expect(names(seen)).toEqual(["less", "exp", "mul"]);
    const [less, exp, mul] = seen as [Observation, Observation, Observation];
    expect(less.node).toBeUndefined();
    expect(exp.inputs).toEqual([x]);
    expect(mul.inputs[0]).toBe(exp.output);
    expect(mul.output).toBe(y);
    expect(mul.node).toBe(y.node);
    expect(exp.source).toBeUndefined();
  });

  test("ends with its function, also when that throws, and does not observe its listener", () => {
    const seen: string[] = [];
    const listener = ({ op, output }: Observation): void => {
      seen.push(op.name);
      output.sum();
    };
    expect(() =>
      observe(listener, () => {
        x.exp();
        throw new RangeError("enough");
      }),
    ).toThrow("enough");
    x.sin();
    expect(seen).toEqual(["exp"]);
  });

  test("nests, and sees a backward pass", () => {
    const [inner, outer]: [string[], string[]] = [[], []];
    observe(
      ({ op }) => outer.push(op.name),
      () => {
        observe(
          ({ op }) => inner.push(op.name),
          () => x.exp(),
        );
        x.sin().sum().backward();
      },
    );
    expect(inner).toEqual(["exp"]);
    expect(outer.slice(0, 3)).toEqual(["exp", "sin", "sum"]);
    expect(outer).toContain("cos");
  });

  test("tells of each contribution of a backward pass as it is added, where nothing flows too", () => {
    const [a, b] = [tensor([2], { requiresGrad: true }), tensor([3], { requiresGrad: true })];
    const half = defineOp({
      name: "half",
      forward: ([v]) => v!.withShape(v!.shape),
      vjp: ({ cotangent }) => [cotangent, undefined],
    });
    const y = half([a.mul(a), b]);
    const [inner, outer]: [unknown[], unknown[]] = [[], []];
    const note =
      (list: unknown[]) =>
      ({ node, input, tensor: to, part, sum }: Contribution): void => {
        part?.exp();
        list.push([node?.op.name, input, to, part?.toArray(), sum?.toArray()]);
      };
    const operations: string[] = [];
    observe(
      ({ op }) => operations.push(op.name),
      () =>
        observe(
          () => undefined,
          () => y.backward(),
          { contributed: note(inner) },
        ),
      { contributed: note(outer) },
    );
    const product = y.node?.inputs?.[0];
    expect(product).toBeUndefined();
    expect(inner.map((one) => (one as unknown[]).filter((_, i) => i !== 2))).toEqual([
      [undefined, 0, [1], [1]],
      ["half", 0, [1], [1]],
      ["half", 1, undefined, undefined],
      ["mul", 0, [2], [2]],
      ["mul", 1, [2], [4]],
    ]);
    expect(inner.at(-1)).toContain(a);
    expect(outer).toEqual(inner);
    expect(a.grad!.toArray()).toEqual([4]);
    expect(b.grad).toBeUndefined();
    expect(operations).not.toContain("exp");
  });

  test("finds the line of the caller, past every line of the package", () => {
    const seen: Observation[] = [];
    function model(): Tensor {
      return x.mean();
    }
    observe((one) => seen.push(one), model, { sources: true });
    const line = Number(/observe\.test\.ts:(\d+)/.exec(new Error().stack!)![1]);
    for (const { source } of seen) {
      expect(source).toMatchObject({ within: "model", line: line - 3 });
      expect(source!.file).toMatch(/test\/autograd\/observe\.test\.ts$/);
    }
    expect(seen.length).toBeGreaterThan(0);
  });
});

describe("firstOutside", () => {
  const folder = "file:///home/me/node_modules/gradstand/dist/";
  test.each([
    [
      "V8",
      `Error
    at add (file:///home/me/node_modules/gradstand/dist/chunks/a.js:3:4)
    at process.processTicks (node:internal/process:1:2)
    at model (file:///home/me/my%20model.mjs:12:34)`,
      { file: "/home/me/my model.mjs", line: 12, column: 34, within: "model" },
    ],
    [
      "V8, without a name",
      "Error\n    at /home/me/node_modules/gradstand/dist/a.js:3:4\n    at /home/me/main.js:1:2",
      { file: "/home/me/main.js", line: 1, column: 2, within: undefined },
    ],
    [
      "Firefox",
      "add@file:///home/me/node_modules/gradstand/dist/a.js:3:4\nmodel@http://localhost:8080/main.js?v=1:5:6",
      { file: "http://localhost:8080/main.js", line: 5, column: 6, within: "model" },
    ],
  ])("%s", (_, stack, expected) => {
    expect(firstOutside(stack, folder)).toEqual(expected);
  });

  test("is undefined where nothing lies outside", () => {
    expect(firstOutside(`Error\n    at add (${folder}a.js:3:4)`, folder)).toBeUndefined();
    expect(firstOutside("", folder)).toBeUndefined();
  });
});

describe("withStandIns", () => {
  const weight = tensor([2, 3], { requiresGrad: true });
  const layer = (x: Tensor): Tensor => x.mul(weight).add(weight.detach());

  test("makes a closed-over leaf an argument: value, type and gradient", () => {
    const x = tensor([5, 7], { dtype: "float64" });
    const other = tensor([10, 20], { dtype: "float64" });
    const f = (w: Tensor): Tensor => withStandIns(new Map([[weight, w]]), () => layer(x));
    const { value, pullback } = vjp((w) => f(w!), other);
    expect(value.dtype).toBe("float64");
    expect(value.toArray()).toEqual([60, 160]);
    expect(pullback(tensor([1, 1], { dtype: "float64" }))[0]!.toArray()).toEqual([5, 7]);
    expect(weight.toArray()).toEqual([2, 3]);
    expect(weight.dtype).toBe("float32");
    expect(weight.version).toBe(0);
  });

  test("gives the leaf back when the function throws", () => {
    const thrower = (): never => {
      throw new RangeError("enough");
    };
    expect(() => withStandIns(new Map([[weight, tensor([0, 0])]]), thrower)).toThrow("enough");
    expect(weight.toArray()).toEqual([2, 3]);
  });
});
