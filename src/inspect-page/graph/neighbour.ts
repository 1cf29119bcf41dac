import type { PlacedBox } from "./drawing.js";

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** The nearest box in a direction, what lies straight ahead before what lies aside; undefined where there is none. */
export function neighbour(
  boxes: readonly PlacedBox[],
  from: PlacedBox,
  direction: Direction,
): PlacedBox | undefined {
  const vertical = direction === "ArrowUp" || direction === "ArrowDown";
  const sign = direction === "ArrowDown" || direction === "ArrowRight" ? 1 : -1;
  let best: { box: PlacedBox; distance: number } | undefined;
  for (const box of boxes) {
    const [dx, dy] = [middleX(box) - middleX(from), middleY(box) - middleY(from)];
    const [ahead, aside] = vertical ? [dy * sign, Math.abs(dx)] : [dx * sign, Math.abs(dy)];
    if (ahead < 8 || box === from) continue;
    const distance = ahead + 2.5 * aside;
    if (!best || distance < best.distance) best = { box, distance };
  }
  return best?.box;
}

const middleX = ({ x, width }: PlacedBox): number => x + width / 2;
const middleY = ({ y, height }: PlacedBox): number => y + height / 2;
