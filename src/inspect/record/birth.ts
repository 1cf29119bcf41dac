import type { NDArray } from "../../tensor/index.js";
import type { Birth } from "../document.js";
import { toJson } from "../json-number.js";
import { elementwiseOperations } from "../operation-text.js";
import { indexOf, placeOf } from "./element.js";

const hasNaN = ({ data }: NDArray): boolean => data.some(Number.isNaN);
const isFinite = ({ data }: NDArray): boolean => data.every(Number.isFinite);

/** Where an operation made a NaN or an infinity itself: NaN of what is none, an infinity of what is finite. */
export function birthOfValue(name: string, inputs: readonly NDArray[], output: NDArray): Birth | undefined {
  const elementwise = elementwiseOperations.has(name);
  const operands = (place: number): number[] => operandsAt(inputs, output.shape, place);
  if (elementwise)
    return firstBirth(
      output,
      (value, place) =>
        operands(place).some((x) => Number.isNaN(x) || (!Number.isNaN(value) && !Number.isFinite(x))),
      operands,
    );
  const [anyNaN, allFinite] = [inputs.some(hasNaN), inputs.every(isFinite)];
  return firstBirth(output, (value) => anyNaN || (!Number.isNaN(value) && !allFinite));
}

/** Where a rule made a NaN or an infinity of a finite cotangent. */
export function birthOfPart(
  name: string,
  inputs: readonly NDArray[],
  output: NDArray,
  upstream: NDArray,
  part: NDArray,
): Birth | undefined {
  if (!elementwiseOperations.has(name) || part.size !== output.size)
    return isFinite(upstream) ? firstBirth(part, () => false) : undefined;
  return firstBirth(
    part,
    (_, place) => !Number.isFinite(upstream.data[place]!),
    (place) => operandsAt(inputs, output.shape, place),
  );
}

function operandsAt(inputs: readonly NDArray[], shape: readonly number[], place: number): number[] {
  const index = indexOf(place, shape);
  return inputs.map((x) => x.data[placeOf(index, x.shape)]!);
}

/** The first NaN that was not inherited, else the first infinity. */
function firstBirth(
  out: NDArray,
  inherited: (value: number, place: number) => boolean,
  operands?: (place: number) => number[],
): Birth | undefined {
  const first = new Map<Birth["kind"], { place: number; count: number }>();
  for (let place = 0; place < out.size; place++) {
    const value = out.data[place]!;
    if (Number.isFinite(value) || inherited(value, place)) continue;
    const kind = String(value) as Birth["kind"];
    const known = first.get(kind);
    if (known) known.count++;
    else first.set(kind, { place, count: 1 });
  }
  const [kind, found] =
    [...first].find(([one]) => one === "NaN") ??
    [...first].sort(([, a], [, b]) => a.place - b.place)[0] ??
    [];
  if (!kind || !found) return undefined;
  return {
    kind,
    element: indexOf(found.place, out.shape),
    count: found.count,
    ...(operands && { operands: operands(found.place).map(toJson) }),
  };
}
