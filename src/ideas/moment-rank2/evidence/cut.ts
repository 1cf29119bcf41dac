import { Tensor } from "../../../autograd/index.js";
import { allocate, NDArray, type FloatDType, type Floats } from "../../../tensor/index.js";
import { compress } from "../kernel/compression.js";
import type { MomentProjector } from "../moment-projector.js";
import type { Settings } from "../settings.js";

/** What a compression truncates and what the truncation leaves of it, `[batch, rows, columns]` each. */
export interface Cut {
  /** R: (I−P) H in form B, H in form A. */
  readonly remainder: Tensor;
  /** T_r(R). */
  readonly truncated: Tensor;
  /** The singular values of R, `[batch, k]`, descending. */
  readonly spectrum: { readonly s: Floats; readonly k: number };
}

/** The cut that the settings ask for, without asking the layer that is judged by it. */
export function cutOf({ form, rank }: Settings, projector: MomentProjector, h: Tensor): Cut {
  const remainder = form === "B" ? projector.remove(h) : h;
  const [rows, columns] = [h.shape.at(-2)!, h.shape.at(-1)!];
  const data = remainder.array.data as Floats;
  const dtype = h.dtype as FloatDType;
  const out = allocate(dtype, data.length);
  const plain = { rows, columns, rank, ofRemainder: false, count: 0, elements: allocate(dtype, 0) };
  const { s, k } = compress(plain, data, out);
  return { remainder, truncated: new Tensor(new NDArray(h.shape, dtype, out)), spectrum: { s, k } };
}
