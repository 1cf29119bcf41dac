import type { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape } from "../../tensor/index.js";

/** The velocity grid that the 64 hidden units of `rnn_small` are read over, row by row. */
export const stateGrid = { rows: 8, columns: 8 } as const;

/** `[batch, 64]` → `[batch, 8, 8]`. E_SHAPE for any other number of units. */
export function asMatrices(hidden: Tensor): Tensor {
  checkStates(hidden);
  return hidden.reshape([hidden.shape[0]!, stateGrid.rows, stateGrid.columns]);
}

/** E_SHAPE unless the states are `[batch, 64]`. */
export function checkStates(hidden: Tensor): void {
  const { rows, columns } = stateGrid;
  if (hidden.rank !== 2 || hidden.shape[1] !== rows * columns) {
    fail(
      "E_SHAPE",
      `moment-rank2: expected hidden states [batch, ${rows * columns}], to be read as ${rows}×${columns}, ` +
        `got ${formatShape(hidden.shape)}`,
    );
  }
}
