import type { NDArray } from "../../tensor/index.js";
import type { DeadUnits } from "../document.js";

/** With fewer rows than this, a unit that is 0 in all of them says little. */
const fewestRows = 16;

/** Units of a relu, columns of its last axis, that are 0 in every row while others are not; undefined when there are none. */
export function deadUnitsOf(name: string, { data, shape, size }: NDArray): DeadUnits | undefined {
  const units = shape.at(-1) ?? 1;
  const rows = size / units;
  if (name !== "relu" || shape.length < 2 || !(rows >= fewestRows)) return undefined;
  const live = new Uint8Array(units);
  // Also a NaN is no 0.
  for (let i = 0; i < size; i++) if (data[i] !== 0) live[i % units] = 1;
  const dead = [...live.keys()].filter((unit) => live[unit] === 0);
  return dead.length === 0 || dead.length === units
    ? undefined
    : { count: dead.length, units, first: dead[0]!, rows };
}
