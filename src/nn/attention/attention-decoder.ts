import { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import {
  allocate,
  formatShape,
  kernels,
  NDArray,
  reserve,
  type FloatDType,
  type Floats,
  type HeadRows,
} from "../../tensor/index.js";
import { checkTensor } from "../check-input.js";

/**
 * Causal attention one token after another: `step` gives for each token what causal attention over all of them gives in its row.
 * It remembers what it needs of the tokens before.
 */
export interface AttentionDecoder {
  /** The tokens so far. */
  readonly tokens: number;
  /** The bytes that it remembers them in: those in use, not those set aside. */
  readonly bytes: number;
  /** q, k, v `[batch, heads, 1, d]` of the next token → `[batch, heads, 1, d]`, a constant. */
  step(q: Tensor, k: Tensor, v: Tensor): Tensor;
}

/** Rows of several heads that grow one after another, `[stacks, capacity, columns]`; the capacity doubles. */
class GrowingRows {
  capacity = 0;
  rows: Floats;

  constructor(
    readonly dtype: FloatDType,
    readonly stacks: number,
    readonly columns: number,
  ) {
    this.rows = allocate(dtype, 0);
  }

  /** Writes row `at` of every stack. */
  put(at: number, values: Floats): void {
    const { stacks, columns } = this;
    if (at >= this.capacity) this.#grow();
    for (let stack = 0; stack < stacks; stack++) {
      const to = (stack * this.capacity + at) * columns;
      this.rows.set(values.subarray(stack * columns, (stack + 1) * columns), to);
    }
  }

  #grow(): void {
    const { stacks, columns, capacity, rows } = this;
    const wider = Math.max(16, 2 * capacity);
    const grown = allocate(this.dtype, stacks * wider * columns);
    for (let stack = 0; stack < stacks; stack++) {
      const from = stack * capacity * columns;
      grown.set(rows.subarray(from, from + capacity * columns), stack * wider * columns);
    }
    this.capacity = wider;
    this.rows = grown;
  }
}

/**
 * The keys and values so far: exact softmax attention of one token to them and to itself, in O(tokens) time and memory. The same
 * bits as `attention` with `causal: true` over all tokens.
 *
 * Source: Shazeer, "Fast Transformer Decoding", arXiv 1911.02150, section 2.3.
 */
export class KeyValueCache implements AttentionDecoder {
  #tokens = 0;
  #keys: GrowingRows | undefined;
  #values: GrowingRows | undefined;

  get tokens(): number {
    return this.#tokens;
  }

  get bytes(): number {
    const rows = [this.#keys, this.#values];
    return rows.reduce((sum, each) => {
      if (!each) return sum;
      return sum + this.#tokens * each.stacks * each.columns * (each.dtype === "float32" ? 4 : 8);
    }, 0);
  }

  /**
   * q, k `[batch, heads, 1, d]`, v `[batch, heads, 1, width]` → `[batch, heads, 1, width]`.
   *
   * @throws E_SHAPE, E_DTYPE unless they are one token of the sizes and type of those before
   */
  step(q: Tensor, k: Tensor, v: Tensor): Tensor {
    const [batch, heads] = checkToken("KeyValueCache", q, k, v);
    const stacks = batch * heads;
    const [features, width] = [k.shape[3]!, v.shape[3]!];
    const dtype = q.dtype as FloatDType;
    const keys = (this.#keys ??= new GrowingRows(dtype, stacks, features));
    const values = (this.#values ??= new GrowingRows(dtype, stacks, width));
    if (
      keys.stacks !== stacks ||
      keys.columns !== features ||
      values.columns !== width ||
      keys.dtype !== dtype
    ) {
      fail(
        "E_SHAPE",
        `KeyValueCache: expected ${keys.stacks} heads of ${keys.columns} and ${values.columns} in ${keys.dtype} as before, got ` +
          `${formatShape(k.shape)} and ${formatShape(v.shape)} in ${dtype}; use a new cache for another batch`,
      );
    }
    keys.put(this.#tokens, k.array.data as Floats);
    values.put(this.#tokens, v.array.data as Floats);
    this.#tokens++;
    const out = reserve(dtype, stacks * width);
    const rows = (n: number, columns: number): HeadRows => ({
      start: 0,
      batch: heads * n * columns,
      head: n * columns,
      row: columns,
    });
    kernels().attention(
      {
        batch,
        heads,
        queries: 1,
        keys: this.#tokens,
        features,
        width,
        q: rows(1, features),
        k: rows(keys.capacity, features),
        v: rows(values.capacity, width),
        out: rows(1, width),
        mask: undefined,
        causal: false,
      },
      {
        q: q.array.data as Floats,
        k: keys.rows,
        v: values.rows,
        hidden: undefined,
        out,
        weights: undefined,
      },
    );
    return new Tensor(new NDArray([batch, heads, 1, width], dtype, out));
  }
}

/** Checks that q, k and v are one token of several heads; returns how many batch elements and heads. Throws E_SHAPE, E_DTYPE. */
export function checkToken(name: string, q: Tensor, k: Tensor, v: Tensor): [batch: number, heads: number] {
  for (const [part, x] of Object.entries({ q, k, v })) checkTensor(name, part, x);
  const [batch, heads, one, features] = q.shape;
  const alike = [k, v].every(
    (x) => x.rank === 4 && [batch, heads, one].every((size, axis) => size === x.shape[axis]),
  );
  if (q.rank !== 4 || one !== 1 || !alike || k.shape[3] !== features) {
    fail(
      "E_SHAPE",
      `${name}: expected q and k [batch, heads, 1, d] and v [batch, heads, 1, width] of one token, got ` +
        [q, k, v].map((x) => formatShape(x.shape)).join(", "),
    );
  }
  const floats = q.dtype === "float32" || q.dtype === "float64";
  if (!floats || k.dtype !== q.dtype || v.dtype !== q.dtype) {
    fail(
      "E_DTYPE",
      `${name}: expected q, k and v all float32 or all float64, got ${q.dtype}, ${k.dtype}, ${v.dtype}`,
    );
  }
  return [batch!, heads!];
}
