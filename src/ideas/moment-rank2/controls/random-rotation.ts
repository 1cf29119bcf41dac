import { tensor, type Tensor } from "../../../autograd/index.js";
import type { Generator } from "../../../random/index.js";
import type { Control, HiddenChange } from "../../idea.js";
import { orthonormalRows } from "../../orthonormal-rows.js";
import { completeSettings } from "../settings.js";
import { stateCompression } from "../state-compression.js";
import { checkStates, units } from "../state-grid.js";

/**
 * A uniformly distributed orthogonal matrix, `[size, size]`: normal numbers made orthonormal row by row.
 *
 * Source: G. W. Stewart, "The Efficient Generation of Random Orthogonal Matrices" (1980).
 */
export function randomOrthogonal(rng: Generator, size: number): Float64Array {
  const rows = rng.normals(size * size);
  orthonormalRows(rows, size, size);
  return rows;
}

/** h → C(h Qᵀ) Q for an orthogonal Q `[64, 64]`: C in other coordinates. */
export function rotated(change: HiddenChange, q: Float64Array): HiddenChange {
  return (hidden: Tensor): Tensor => {
    checkStates(hidden);
    const rotation = tensor(q, { shape: [units, units], dtype: hidden.dtype });
    return change(hidden.matmul(rotation.transpose())).matmul(rotation);
  };
}

/** The idea in random coordinates: a rotation of the state, drawn once for each model, before it is read over its grid, and back. */
export const randomRotation: Control = {
  name: "random-rotation",
  title: "the compression in random coordinates",
  statement: "C(H) = Qᵀ C_idea(Q h), Q a random orthogonal 64×64 matrix",
  why: "reading the units in their order as an 8×8 grid means nothing: any other arrangement does as well",
  change(options, rng) {
    const compress = stateCompression(completeSettings(options));
    return { hidden: rotated(compress, randomOrthogonal(rng, units)) };
  },
};
