import { describe, expect, test } from "vitest";
import {
  allocate,
  convert,
  dtypeOf,
  isDType,
  isFloating,
  kernels,
  kernelSets,
  mostElements,
  NDArray,
  useKernels,
  type DType,
} from "../../src/tensor/index.js";

const types: readonly DType[] = ["float32", "float64", "int32", "bool"];

describe("storage", () => {
  test("each type has its own, filled with zeros", () => {
    for (const type of types) {
      const elements = allocate(type, 3);
      expect(dtypeOf(elements)).toBe(type);
      expect([...elements]).toEqual([0, 0, 0]);
      expect(isDType(type)).toBe(true);
      expect(isFloating(type)).toBe(type.startsWith("float"));
    }
    expect(isDType("float16")).toBe(false);
    expect(() => allocate("float16" as DType, 1)).toThrow(/E_DTYPE.*float16/);
  });

  test("more elements than a tensor holds are refused", () => {
    expect(() => allocate("bool", mostElements + 1)).toThrow(/E_SHAPE.*536870912.*536870913/);
    expect(() => allocate("float32", -1)).toThrow(/E_SHAPE/);
  });

  test("an array has as many elements as its shape says", () => {
    expect(NDArray.of([2, 2], new Float64Array(4)).dtype).toBe("float64");
    expect(() => NDArray.of([2, 2], new Float64Array(3))).toThrow(/E_SHAPE.*\[2, 2\].*4.*3/);
    const x = NDArray.zeros([2, 0, 3], "int32");
    expect([x.size, x.rank]).toEqual([0, 3]);
    expect(x.withShape([0]).data).toBe(x.data);
  });

  test("every type converts to every other", () => {
    for (const from of types)
      for (const to of types) {
        const x = new NDArray([2], from, allocate(from, 2));
        x.data[1] = 1;
        const y = convert(x, to);
        expect(y.dtype).toBe(to);
        expect([...y.data]).toEqual([0, 1]);
        if (from === to) expect(y).toBe(x);
      }
  });
});

test("kernel sets are chosen by name", () => {
  expect([...kernelSets.keys()]).toEqual(["reference", "simd"]);
  expect(kernels().name, "the fastest set is the default").toBe("simd");
  useKernels("reference");
  expect(kernels().name).toBe("reference");
  expect(() => useKernels("fast")).toThrow(/E_KERNELS.*reference, simd.*"fast"/);
  expect(kernels().name).toBe("reference");
  useKernels("simd");
});
