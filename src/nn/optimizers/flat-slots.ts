import type { Tensor } from "../../autograd/index.js";
import { LastingStorage, NDArray, type FloatDType, type Floats } from "../../tensor/index.js";
import type { Slot } from "./optimizer.js";

/** Neighbours in {@link FlatSlots} that were updated equally often: one call of a kernel updates them all. */
export interface Run {
  readonly dtype: FloatDType;
  /** The numbers of the parameters. */
  readonly members: readonly number[];
  /** Their values in one piece. */
  readonly values: Floats;
  /** Their steps so far, and their figures in one piece. */
  readonly slot: Slot;
}

/** Where the figures of a parameter lie in the arrays of its type, and how often it was updated; undefined before the first time. */
interface Place {
  readonly dtype: FloatDType;
  readonly from: number;
  readonly size: number;
  steps: number | undefined;
  /** Its value there, once it was updated. */
  value: NDArray | undefined;
}

/** What all parameters of a type have: their values and their figures. */
interface Flat {
  readonly values: LastingStorage;
  readonly figures: readonly LastingStorage[];
}

/** The values and running figures of all parameters, those of one element type one after the other in flat arrays. */
export class FlatSlots {
  #places: readonly Place[] = [];
  #sizes: Readonly<Record<FloatDType, number>> = { float32: 0, float64: 0 };
  #flat: Partial<Record<FloatDType, Flat>> = {};

  constructor(
    private readonly parameters: readonly Tensor[],
    /** How many figures an element has. */
    private readonly figures: number,
  ) {
    this.load(parameters.map(() => undefined));
  }

  /** The element type that the figures of a parameter have. */
  dtypeOf(at: number): FloatDType {
    return this.#places[at]!.dtype;
  }

  /** The steps and figures of a parameter, not copied; undefined when it was never updated. */
  slot(at: number): Slot | undefined {
    const { dtype, from, size, steps } = this.#places[at]!;
    return steps === undefined ? undefined : this.#slot(dtype, from, size, steps);
  }

  /** Takes over slots, copied, and lays all parameters out by the types that they have now. */
  load(slots: readonly (Slot | undefined)[]): void {
    const ends = { float32: 0, float64: 0 };
    this.#places = this.parameters.map((parameter, at) => {
      const dtype = parameter.dtype as FloatDType;
      const from = ends[dtype];
      ends[dtype] += parameter.size;
      return { dtype, from, size: parameter.size, steps: slots[at]?.steps, value: undefined };
    });
    this.#sizes = ends;
    this.#flat = {};
    slots.forEach((slot, at) => {
      const { dtype, from } = this.#places[at]!;
      slot?.buffers.forEach((buffer, i) => this.#flatOf(dtype).figures[i]!.elements.set(buffer, from));
    });
  }

  /** Moves the value of a parameter into the flat array of its type, unless that is where it lies; an update then writes it there. */
  adopt(at: number): void {
    const parameter = this.parameters[at]!;
    const place = this.#places[at]!;
    if (place.value !== undefined && parameter.array === place.value) return;
    const { dtype, from, size } = place;
    const { values } = this.#flatOf(dtype);
    const elements = values.elements.subarray(from, from + size);
    elements.set(parameter.array.data);
    place.value = new NDArray(parameter.shape, dtype, elements, values);
    parameter.array = place.value;
  }

  /** Lays the parameters out anew when one that was never updated has changed its type. */
  refresh(): void {
    if (
      this.#places.some(({ dtype, steps }, at) => steps === undefined && dtype !== this.parameters[at]!.dtype)
    )
      this.load(this.parameters.map((_, at) => this.slot(at)));
  }

  /** The parameters of that numbers, rising, as runs that lie in one piece each. */
  runs(numbers: readonly number[]): Run[] {
    const lists: number[][] = [];
    const open: Partial<Record<FloatDType, number[]>> = {};
    for (const at of numbers) {
      const place = this.#places[at]!;
      const list = open[place.dtype];
      const before = list && this.#places[list.at(-1)!]!;
      if (before && before.from + before.size === place.from && before.steps === place.steps) list.push(at);
      else lists.push((open[place.dtype] = [at]));
    }
    return lists.map((members) => {
      const { dtype, from, steps } = this.#places[members[0]!]!;
      const size = members.reduce((total, at) => total + this.#places[at]!.size, 0);
      const values = this.#flatOf(dtype).values.elements.subarray(from, from + size);
      return { dtype, members, values, slot: this.#slot(dtype, from, size, steps ?? 0) };
    });
  }

  /** Notes how often the members of a run were updated. */
  note(run: Run): void {
    for (const at of run.members) this.#places[at]!.steps = run.slot.steps;
  }

  #slot(dtype: FloatDType, from: number, size: number, steps: number): Slot {
    const { figures } = this.#flatOf(dtype);
    return { steps, buffers: figures.map(({ elements }) => elements.subarray(from, from + size)) };
  }

  #flatOf(dtype: FloatDType): Flat {
    const made = (): LastingStorage => new LastingStorage(dtype, this.#sizes[dtype]);
    return (this.#flat[dtype] ??= {
      values: made(),
      figures: Array.from({ length: this.figures }, made),
    });
  }
}
