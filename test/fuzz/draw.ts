import { tensor, Tensor } from "../../src/autograd/index.js";
import { generator, type Generator } from "../../src/random/index.js";
import { isFloating, type DType } from "../../src/tensor/index.js";

/** What an object of the caller throws when it is looked at; it may come out of any call as it is. */
export class CallersError extends Error {}

const throws = (): never => {
  throw new CallersError("thrown by what the caller passed");
};

/** A list that contains itself. */
function circular(): unknown[] {
  const list: unknown[] = [1];
  list.push(list);
  return list;
}

/** Values that no function expects. */
const hostile: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => NaN,
  () => -1,
  () => 1.5,
  () => -0,
  () => 1e9,
  () => 1e300,
  () => -1e300,
  () => Infinity,
  () => -Infinity,
  () => 2 ** 31,
  () => 2 ** 53,
  () => "",
  () => "x",
  () => "0",
  () => "length",
  () => true,
  () => 10n,
  () => Symbol("x"),
  () => () => 1,
  () => ({}),
  () => Object.create(null) as unknown,
  () => [],
  () => [[]],
  () => [undefined],
  () => [null],
  () => [NaN],
  () => [1.5],
  () => [-1],
  () => [1e9],
  () => [1e9, 1e9],
  () => [0, 0],
  () => ["x"],
  () => [[1, 2], [3]],
  () => [1, [2]],
  () => new Array<number>(3),
  () => [0, , 1], // eslint-disable-line no-sparse-arrays
  () => circular(),
  () => ({ length: 3 }),
  () => ({ length: 1e9 }),
  () => ({ length: -1 }),
  () => ({ shape: [2], dtype: "float32", array: {} }),
  () => ({ then: 1 }),
  () => new Map([[1, 2]]),
  () => new Set([1]),
  () => new Date(NaN),
  () => /x/,
  () => new Error("x"),
  () => new Int8Array(2),
  () => new Float32Array(0),
  () => new Float64Array([NaN, 1]),
  () => new Int32Array([0, 1]),
  () => new BigInt64Array(2),
  () => new DataView(new ArrayBuffer(8)),
  () => new ArrayBuffer(8),
  () => Promise.resolve(1),
  () => ({
    get shape(): never {
      return throws();
    },
    get length(): never {
      return throws();
    },
    get axis(): never {
      return throws();
    },
    get lr(): never {
      return throws();
    },
    get dtype(): never {
      return throws();
    },
    get rng(): never {
      return throws();
    },
  }),
  () => new Proxy({}, { get: throws, has: throws, ownKeys: throws, getPrototypeOf: throws }),
  () => new Proxy([1, 2], { get: throws }),
  () => new Proxy(() => 1, { apply: throws }),
  () => ({ [Symbol.toPrimitive]: throws, toString: throws, valueOf: throws }),
  () => [{ [Symbol.toPrimitive]: throws, toString: throws }],
  () => tensor([1, 2]),
  () => tensor(Int32Array.of(0, 1)),
  () => tensor([[true, false]]),
  () => tensor([]),
  () => tensor(NaN),
];

const special = [0, -0, 1, -1, 0.5, 2, -3, NaN, Infinity, -Infinity, 1e-45, -1e-42, 5e-324, 1e38, -3e38, 1e300, 2 ** 31, 2 ** 53]; // prettier-ignore
const plain = [0, 1, -1, 2, -2, 0.5, -0.25, 3];

export interface TensorOptions {
  readonly dtypes?: readonly DType[];
  /** Only small numbers that are computed with exactly. */
  readonly plain?: boolean;
}

/** Random choices from one seed, the same wherever they are drawn. */
export class Draw {
  readonly #rng: Generator;
  /** Whether something hostile was drawn since this was set to false. */
  wasHostile = false;

  constructor(seed: string) {
    this.#rng = generator(seed);
  }

  /** A whole number from low to high. */
  int(low: number, high: number): number {
    return this.#rng.integer(low, high + 1);
  }

  chance(p: number): boolean {
    return this.#rng.uniform() < p;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }

  hostile(): unknown {
    this.wasHostile = true;
    return this.pick(hostile)();
  }

  /** The value, or now and then something that it must not be. */
  maybe<T>(value: T, p = 0.06): T {
    return this.chance(p) ? (this.hostile() as T) : value;
  }

  number(): number {
    return this.pick(special);
  }

  /** Up to six axes, together at most 300 elements. */
  shape(least = 0, most = 6): number[] {
    const rank = Math.max(least, Math.min(most, this.pick([0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6])));
    const shape: number[] = [];
    for (let axis = 0, size = 1; axis < rank; axis++) {
      const length = this.pick([0, 1, 1, 2, 2, 3, 3, 4, 7]);
      shape.push(size * length > 300 ? 1 : length);
      size *= Math.max(1, shape[axis]!);
    }
    return shape;
  }

  /** A shape that broadcasts with this one, or not. */
  partner(shape: readonly number[]): number[] {
    if (this.chance(0.1)) return this.shape();
    const own = shape.map((length) => (this.chance(0.25) ? 1 : length));
    const from = this.chance(0.4) ? this.int(0, own.length) : 0;
    return this.chance(0.1) && own.length < 5 ? [this.int(1, 2), ...own] : own.slice(from);
  }

  dtype(): DType {
    return this.pick(["float32", "float32", "float64", "int32", "bool"]);
  }

  tensor(
    shape: readonly number[] = this.shape(),
    { dtypes, plain: exact = this.chance(0.4) }: TensorOptions = {},
  ): Tensor {
    const dtype = dtypes ? this.pick(dtypes) : this.dtype();
    const size = shape.reduce((a, b) => a * b, 1);
    const values = Float64Array.from({ length: size }, () => this.pick(exact ? plain : special));
    const x = tensor(values, { shape: [...shape] }).cast(dtype);
    return isFloating(dtype) && this.chance(0.5) ? new Tensor(x.array, true) : new Tensor(x.array);
  }

  /** An axis of a rank, sometimes one outside. */
  axis(rank: number): number {
    return this.chance(0.1) ? this.int(-9, 9) : rank === 0 ? 0 : this.int(-rank, rank - 1);
  }

  axes(rank: number): number | number[] | undefined {
    if (this.chance(0.3)) return undefined;
    if (this.chance(0.5)) return this.axis(rank);
    return Array.from({ length: this.int(0, rank) }, () => this.axis(rank));
  }

  /** Options, each left out, as it should be, or wrong. */
  options(entries: Readonly<Record<string, unknown>>, leftOut = 0.5): unknown {
    if (this.chance(0.04)) return this.hostile();
    const found: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(entries))
      if (!this.chance(leftOut)) found[name] = this.maybe(value, 0.08);
    return found;
  }
}
