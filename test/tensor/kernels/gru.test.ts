import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generator } from "../../../src/random/index.js";
import { kernelSets, type GruSizes } from "../../../src/tensor/index.js";
import { expectSetsAgree, float32Array } from "./same-bits.js";

const sizes = fc.record({
  time: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(9)),
  batch: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(33)),
  hidden: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(31, 32, 64, 86, 90)),
  bias: fc.boolean(),
});

/** Sizes, and arrays of the given numbers of elements: of one kind, or each of its own. */
const drawn = (
  lengths: (sizes: GruSizes) => readonly number[],
): fc.Arbitrary<{ size: GruSizes & { bias: boolean }; arrays: Float32Array[] }> =>
  sizes.chain((size) =>
    fc
      .tuple(...lengths(size).map((length) => float32Array(length)))
      .map((arrays) => ({ size, arrays: arrays.map((x) => x.map((value) => scaled(value, size.hidden))) })),
  );

/** Ordinary numbers so small that the gates do not all saturate. */
const scaled = (value: number, hidden: number): number =>
  Math.abs(value) <= 4 ? value / Math.sqrt(hidden) : value;

describe("the sets agree on every bit", () => {
  test("of the forward pass", () => {
    const inputs = drawn(({ time, batch, hidden }) => [
      3 * hidden * hidden,
      3 * hidden,
      3 * hidden,
      3 * time * batch * hidden,
      batch * hidden,
    ]);
    fc.assert(
      fc.property(inputs, ({ size: { bias, ...size }, arrays }) => {
        const length = size.time * size.batch * size.hidden;
        expectSetsAgree(arrays, [3 * length, length, length, length], (set, given, outputs) => {
          const [weight, biasIh, biasHh, projection, start] = given;
          const [gates, before, inner, states] = outputs;
          gates!.set(projection!);
          before!.set(start!);
          set.gruForward(size, {
            weight: set.gruWeight(size.hidden, weight!),
            biasIh: bias ? biasIh : undefined,
            biasHh: bias ? biasHh : undefined,
            gates: gates!,
            before: before!,
            inner: inner!,
            states: states!,
          });
        });
      }),
    );
  });

  test("of the backward pass, of all steps and of some, with the cotangent of the first state and without", () => {
    const inputs = drawn(({ time, batch, hidden }) => {
      const length = time * batch * hidden;
      return [3 * hidden * hidden, length + 3 * batch * hidden, 3 * length, length, length, batch * hidden];
    });
    fc.assert(
      fc.property(inputs, fc.boolean(), fc.boolean(), ({ size, arrays }, wanted, carried) => {
        const length = size.time * size.batch * size.hidden;
        const outputs = [3 * length, 3 * length, wanted ? size.batch * size.hidden : 0];
        expectSetsAgree(arrays, outputs, (set, given, [inward, onward, start]) => {
          const [weight, cotangent, gates, before, inner, carry] = given;
          set.gruBackward(size, {
            weight: weight!,
            cotangent: cotangent!,
            first: carried ? 1 : 3,
            total: size.time + 3,
            carry: carried ? carry : undefined,
            gates: gates!,
            before: before!,
            inner: inner!,
            inward: inward!,
            onward: onward!,
            start: wanted ? start : undefined,
          });
        });
      }),
    );
  });
});

const f = Math.fround;

test.each([...kernelSets.values()])("$name: one unit, every operation rounded once", (set) => {
  const rng = generator("gru unit");
  const one = (length: number): Float32Array => Float32Array.from(rng.normals(length));
  const call = (op: "sigmoid" | "tanh", x: number): number => {
    const out = new Float32Array(1);
    set.unary(op, Float32Array.of(x), out);
    return out[0]!;
  };
  const [weight, biasIh, biasHh, gates, before] = [one(3), one(3), one(3), one(3), one(1)];
  const [w, i, h] = [weight, gates.map((x, at) => x + biasIh[at]!), before[0]!];
  const o = w.map((x, at) => f(x * h) + biasHh[at]!);
  const [r, z] = [call("sigmoid", f(i[0]! + o[0]!)), call("sigmoid", f(i[1]! + o[1]!))];
  const n = call("tanh", f(i[2]! + f(r * o[2]!)));
  const [inner, states] = [new Float32Array(1), new Float32Array(1)];
  const sizes = { time: 1, batch: 1, hidden: 1 };
  set.gruForward(sizes, { weight: set.gruWeight(1, weight), biasIh, biasHh, gates, before, inner, states });
  expect([...gates, inner[0], states[0]]).toEqual([r, z, n, o[2], f(n + f(z * f(h - n)))]);

  const [g, inward, onward, start] = [one(1), one(3), one(3), one(1)];
  const cotangents = { cotangent: g, first: 0, total: 1, carry: undefined };
  set.gruBackward(sizes, { weight, ...cotangents, gates, before, inner, inward, onward, start });
  const dn = f(f(g[0]! * f(1 - z)) * f(1 - f(n * n)));
  const dz = f(f(f(g[0]! * f(h - n)) * z) * f(1 - z));
  const dr = f(f(f(dn * o[2]!) * r) * f(1 - r));
  expect([...inward]).toEqual([dr, dz, dn]);
  expect([...onward]).toEqual([dr, dz, f(dn * r)]);
  const product = [dr, dz, f(dn * r)].reduce((sum, x, at) => f(sum + f(x * w[at]!)), 0);
  expect(start[0]).toBe(f(f(g[0]! * z) + product));
});
