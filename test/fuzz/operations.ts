import { tensor, Tensor } from "../../src/autograd/index.js";
import type { Draw } from "./draw.js";
import {
  axesOf,
  axisOf,
  broadcast,
  counting,
  floating,
  indices,
  isTensor,
  moved,
  sizeOf,
  stretched,
  wider,
  entry,
} from "./oracle.js";
import type { FuzzSubject, FuzzSubjects } from "./subject.js";
import type { DType } from "../../src/tensor/index.js";

const x = (args: readonly unknown[], i = 0): Tensor | undefined => (isTensor(args[i]) ? args[i] : undefined);
const one = (d: Draw): unknown[] => [d.maybe(d.tensor())];

function unary(dtypeOf: (dtype: DType) => DType): FuzzSubject {
  return {
    args: one,
    expected: (args) => x(args) && { shape: x(args)!.shape, dtype: dtypeOf(x(args)!.dtype) },
  };
}

function binary(
  dtypeOf: (a: DType, b: DType) => DType,
  value?: (a: number, b: number) => number,
): FuzzSubject {
  return {
    args: (d) => {
      const a = d.tensor();
      return [d.maybe(a, 0.05), d.maybe(d.tensor(d.partner(a.shape)), 0.05)];
    },
    expected: (args) => {
      const [a, b] = [x(args), x(args, 1)];
      if (!a || !b) return undefined;
      const shape = broadcast(a.shape, b.shape);
      if (!shape) return "refused";
      const dtype = dtypeOf(a.dtype, b.dtype);
      if (!value) return { shape, dtype };
      const round = dtype === "float32" ? Math.fround : (v: number): number => v;
      const values = Array.from(indices(shape), (index) => {
        const [p, q] = [a, b].map((t) =>
          dtype === "bool" ? stretched(t, index) : round(stretched(t, index)),
        );
        return dtype === "int32" ? value(p!, q!) | 0 : round(value(p!, q!));
      });
      return { shape, dtype, values };
    },
  };
}

function reduction(dtypeOf: (dtype: DType) => DType, needsElements = false): FuzzSubject {
  return {
    args: (d) => {
      const t = d.tensor();
      return [d.maybe(t, 0.04), d.maybe(d.axes(t.rank), 0.04), d.options({ keepDims: d.chance(0.5) })];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      const axes = axesOf(args[1], t.rank);
      if (!axes) return "refused";
      const keep = (args[2] as { keepDims?: boolean }).keepDims === true;
      const left = t.shape.map((n, i) => (axes.includes(i) ? 1 : n));
      if (needsElements && sizeOf(left) > 0 && axes.some((i) => t.shape[i] === 0)) return "refused";
      return { shape: keep ? left : left.filter((_, i) => !axes.includes(i)), dtype: dtypeOf(t.dtype) };
    },
  };
}

/** Along one axis, which is kept. */
function along(dtypeOf: (dtype: DType) => DType, leftOut?: number): FuzzSubject {
  return {
    args: (d) => {
      const t = d.tensor();
      return [d.maybe(t, 0.04), d.maybe(d.axis(t.rank), 0.04)];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      return axisOf(args[1] ?? leftOut, t.rank) === undefined
        ? "refused"
        : { shape: t.shape, dtype: dtypeOf(t.dtype) };
    },
  };
}

const position: FuzzSubject = {
  args: (d) => {
    const t = d.tensor();
    return [
      d.maybe(t, 0.04),
      d.maybe(d.chance(0.3) ? undefined : d.axis(t.rank), 0.04),
      d.options({ keepDims: d.chance(0.5) }),
    ];
  },
  expected: (args) => {
    const t = x(args);
    if (!t) return undefined;
    const keep = (args[2] as { keepDims?: boolean }).keepDims === true;
    if (args[1] === undefined)
      return t.size === 0 ? "refused" : { shape: keep ? t.shape.map(() => 1) : [], dtype: "int32" };
    const axis = axisOf(args[1], t.rank);
    if (axis === undefined || t.shape[axis] === 0) return "refused";
    return { shape: t.shape.flatMap((n, i) => (i === axis ? (keep ? [1] : []) : [n])), dtype: "int32" };
  },
};

const floats = (d: Draw, shape?: readonly number[]): Tensor =>
  d.tensor(shape, { dtypes: ["float32", "float64"] });

function triangle(keeps: (i: number, j: number, k: number) => boolean): FuzzSubject {
  return {
    args: (d) => [d.maybe(d.tensor(d.shape(1))), d.maybe(d.int(-4, 4))],
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      if (t.rank < 2) return "refused";
      return moved(t, t.shape, (at) => (keeps(at.at(-2)!, at.at(-1)!, args[1] as number) ? at : 0));
    },
  };
}

/** One range as Python's slice.indices reads it: which entries it takes. */
function taken(range: unknown, length: number): number[] | number | undefined {
  if (range === null || range === undefined) return Array.from({ length }, (_, i) => i);
  if (typeof range === "number") return axisOf(range, length);
  const [start, stop, step = 1] = range as [number?, number?, number?];
  if (step === 0 || ![start ?? 0, stop ?? 0, step].every(Number.isInteger)) return undefined;
  const list: number[] = [];
  const place = (at: number | null | undefined, other: number): number =>
    at === null || at === undefined
      ? other
      : at < 0
        ? Math.max(at + length, step > 0 ? 0 : -1)
        : Math.min(at, step > 0 ? length : length - 1);
  const end = place(stop, step > 0 ? length : -1);
  for (let i = place(start, step > 0 ? 0 : length - 1); step > 0 ? i < end : i > end; i += step) list.push(i);
  return list;
}

const square = (d: Draw): Tensor => {
  const n = d.int(0, 3);
  const t = floats(d, [...d.shape(0, 2), n, d.chance(0.1) ? n + 1 : n]);
  return d.chance(0.5) ? new Tensor(t.mul(0).add(eyeOf(t)).detach().array, d.chance(0.5)) : t;
};
const eyeOf = (t: Tensor): Tensor => t.detach().mul(0).where(false, 1).triu().tril().mul(1);

const elementwise = Object.fromEntries([
  ...["neg", "abs", "sign", "square"].map((name) => [name, unary(counting)]),
  ...["sqrt", "reciprocal", "exp", "log", "log1p", "expm1", "sin", "cos", "tanh", "sigmoid", "relu", "softplus", "erf"].map((name) => [name, unary(floating)]),
  ...["isNaN", "isFinite", "logicalNot"].map((name) => [name, unary(() => "bool")]),
  ...["stopGradient", "asTensor", "zerosLike", "onesLike"].map((name) => [name, unary((dtype) => dtype)]),
]) as Record<string, FuzzSubject>; // prettier-ignore

const sum = (a: number, b: number): number => a + b;
const bool = (f: (a: number, b: number) => boolean): FuzzSubject =>
  binary(
    () => "bool",
    (a, b) => Number(f(a, b)),
  );
const arithmetic = (a: DType, b: DType): DType => counting(wider(a, b));

export const operations: FuzzSubjects = {
  ...elementwise,
  add: binary(arithmetic, sum),
  sub: binary(arithmetic, (a, b) => a - b),
  mul: binary(arithmetic),
  div: binary((a, b) => floating(wider(a, b))),
  scale: binary(arithmetic),
  pow: binary((a, b) => floating(wider(a, b))),
  maximum: binary(arithmetic, Math.max),
  minimum: binary(arithmetic, Math.min),
  equal: bool((a, b) => a === b),
  notEqual: bool((a, b) => a !== b),
  less: bool((a, b) => a < b),
  lessEqual: bool((a, b) => a <= b),
  greater: bool((a, b) => a > b),
  greaterEqual: bool((a, b) => a >= b),
  logicalAnd: bool((a, b) => a !== 0 && b !== 0),
  logicalOr: bool((a, b) => a !== 0 || b !== 0),
  gelu: {
    ...unary(floating),
    args: (d) => [d.maybe(d.tensor()), d.options({ approximate: d.pick(["none", "tanh"]) })],
  },
  clip: {
    args: (d) => [
      d.maybe(d.tensor()),
      d.maybe(d.pick([-Infinity, -2, 0, 0.5]), 0.1),
      d.maybe(d.pick([0.5, 1, 3, Infinity]), 0.1),
    ],
    expected: (args) =>
      x(args) && {
        shape: x(args)!.shape,
        dtype: [args[1], args[2]].every((v) => v === Math.trunc(v as number))
          ? counting(x(args)!.dtype)
          : floating(x(args)!.dtype),
      },
  },
  where: {
    args: (d) => {
      const a = d.tensor();
      return [
        d.maybe(d.tensor(d.partner(a.shape), d.chance(0.9) ? { dtypes: ["bool"] } : {}), 0.04),
        d.maybe(a, 0.04),
        d.maybe(d.tensor(d.partner(a.shape)), 0.04),
      ];
    },
    expected: (args) => {
      const [c, a, b] = [x(args), x(args, 1), x(args, 2)];
      if (!c || !a || !b) return undefined;
      const inner = broadcast(c.shape, a.shape);
      const shape = inner && broadcast(inner, b.shape);
      if (!shape || c.dtype !== "bool") return "refused";
      const dtype = wider(a.dtype, b.dtype);
      const round = dtype === "float32" ? Math.fround : (v: number): number => v;
      return {
        shape,
        dtype,
        values: Array.from(indices(shape), (at) => round(stretched(stretched(c, at) ? a : b, at))),
      };
    },
  },
  sum: reduction(counting),
  prod: reduction(counting),
  mean: reduction(floating),
  norm: reduction(floating),
  logsumexp: reduction(floating),
  max: reduction(counting, true),
  min: reduction(counting, true),
  variance: reduction(floating),
  std: reduction(floating),
  argmax: position,
  argmin: position,
  cumsum: along(counting),
  cumprod: along(counting),
  softmax: along(floating, -1),
  logSoftmax: along(floating, -1),
  normalize: {
    args: (d) => {
      const t = d.tensor();
      return [d.maybe(t), d.options({ axis: d.axis(t.rank), eps: d.pick([0, 1e-5, 1]) })];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      const { axis = -1 } = args[1] as { axis?: number };
      return axisOf(axis, t.rank) === undefined ? "refused" : { shape: t.shape, dtype: floating(t.dtype) };
    },
  },
  cast: {
    args: (d) => [d.maybe(d.tensor()), d.maybe(d.dtype(), 0.1)],
    expected: (args) => x(args) && { shape: x(args)!.shape, dtype: args[1] as DType },
  },
  reshape: {
    args: (d) => {
      const t = d.tensor();
      const shape = d.pick([
        [t.size],
        [...t.shape].reverse(),
        [1, ...t.shape],
        [-1],
        [-1, 1],
        d.shape(),
        [2, -1],
        [-1, -1],
      ]);
      return [d.maybe(t, 0.04), d.maybe(shape, 0.08)];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      const shape = args[1] as number[];
      const known = sizeOf(shape.filter((n) => n !== -1));
      const open = shape.filter((n) => n === -1).length;
      if (
        open > 1 ||
        shape.some((n) => n < -1) ||
        (open === 1 && (known === 0 || t.size % known !== 0)) ||
        (open === 0 && known !== t.size)
      )
        return "refused";
      return {
        shape: shape.map((n) => (n === -1 ? t.size / known : n)),
        dtype: t.dtype,
        values: [...t.values()],
      };
    },
  },
  expand: {
    args: (d) => {
      const t = d.tensor(d.shape(0, 4));
      const shape = t.shape.map((n) => (n === 1 && d.chance(0.5) ? d.int(0, 3) : n));
      return [
        d.maybe(t, 0.04),
        d.maybe(d.chance(0.3) ? [d.int(0, 2), ...shape] : d.chance(0.1) ? d.shape() : shape, 0.08),
      ];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      const shape = args[1] as number[];
      const fits =
        t.rank <= shape.length && t.shape.every((n, i) => n === 1 || n === shape[shape.length - t.rank + i]);
      return fits
        ? moved(t, shape, (at) => t.shape.map((n, i) => (n === 1 ? 0 : at[at.length - t.rank + i]!)))
        : "refused";
    },
  },
  permute: {
    args: (d) => {
      const t = d.tensor();
      const order = t.shape.map((_, i) => i).sort(() => d.int(0, 1) - 0.5);
      return [
        d.maybe(t, 0.04),
        d.maybe(
          d.chance(0.8) ? order.map((i) => (d.chance(0.3) ? i - t.rank : i)) : (d.axes(t.rank) ?? []),
          0.08,
        ),
      ];
    },
    expected: (args) => {
      const t = x(args);
      if (!t || !Array.isArray(args[1])) return t && "refused";
      const order = axesOf(args[1], t.rank);
      if (order?.length !== t.rank) return "refused";
      return moved(
        t,
        order.map((i) => t.shape[i]!),
        (at) => t.shape.map((_, i) => at[order.indexOf(i)]!),
      );
    },
  },
  transpose: {
    args: (d) => {
      const t = d.tensor();
      return d.chance(0.3) ? [t] : [d.maybe(t, 0.04), d.maybe(d.axis(t.rank)), d.maybe(d.axis(t.rank))];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      const [a, b] = [axisOf(args[1] ?? -2, t.rank), axisOf(args[2] ?? -1, t.rank)];
      if (a === undefined || b === undefined) return "refused";
      const swap = <T>(list: readonly T[]): T[] =>
        list.map((v, i) => (i === a ? list[b]! : i === b ? list[a]! : v));
      return moved(t, swap(t.shape), swap);
    },
  },
  squeeze: {
    args: (d) => {
      const t = d.tensor();
      return [d.maybe(t, 0.04), d.maybe(d.axes(t.rank), 0.08)];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      const axes =
        args[1] === undefined ? t.shape.flatMap((n, i) => (n === 1 ? [i] : [])) : axesOf(args[1], t.rank);
      if (!axes || axes.some((i) => t.shape[i] !== 1)) return "refused";
      return { shape: t.shape.filter((_, i) => !axes.includes(i)), dtype: t.dtype, values: [...t.values()] };
    },
  },
  unsqueeze: {
    args: (d) => {
      const t = d.tensor();
      return [d.maybe(t, 0.04), d.maybe(d.axis(t.rank + 1), 0.08)];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      const axis = axisOf(args[1], t.rank + 1);
      if (axis === undefined) return "refused";
      return { shape: t.shape.toSpliced(axis, 0, 1), dtype: t.dtype, values: [...t.values()] };
    },
  },
  flip: {
    args: (d) => {
      const t = d.tensor();
      return [d.maybe(t, 0.04), d.maybe(d.axes(t.rank), 0.08)];
    },
    expected: (args) => {
      const t = x(args);
      const axes = t && axesOf(args[1], t.rank);
      if (!t) return undefined;
      return axes
        ? moved(t, t.shape, (at) => at.map((i, axis) => (axes.includes(axis) ? t.shape[axis]! - 1 - i : i)))
        : "refused";
    },
  },
  tril: triangle((i, j, k) => j - i <= k),
  triu: triangle((i, j, k) => j - i >= k),
  slice: {
    args: (d) => {
      const t = d.tensor();
      const part = (): unknown =>
        d.pick([
          null,
          d.int(-4, 4),
          [],
          [d.int(-5, 5)],
          [d.int(-5, 5), d.int(-5, 5)],
          [d.int(-5, 5), null, d.int(-3, 3)],
          [null, d.int(-5, 5), d.int(-3, 3)],
          [null, null, 1e9],
          [-1e9, 1e9, 1],
        ]);
      return [
        d.maybe(t, 0.04),
        d.maybe(
          Array.from({ length: d.int(0, t.rank + (d.chance(0.05) ? 1 : 0)) }, () => d.maybe(part(), 0.03)),
          0.05,
        ),
      ];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      const ranges = args[1] as unknown[];
      if (ranges.length > t.rank) return "refused";
      const parts = t.shape.map((n, i) => taken(ranges[i], n));
      if (parts.includes(undefined)) return "refused";
      const shape = parts.flatMap((part) => (Array.isArray(part) ? [part.length] : []));
      return moved(t, shape, (at) => {
        let next = 0;
        return parts.map((part) => (Array.isArray(part) ? part[at[next++]!]! : part!));
      });
    },
  },
  gather: {
    args: (d) => {
      const t = d.tensor(d.shape(1, 4));
      const axis = d.axis(t.rank);
      const length = t.shape.at(axis) ?? 1;
      const list = d.chance(0.9)
        ? Array.from({ length: d.int(0, 4) }, () => d.int(0, Math.max(0, length - 1)))
        : [d.int(-9, 9)];
      return [d.maybe(t, 0.04), d.maybe(list, 0.08), d.maybe(axis, 0.05)];
    },
    expected: (args) => {
      const t = x(args);
      if (!t) return undefined;
      const list = args[1] as number[];
      const axis = axisOf(args[2] ?? 0, t.rank);
      if (axis === undefined || list.some((i) => i < 0 || i >= t.shape[axis]!)) return "refused";
      return moved(t, t.shape.with(axis, list.length), (at) => at.with(axis, list[at[axis]!]!));
    },
  },
  takeAlongAxis: {
    args: (d) => {
      const t = d.tensor(d.shape(1, 4));
      const axis = d.axis(t.rank);
      const at = axisOf(axis, t.rank) ?? 0;
      const length = t.shape[at]!;
      const shape = t.shape.with(at, length === 0 ? 0 : d.int(0, 3));
      const list = Int32Array.from({ length: sizeOf(shape) }, () =>
        d.chance(0.01) ? d.int(-9, 9) : d.int(0, Math.max(0, length - 1)),
      );
      return [d.maybe(t, 0.04), d.maybe(tensor(list, { shape }), 0.06), d.maybe(axis, 0.04)];
    },
    expected: (args) => {
      const [t, list] = [x(args), x(args, 1)];
      if (!t || !list) return undefined;
      const axis = axisOf(args[2] ?? -1, t.rank);
      if (
        axis === undefined ||
        list.dtype !== "int32" ||
        list.rank !== t.rank ||
        list.shape.some((n, i) => i !== axis && n !== t.shape[i])
      )
        return "refused";
      if (list.values().some((i) => i < 0 || i >= t.shape[axis]!)) return "refused";
      return moved(t, list.shape, (at) => at.with(axis, entry(list, at)));
    },
  },
  scatterAdd: {
    args: (d) => {
      const t = d.tensor(d.shape(1, 3));
      const axis = d.axis(t.rank);
      const at = axisOf(axis, t.rank) ?? 0;
      const list = Array.from({ length: t.shape[at] === 0 ? 0 : d.int(0, 4) }, () =>
        d.int(0, t.shape[at]! - 1),
      );
      return [
        d.maybe(t, 0.04),
        d.maybe(list, 0.06),
        d.maybe(d.tensor(t.shape.with(at, list.length)), 0.06),
        d.maybe(axis, 0.05),
      ];
    },
    expected: (args) => {
      const [t, updates] = [x(args), x(args, 2)];
      if (!t || !updates) return undefined;
      const list = args[1] as number[];
      const axis = axisOf(args[3] ?? 0, t.rank);
      if (axis === undefined || list.some((i) => i < 0 || i >= t.shape[axis]!)) return "refused";
      if (String(t.shape.with(axis, list.length)) !== String(updates.shape)) return "refused";
      return { shape: t.shape, dtype: counting(wider(t.dtype, updates.dtype)) };
    },
  },
  concat: {
    args: (d) => {
      const t = d.tensor(d.shape(1));
      const axis = d.axis(t.rank);
      const at = axisOf(axis, t.rank) ?? 0;
      const list = Array.from({ length: d.int(0, 3) }, () =>
        d.maybe(d.tensor(d.chance(0.05) ? d.shape() : t.shape.with(at, d.int(0, 3))), 0.03),
      );
      return [d.maybe([t, ...list], 0.05), d.maybe(axis, 0.05)];
    },
    expected: (args) => {
      const list = args[0] as Tensor[];
      if (!list.every(isTensor)) return undefined;
      const axis = axisOf(args[1] ?? 0, list[0]!.rank);
      if (
        axis === undefined ||
        list.some(
          (t) => t.rank !== list[0]!.rank || t.shape.some((n, i) => i !== axis && n !== list[0]!.shape[i]),
        )
      )
        return "refused";
      return {
        shape: list[0]!.shape.with(
          axis,
          list.reduce((n, t) => n + t.shape[axis]!, 0),
        ),
        dtype: list.map((t) => t.dtype).reduce(wider),
      };
    },
  },
  stack: {
    args: (d) => {
      const t = d.tensor(d.shape(0, 5));
      const list = Array.from({ length: d.int(0, 3) }, () =>
        d.maybe(d.tensor(d.chance(0.05) ? d.shape() : t.shape), 0.03),
      );
      return [d.maybe([t, ...list], 0.05), d.maybe(d.axis(t.rank + 1), 0.05)];
    },
    expected: (args) => {
      const list = args[0] as Tensor[];
      if (!list.every(isTensor)) return undefined;
      const axis = axisOf(args[1] ?? 0, list[0]!.rank + 1);
      if (
        axis === undefined ||
        list.some((t) => String(t.shape) !== String(list[0]!.shape) || t.rank !== list[0]!.rank)
      )
        return "refused";
      return {
        shape: list[0]!.shape.toSpliced(axis, 0, list.length),
        dtype: list.map((t) => t.dtype).reduce(wider),
      };
    },
  },
  split: {
    args: (d) => {
      const t = d.tensor(d.shape(1));
      const axis = d.axis(t.rank);
      const length = t.shape.at(axis) ?? 2;
      const first = d.int(0, length);
      return [
        d.maybe(t, 0.04),
        d.maybe(
          d.pick<unknown>([1, Math.max(1, length), [first, length - first], [length], d.int(0, 4), [1, 1]]),
          0.08,
        ),
        d.maybe(axis, 0.05),
      ];
    },
  },
  pad: {
    args: (d) => {
      const t = d.tensor(d.shape(0, 4));
      return [
        d.maybe(t, 0.04),
        d.maybe(
          t.shape.map(() => d.maybe([d.maybe(d.int(0, 2), 0.03), d.int(0, 2)], 0.02)),
          0.05,
        ),
        d.maybe(d.int(-2, 2), 0.1),
      ];
    },
    expected: (args) => {
      const t = x(args);
      const widths = args[1] as [number, number][];
      if (!t) return undefined;
      const value = (args[2] ?? 0) as number;
      return moved(
        t,
        t.shape.map((n, i) => n + widths[i]![0] + widths[i]![1]),
        (at) => {
          const place = at.map((i, axis) => i - widths[axis]![0]);
          return place.every((i, axis) => i >= 0 && i < t.shape[axis]!)
            ? place
            : t.dtype === "bool"
              ? Number(value !== 0)
              : value;
        },
      );
    },
  },
  matmul: {
    args: (d) => {
      const [m, k, n] = [d.int(0, 3), d.int(0, 4), d.int(0, 3)];
      const batch = d.shape(0, 3);
      const [tA, tB] = [d.chance(0.2), d.chance(0.2)];
      const a = d.chance(0.2) ? [k] : [...batch, ...(tA ? [k, m] : [m, k])];
      const b = d.chance(0.2) ? [k] : [...d.partner(batch), ...(tB ? [n, k] : [k, n])];
      return [
        d.maybe(d.tensor(d.chance(0.05) ? d.shape() : a), 0.04),
        d.maybe(d.tensor(b), 0.04),
        d.chance(0.03) ? d.hostile() : { transposeA: tA, transposeB: tB },
      ];
    },
    expected: (args) => {
      const [a, b] = [x(args), x(args, 1)];
      if (!a || !b) return undefined;
      const { transposeA = false, transposeB = false } = args[2] as {
        transposeA?: boolean;
        transposeB?: boolean;
      };
      if (a.rank === 0 || b.rank === 0) return "refused";
      if ((a.rank === 1 && transposeA) || (b.rank === 1 && transposeB)) return undefined;
      const left =
        a.rank === 1
          ? [1, a.shape[0]!]
          : transposeA
            ? [...a.shape.slice(0, -2), a.shape.at(-1)!, a.shape.at(-2)!]
            : a.shape;
      const right =
        b.rank === 1
          ? [b.shape[0]!, 1]
          : transposeB
            ? [...b.shape.slice(0, -2), b.shape.at(-1)!, b.shape.at(-2)!]
            : b.shape;
      const batch = broadcast(left.slice(0, -2), right.slice(0, -2));
      if (!batch || left.at(-1) !== right.at(-2)) return "refused";
      return {
        shape: [...batch, ...(a.rank === 1 ? [] : [left.at(-2)!]), ...(b.rank === 1 ? [] : [right.at(-1)!])],
        dtype: floating(wider(a.dtype, b.dtype)),
      };
    },
  },
  einsum: {
    args: (d) => {
      const [i, j, k] = [d.int(0, 3), d.int(0, 3), d.int(0, 3)];
      const [text, ...shapes] = d.pick<[string, ...number[][]]>([
        ["ij,jk->ik", [i, j], [j, k]],
        ["ii->i", [i, i]],
        ["ij->j", [i, j]],
        ["i,i", [i], [i]],
        ["ij,ij,j->", [i, j], [i, j], [j]],
        ["bij,bjk->bik", [2, i, j], [2, j, k]],
        ["->", []],
        ["ij->ji", [i, j]],
        ["ij->iik", [i, j]],
        ["i..j", [i, j]],
        ["ij", [i]],
      ]);
      return [d.maybe(text, 0.06), ...shapes.map((shape) => d.maybe(d.tensor(shape), 0.05))];
    },
  },
  cholesky: { args: (d) => [d.maybe(square(d), 0.06)] },
  svd: {
    args: (d) => [
      d.maybe(
        d.tensor(d.shape(1, 4), { dtypes: ["float32", "float64", "float64"], plain: d.chance(0.8) }).detach(),
        0.06,
      ),
    ],
  },
  solveTriangular: {
    args: (d) => {
      const t = square(d);
      const b = d.chance(0.9) ? floats(d, t.shape.with(-1, d.int(0, 3))).cast(t.dtype) : d.tensor();
      return [
        d.maybe(t, 0.04),
        d.maybe(b, 0.04),
        d.options({ upper: d.chance(0.5), transpose: d.chance(0.5) }),
      ];
    },
  },
};
