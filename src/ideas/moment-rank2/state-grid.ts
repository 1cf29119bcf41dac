import type { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape } from "../../tensor/index.js";

/** The velocity grid that the 64 hidden units of `rnn_small` are read over, row by row, unless the option `grid` has another. */
export const stateGrid = { rows: 8, columns: 8 } as const;

/** The hidden units of `rnn_small`. */
export const units = stateGrid.rows * stateGrid.columns;

/** The points of each mode of a grid such as `8x8` or `4x4x4`. E_VALUE unless they are 64 points in two modes or more. */
export function gridShape(grid: unknown): readonly number[] {
  const shape = typeof grid === "string" ? grid.split("x").map(Number) : [];
  const points = shape.reduce((product, each) => product * each, 1);
  if (shape.length < 2 || points !== units || shape.some((each) => !Number.isInteger(each) || each < 2)) {
    fail(
      "E_VALUE",
      `moment-rank2: grid must have ${units} points in two modes or more, such as "8x8", "16x4", "4x4x4" or ` +
        `"2x2x2x2x2x2", not ${String(grid)}`,
    );
  }
  return shape;
}

/** `[batch, 64]` → `[batch, rows, columns]`, 8×8 where no grid is given. E_SHAPE for any other number of units. */
export function asMatrices(
  hidden: Tensor,
  { rows, columns }: { readonly rows: number; readonly columns: number } = stateGrid,
): Tensor {
  checkStates(hidden);
  return hidden.reshape([hidden.shape[0]!, rows, columns]);
}

/** E_SHAPE unless the states are `[batch, 64]`. */
export function checkStates(hidden: Tensor): void {
  if (hidden.rank !== 2 || hidden.shape[1] !== units) {
    fail(
      "E_SHAPE",
      `moment-rank2: expected hidden states [batch, ${units}], got ${formatShape(hidden.shape)}`,
    );
  }
}
