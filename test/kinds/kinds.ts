import { axes } from "./axes.js";
import { branches } from "./branches.js";
import { empty } from "./empty.js";
import { infiniteRows } from "./infinite-rows.js";
import { masks } from "./masks.js";
import { repeats } from "./repeats.js";
import { optimizers } from "./optimizers.js";
import { precision } from "./precision.js";
import { graphs } from "./graphs.js";
import { recurrent } from "./recurrent.js";
import type { Kind } from "./place.js";
import { products } from "./products.js";
import { zeros } from "./zeros.js";

/**
 * For each case on which other libraries were wrong: what else could have the same fault, and a test of each. A case
 * without a kind fails kinds.test.ts.
 */
export const kinds: Readonly<Record<string, Kind>> = {
  ...recurrent,
  ...graphs,
  ...precision,
  ...optimizers,
  ...repeats,
  ...axes,
  ...empty,
  ...branches,
  ...infiniteRows,
  ...masks,
  ...products,
  ...zeros,
};
