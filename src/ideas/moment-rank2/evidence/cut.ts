import { noGrad, Tensor } from "../../../autograd/index.js";
import { allocate, NDArray, reserve, type FloatDType, type Floats } from "../../../tensor/index.js";
import { cutsOf } from "../dimension-tree.js";
import { treeOf } from "../grid-layer.js";
import { compress } from "../kernel/compression.js";
import type { MomentProjector } from "../moment-projector.js";
import type { Settings } from "../settings.js";
import { asMatrix, fromMatrix } from "../truncate-hierarchically.js";

/** The singular values of matrices that are truncated, `[batch, k]`, descending, of which the first `rank` are kept. */
export interface Spectrum {
  readonly s: Floats;
  readonly k: number;
  readonly rank: number;
}

/** What a compression truncates and what the truncation leaves of it, `[batch, rows, columns]` each. */
export interface Cut {
  /** R: (I−P) H in form B, H in form A. */
  readonly remainder: Tensor;
  /** T(R). */
  readonly truncated: Tensor;
  /** The singular values of R, for a tensor those of each matrix that is truncated in its turn. */
  readonly spectra: readonly Spectrum[];
}

/**
 * The cut that the settings ask for, without asking the layer that is judged by it. H holds the weight already. Inside a scope it
 * lasts as long as the scope.
 */
export function cutOf(settings: Settings, projector: MomentProjector, h: Tensor): Cut {
  return noGrad(() => {
    const remainder = settings.form === "B" ? projector.remove(h) : h;
    const spectra: Spectrum[] = [];
    const truncated = cutsOf(treeOf(settings)).reduce((x, node) => {
      const { matrices, spectrum } = cutAt(asMatrix(x, node), node.rank);
      spectra.push(spectrum);
      return fromMatrix(matrices, node);
    }, remainder);
    return { remainder, truncated: truncated.reshape(h.shape), spectra };
  });
}

/** T_r of matrices `[batch, rows, columns]`, and their singular values. */
function cutAt(x: Tensor, rank: number): { readonly matrices: Tensor; readonly spectrum: Spectrum } {
  const [rows, columns] = [x.shape.at(-2)!, x.shape.at(-1)!];
  const data = x.array.data as Floats;
  const dtype = x.dtype as FloatDType;
  const out = reserve(dtype, data.length);
  const plain = { rows, columns, rank, ofRemainder: false, count: 0, elements: allocate(dtype, 0) };
  const { s, k } = compress(plain, data, out);
  return { matrices: new Tensor(new NDArray(x.shape, dtype, out)), spectrum: { s, k, rank } };
}
