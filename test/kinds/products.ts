import { expect } from "vitest";
import { gradients, tensor, type Tensor } from "../../src/autograd/index.js";
import { expectRowGradient, expectRows, rows, type Kind, type Place } from "./place.js";

/** Rows of factors with no zero, one and several, in each position. */
const factors: readonly (readonly number[])[] = [
  [2, 0, 3, 4],
  [0, 2, 3, 5],
  [2, 3, 5, 0],
  [0, 2, 0, 3],
  [0, 0, 0, 0],
  [-1, 2, -3, 0],
  [1, -2, 3, 4],
  [7],
  [0],
  [0, 0],
];

const product = (row: readonly number[]): number => row.reduce((a, b) => a * b, 1);
/** Without the named entries. */
const but = (row: readonly number[], ...left: number[]): number[] => row.filter((_, i) => !left.includes(i));

const productGradient = (row: readonly number[]): number[] => row.map((_, i) => product(but(row, i)));
/** Row i of the Hessian of the product, summed over i. */
const productSecond = (row: readonly number[]): number[] =>
  row.map((_, i) => row.reduce((sum, _, j) => (i === j ? sum : sum + product(but(row, i, j))), 0));

const prefixes = (row: readonly number[]): (readonly number[])[] => row.map((_, j) => row.slice(0, j + 1));
const padded = (list: readonly number[], length: number): number[] =>
  Array.from({ length }, (_, i) => list[i] ?? 0);
const summed = (lists: readonly (readonly number[])[], length: number): number[] =>
  lists.reduce<number[]>((sum, list) => padded(list, length).map((x, i) => x + sum[i]!), padded([], length));

const cumulative =
  (of: (row: readonly number[]) => number[]) =>
  (row: readonly number[]): number[] =>
    summed(prefixes(row).map(of), row.length);

/** First and second derivatives of Σf for every row of factors. */
const derivatives =
  (
    f: (x: Tensor) => Tensor,
    first: (row: readonly number[]) => number[],
    second: (row: readonly number[]) => number[],
  ) =>
  (at: Place): void => {
    for (const row of factors) {
      const x = rows(at, row);
      const [g] = gradients(f(x).sum(), [x], { createGraph: true });
      expectRows(g, first(row), at);
      if (!g!.requiresGrad) continue;
      expectRows(gradients(g!.sum(), [x])[0] ?? g!.mul(0).detach(), second(row), at);
    }
  };

const asProduct = (f: (x: Tensor) => Tensor): ((at: Place) => void) =>
  derivatives(f, productGradient, productSecond);
const asRunning = (f: (x: Tensor) => Tensor): ((at: Place) => void) =>
  derivatives(f, cumulative(productGradient), cumulative(productSecond));
const last = (x: Tensor): Tensor => x.slice([null, -1]);

export const products: Readonly<Record<string, Kind>> = {
  "prod-zeros": {
    kind: "products of many factors, some of them 0: first and second derivatives without a division",
    subjects: {
      prod: asProduct((x) => x.prod(1)),
      "prod over a kept axis": asProduct((x) => x.prod(-1, { keepDims: true })),
      "prod over an outer axis": asProduct((x) => x.transpose().prod(0)),
      "prod over two axes": asProduct((x) => x.unsqueeze(1).prod([1, 2])),
      "prod over axes apart": asProduct((x) => x.transpose().unsqueeze(-1).prod([0, 2])),
      "prod in parts": asProduct((x) =>
        x
          .split(x.shape[1]!, 1)
          .map((p) => p.prod(1))
          .reduce((a, b) => a.mul(b)),
      ),
      "prod of reversed factors": asProduct((x) => x.flip(1).prod(1)),
      "last entry of cumprod": asProduct((x) => last(x.cumprod(1))),
      "chain of mul": asProduct((x) => x.split(x.shape[1]!, 1).reduce((a, b) => a.mul(b))),
      "chain of scale": (at) =>
        expectRowGradient(at, (x) => x.slice([null, 0]).scale(x.slice([null, 1])), [2, 0], [0, 2]),
      "matmul of zeros": (at) =>
        expectRowGradient(at, (x) => x.unsqueeze(1).matmul(x.unsqueeze(2)), [0, 2], [0, 4]),
      "prod of nothing": (at) => {
        const y = rows(at, [1, 2])
          .slice([null, [0, 0]])
          .prod(1);
        expect(y.values().every((v) => v === 1)).toBe(true);
      },
      "prod of integers": () => {
        expect(tensor([2, 0, 3]).cast("int32").prod().item()).toBe(0);
        expect(tensor([2, -3]).cast("int32").prod().item()).toBe(-6);
      },
    },
  },
  "cumprod-zeros": {
    kind: "running products with zeros: first and second derivatives along every axis",
    subjects: {
      "cumprod of the last axis": asRunning((x) => x.cumprod(1)),
      "cumprod of the first axis": asRunning((x) => x.transpose().cumprod(0)),
      "cumprod of a middle axis": asRunning((x) =>
        x
          .unsqueeze(-1)
          .expand([...x.shape, 2])
          .cumprod(1)
          .mean(-1),
      ),
      "cumprod by a negative axis": asRunning((x) => x.unsqueeze(-1).cumprod(-2)),
      "prefixes of prod": asRunning((x) =>
        x.shape[1] === 0
          ? x
          : Array.from({ length: x.shape[1]! }, (_, j) => x.slice([null, [0, j + 1]]).prod(1)).reduce(
              (a, b) => a.add(b),
            ),
      ),
      "cumprod of ones and zeros": (at) => expectRows(rows(at, [1, 0, 5]).cumprod(1), [1, 0, 0], at),
      "cumprod of integers": () => {
        expect([...tensor([2, 0, 3]).cast("int32").cumprod(0).values()]).toEqual([2, 0, 0]);
      },
    },
  },
};
