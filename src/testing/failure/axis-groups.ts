import type { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";

/** Axes that are shortened together. */
export type AxisGroup = readonly { readonly input: number; readonly axis: number }[];

/** Axes of more than one slice that may have to move together: those of one name, or of one length, and then each alone. */
export function axisGroups(inputs: readonly Tensor[], signature?: string): AxisGroup[] {
  const names = signature === undefined ? undefined : namedAxes(signature);
  const groups = new Map<string, AxisGroup[number][]>();
  const single: AxisGroup[] = [];
  inputs.forEach((x, input) =>
    x.shape.forEach((length, axis) => {
      if (length < 2) return;
      const own = names?.[input];
      const name = own ? own[axis - x.rank + own.length] : undefined;
      const key = name ?? (names ? `${input} ${axis}` : String(length));
      const group = groups.get(key) ?? [];
      group.push({ input, axis });
      groups.set(key, group);
      if (!names) single.push([{ input, axis }]);
    }),
  );
  const together = [...groups.values()];
  const alone = single.filter(([at]) => !together.some((group) => group.length === 1 && group[0] === at));
  return [...together, ...alone];
}

/** The names of the axes of each input: `(m,n),(n,p)->(m,p)` is `[["m", "n"], ["n", "p"]]`. Throws `E_VALUE` for anything else. */
export function namedAxes(signature: string): string[][] {
  const inputs = signature.split("->")[0]!.replace(/\s+/g, "");
  if (!/^\([^()]*\)(?:,\([^()]*\))*$/.test(inputs))
    fail("E_VALUE", `expected a signature such as "(m,n),(n,p)->(m,p)", got "${signature}"`);
  return [...inputs.matchAll(/\(([^()]*)\)/g)].map(([, names]) => (names === "" ? [] : names!.split(",")));
}

/** Which slices of an axis to keep: one, either half, then all but one. */
export function keptSlices(length: number): number[][] {
  if (length < 2) return [];
  const all = Array.from({ length }, (_, i) => i);
  const half = Math.ceil(length / 2);
  const singles = length <= 8 ? all.map((i) => [i]) : [[0], [length - 1]];
  const allButOne = length <= 16 ? all.map((i) => all.filter((other) => other !== i)) : [];
  return [...singles, all.slice(0, half), all.slice(half), ...(length > 2 ? allButOne : [])];
}
