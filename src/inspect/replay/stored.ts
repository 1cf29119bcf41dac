import { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { convert, NDArray, sizeOf, type DType } from "../../tensor/index.js";
import { fromBase64 } from "../base64.js";
import type { ArrayForm, Recording, StoredSetting } from "../recording.js";

/** The arrays and settings of a recording, in the types in which it is to be computed. */
export class Stored {
  readonly #arrays = new Map<number, NDArray>();

  /** @param single what stands for float32: itself, or float64 */
  constructor(
    private readonly recording: Recording,
    readonly single: DType,
  ) {}

  /** The array at a place. */
  array(place: number): NDArray {
    const known = this.#arrays.get(place);
    if (known) return known;
    const { dtype, shape, base64 } =
      this.recording.arrays[place] ?? fail("E_REPLAY", `replay: the document has no array ${place}`);
    const whole = new NDArray(shape, dtype, fromBase64(base64, dtype, sizeOf(shape)));
    const array = dtype === "float32" ? convert(whole, this.single) : whole;
    this.#arrays.set(place, array);
    return array;
  }

  /** A setting as the operation gets it; `tensorOf` gives the values of nodes. */
  setting(stored: StoredSetting, tensorOf: (node: number) => Tensor): unknown {
    if (stored === "float32") return this.single;
    if (typeof stored !== "object" || stored === null) return stored;
    if (isList(stored)) return stored.map((part) => this.setting(part, tensorOf));
    if ("number" in stored) return Number(stored.number);
    if ("array" in stored) return inForm(new Tensor(this.array(stored.array)), stored.form);
    if ("node" in stored) return inForm(tensorOf(stored.node), stored.form);
    return Object.fromEntries(
      Object.entries(stored.record).map(([name, part]) => [name, this.setting(part, tensorOf)]),
    );
  }
}

const isList = (stored: StoredSetting): stored is readonly StoredSetting[] => Array.isArray(stored);

function inForm(tensor: Tensor, form: ArrayForm): unknown {
  return form === "tensor" ? tensor : form === "array" ? tensor.array : tensor.array.data;
}
