import { batch, signal } from "@preact/signals";
import { fromBase64 } from "../../inspect/base64.js";
import type { InspectDocument } from "../../inspect/document.js";
import { replay } from "../../inspect/replay/replay.js";
import type { Session } from "../state/session.js";
import { Recording } from "../state/recording.js";

/** Other values of leaves and constants, row-major, by node. */
export type Values = ReadonlyMap<number, Float64Array>;

/** What the reader has changed, and what came of it. */
export class Edits {
  readonly values = signal<Values>(new Map());
  /** Why it could not be computed again. */
  readonly refusal = signal<string | undefined>(undefined);
  /** How long the last recomputation took, in milliseconds. */
  readonly took = signal<number | undefined>(undefined);

  constructor(private readonly session: Session) {}

  /** Gives a node other values and computes everything again with the library in this page. */
  change(node: number, values: Float64Array): void {
    this.#compute(new Map([...this.values.value, [node, values]]));
  }

  /** Shows the recording again. */
  reset(): void {
    batch(() => {
      this.values.value = new Map();
      this.refusal.value = undefined;
      this.took.value = undefined;
      this.session.shown.value = this.session.recorded;
    });
  }

  #compute(values: Values): void {
    const { recorded } = this.session;
    const began = performance.now();
    try {
      const changes = [...values].map(([node, numbers]) => ({ node, values: numbers }));
      const document = replay(recorded.document, changes);
      batch(() => {
        this.values.value = values;
        this.refusal.value = undefined;
        this.took.value = performance.now() - began;
        this.session.shown.value = new Recording(document, recorded.root);
      });
    } catch (error) {
      this.refusal.value = error instanceof Error ? error.message : String(error);
    }
  }
}

/** The elements of a leaf or constant as they were recorded; undefined where the document does not hold them. */
export function recordedValues(
  { recording, nodes }: InspectDocument,
  node: number,
): Float64Array | undefined {
  if (!recording || recording.refusal !== undefined) return undefined;
  let place = recording.values[node];
  while (typeof place === "object") place = recording.values[place.of];
  const stored = place === undefined ? undefined : recording.arrays[place];
  if (!stored) return undefined;
  const size = nodes[node]!.shape.reduce((product, length) => product * length, 1);
  return Float64Array.from(fromBase64(stored.base64, stored.dtype, size));
}
