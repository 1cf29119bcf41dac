import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { einsum, tensor, zeros, type Tensor } from "../../../src/autograd/index.js";
import { expectCorrectGradients } from "../../../src/testing/index.js";
import { einsumLoop } from "../../verification/loops.js";
import { expectSame, wholes } from "./naive.js";
import { runs } from "../../runs.js";

const lengths: Readonly<Record<string, number>> = { a: 2, b: 3, c: 1, d: 2, Z: 2, e: 0 };

const subscripts = (
  letters: readonly string[],
): fc.Arbitrary<{ inputs: string[]; output: string | undefined }> =>
  fc
    .array(fc.array(fc.constantFrom(...letters), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .chain((groups) => {
      const inputs = groups.map((group) => group.join(""));
      const used = [...new Set(inputs.join(""))];
      return fc
        .option(fc.shuffledSubarray(used), { nil: undefined })
        .map((output) => ({ inputs, output: output?.join("") }));
    });

const uses = (letters: readonly string[]) =>
  subscripts(letters).chain(({ inputs, output }) =>
    fc
      .tuple(...inputs.map((group) => wholes([...group].map((letter) => lengths[letter]!))))
      .map((operands) => ({ inputs, output, operands: operands as Tensor[] })),
  );

/** NumPy's rule for a missing output: the letters that occur once, in alphabetical order. */
function implicit(inputs: readonly string[]): string {
  const all = inputs.join("");
  return [...new Set(all)]
    .filter((letter) => all.indexOf(letter) === all.lastIndexOf(letter))
    .sort()
    .join("");
}

describe("einsum", () => {
  test("is its definition for any subscripts: repeated letters, no output, sizes of zero", () => {
    fc.assert(
      fc.property(uses(["a", "b", "c", "d", "Z", "e"]), ({ inputs, output, operands }) => {
        const text = inputs.join(",") + (output === undefined ? "" : `->${output}`);
        const found = einsum(text, ...operands);
        expectSame(found.add(0), einsumLoop(inputs, output ?? implicit(inputs))(...operands).add(0));
      }),
      { numRuns: runs(300) },
    );
  });

  test("has the gradient of differences", () => {
    fc.assert(
      fc.property(uses(["a", "b", "d"]), ({ inputs, output, operands }) => {
        const text = inputs.join(",") + (output === undefined ? "" : `->${output}`);
        expectCorrectGradients(
          (...xs) => einsum(text, ...xs),
          operands.map((x, i) => x.mul(0.3).add(0.1 * (i + 1))),
        );
      }),
      { numRuns: runs(15) },
    );
  });

  test("reads spaces, takes plain lists, and counts whole numbers as float32", () => {
    expect(einsum(" i , j -> j i ", [1, 2], [3, 4]).toArray()).toEqual([
      [3, 6],
      [4, 8],
    ]);
    expect(
      einsum("ii", [
        [1, 9],
        [9, 2],
      ]).item(),
    ).toBe(3);
    expect(einsum("i->", tensor([1, 2], { dtype: "int32" })).dtype).toBe("float32");
    expect(einsum("->", 5).item()).toBe(5);
  });

  test("names what it cannot read", () => {
    const x = zeros([2, 3]);
    expect(() => einsum("i1->i", x)).toThrow(/E_EINSUM.*cannot read "i1->i"/s);
    expect(() => einsum("...i->i", x)).toThrow(/E_EINSUM/);
    expect(() => einsum("ij,jk->ik", x)).toThrow(/E_EINSUM.*2 operands, got 1/s);
    expect(() => einsum("ijk->i", x)).toThrow(/E_EINSUM.*3 axes.*\[2, 3\]/s);
    expect(() => einsum("ii->i", x)).toThrow(/E_EINSUM.*"i" has size 2.*3/s);
    expect(() => einsum("ij->ik", x)).toThrow(/E_EINSUM.*"k" is in no operand/s);
    expect(() => einsum("ij->ii", x)).toThrow(/E_EINSUM.*"i" occurs twice/s);
    expect(() => einsum("ij")).toThrow(/E_EINSUM.*1 operands, got 0/s);
  });
});
