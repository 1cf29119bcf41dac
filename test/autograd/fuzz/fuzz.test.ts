import fc from "fast-check";
import { expect, test } from "vitest";
import * as gradstand from "../../../src/autograd/index.js";
import { Tensor, zeros, type TensorLike } from "../../../src/autograd/index.js";
import { isErrorCode } from "../../../src/errors/index.js";
import { areBroadcastable, broadcastShapes, dtypeOf, isFloating } from "../../../src/tensor/index.js";
import { sizeOf } from "../arbitraries.js";
import { calls, tensors } from "./calls.js";
import { runs } from "../../runs.js";

/** Public functions that take functions, tested in derivatives.test.ts and gradcheck.test.ts. */
const others = [
  "backward",
  "defineOp",
  "grad",
  "gradcheck",
  "hvp",
  "isRecording",
  "jvp",
  "keep",
  "mapTree",
  "noGrad",
  "scope",
  "Tensor",
  "valueAndGrad",
  "vjp",
];

const functions = gradstand as unknown as Record<string, (...args: unknown[]) => unknown>;

/** Runs a call; whatever it throws must be one of the package's own errors. */
function settled(name: string, args: unknown[], call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code !== undefined && isErrorCode(code) && code !== "E_INTERNAL") return undefined;
    throw new Error(`${name}(${args.map(fc.stringify).join("; ")}) threw ${String(error)}`, { cause: error });
  }
}

function expectWellFormed(x: Tensor): void {
  expect(x.shape.every((length) => Number.isSafeInteger(length) && length >= 0)).toBe(true);
  expect(sizeOf(x.shape) === x.size).toBe(true);
  expect(dtypeOf(x.array.data)).toBe(x.dtype);
  if (x.dtype === "bool") expect(x.values().every((v) => v === 0 || v === 1)).toBe(true);
  expect(String(x)).toMatch(/^tensor\(/);
}

/** The tensors in what a function returned. */
function tensorsIn(result: unknown): Tensor[] {
  if (result instanceof Tensor) return [result];
  if (typeof result === "object" && result !== null) return Object.values(result).flatMap(tensorsIn);
  return [];
}

test("every public function is called here", () => {
  const names = Object.entries(gradstand)
    .filter(([, value]) => typeof value === "function")
    .map(([name]) => name);
  expect(Object.keys(calls).concat(others).sort()).toEqual(names.sort());
});

test.each(Object.entries(calls))("%s returns a well-formed result or throws a coded error", (name, args) => {
  let returned = 0;
  fc.assert(
    fc.property(args, (list) => {
      const before = tensorsIn(list).map((x) => x.values());
      const result = settled(name, list, () => functions[name]!(...list));
      tensorsIn(list).forEach((x, i) => expect(x.values()).toEqual(before[i]));
      if (result !== undefined) returned++;
      for (const x of tensorsIn(result)) {
        expectWellFormed(x);
        if (!x.requiresGrad || x.isLeaf) continue;
        settled(name, list, () => x.backward(zeros(x.shape, { dtype: x.dtype }).add(1)));
        for (const leaf of tensorsIn(list)) {
          if (!leaf.grad) continue;
          expect(leaf.grad.shape).toEqual(leaf.shape);
          expect(leaf.grad.dtype).toBe(leaf.dtype);
          leaf.grad = undefined;
        }
        break;
      }
    }),
    { numRuns: runs(100) },
  );
  expect(returned).toBeGreaterThan(0);
});

test("two tensors add exactly when their shapes broadcast, and to that shape", () => {
  fc.assert(
    fc.property(tensors, tensors, (a, b) => {
      if (areBroadcastable(a.shape, b.shape)) {
        expect(a.add(b).shape).toEqual(broadcastShapes("add", a.shape, b.shape));
        return;
      }
      const shapes = [a, b].map((x) => `\\[${x.shape.join(", ")}\\]`).join(" and ");
      expect(() => a.add(b)).toThrow(
        new RegExp(`E_SHAPE: add: shapes ${shapes} do not broadcast: .* axis -\\d`),
      );
    }),
    { numRuns: runs(200) },
  );
});

/** Functions as a user chains them, on whatever came before. */
const steps = fc.array(
  fc.tuple(fc.constantFrom(...Object.keys(calls).filter((name) => name in Tensor.prototype)), fc.nat()),
  {
    minLength: 1,
    maxLength: 6,
  },
);

test("chains of operations too, and a backward pass through them", () => {
  fc.assert(
    fc.property(tensors, steps, fc.context(), (start, chain, context) => {
      let x: Tensor = isFloating(start.dtype) ? new Tensor(start.array, true) : start;
      for (const [name, seed] of chain) {
        const [, ...rest] = fc.sample(calls[name]!, { numRuns: 1, seed })[0]!;
        context.log(`${name}(${rest.map(fc.stringify).join("; ")})`);
        const method = (x as unknown as Record<string, (...args: unknown[]) => unknown>)[name]!;
        const result = settled(name, rest, () => method.apply(x, rest));
        if (result instanceof Tensor) x = result;
      }
      expectWellFormed(x);
      if (x.requiresGrad) settled("backward", chain, () => x.backward(ones(x)));
    }),
    { numRuns: runs(300) },
  );
});

const ones = (x: Tensor): TensorLike => zeros(x.shape, { dtype: x.dtype }).add(1);
