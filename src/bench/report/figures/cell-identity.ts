import type { CellFigures } from "../document-v2.js";
import { canonicalText } from "../serialize.js";

/** What tells a training cell of a report from every other; one without a part was evaluated on the test part. */
export function cellIdentity({
  arm,
  cfg,
  seed,
  evaluated = "test",
}: Pick<CellFigures, "arm" | "cfg" | "seed" | "evaluated">): string {
  return `${arm} ${canonicalText(cfg)} ${seed} ${evaluated}`;
}
