import type { LawPart, LawResult } from "../../src/testing/index.js";

/** The results of many samples as one: for each thing that was compared the worst error, and how many numbers. */
export class Total {
  readonly #parts = new Map<string, LawPart>();

  add({ parts }: LawResult): void {
    for (const part of parts) {
      const before = this.#parts.get(part.name);
      const worse = !before || share(part) > share(before) ? part : before;
      const compared = part.compared + (before?.compared ?? 0);
      this.#parts.set(part.name, { ...worse, compared });
    }
  }

  get parts(): readonly LawPart[] {
    return [...this.#parts.values()].filter(({ compared }) => compared > 0);
  }

  get compared(): number {
    return this.parts.reduce((sum, part) => sum + part.compared, 0);
  }
}

/** The part of its tolerance that an error takes. */
export function share({ worst, tolerance }: Pick<LawPart, "worst" | "tolerance">): number {
  return worst === 0 ? 0 : worst / tolerance;
}
