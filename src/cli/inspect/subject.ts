import type { Tensor } from "../../autograd/index.js";
import type { Inspected, InspectOptions } from "../../inspect/index.js";

/** What is to be inspected, and on what. */
export interface InspectSubject {
  readonly f: Inspected;
  readonly inputs: readonly Tensor[];
  readonly options: InspectOptions;
}
