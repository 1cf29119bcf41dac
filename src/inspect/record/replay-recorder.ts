import { Tensor } from "../../autograd/index.js";
import type { Observation } from "../../autograd/observe.js";
import { dtypeOf, NDArray, type DType, type Elements } from "../../tensor/index.js";
import { toBase64 } from "../base64.js";
import { toJson } from "../json-number.js";
import type { ArrayForm, Recording, StoredArray, StoredSetting } from "../recording.js";
import { replayableOperations, type ReplayableOperation, type Settings } from "../replay/operations.js";

/** What a recorder knows of the nodes. */
export interface KnownNodes {
  idOf(tensor: Tensor): number | undefined;
  idOfArray(array: NDArray): number | undefined;
}

/** Keeps what `replay` needs, up to so many bytes. */
export class ReplayRecorder {
  readonly #arrays: StoredArray[] = [];
  readonly #places = new Map<Elements, number>();
  readonly #values: Record<number, number | { readonly of: number }> = {};
  readonly #settings: Record<number, StoredSetting> = {};
  readonly #cut: Record<number, readonly number[]> = {};
  readonly #foreign: number[] = [];
  readonly #closed: Record<number, string> = {};
  readonly #versions = new Map<Tensor, number>();
  #cotangent: number | undefined;
  #bytes = 0;
  #changed: string | undefined;

  constructor(
    private readonly full: number,
    private readonly allowed: number,
    private readonly nodes: KnownNodes,
  ) {}

  /** Keeps the value of a leaf or a constant; `shared` is the node that has the same array. */
  given(id: number, tensor: Tensor, shared: number | undefined): void {
    this.#versions.set(tensor, tensor.version);
    this.#values[id] = shared === undefined ? this.#place(tensor.array) : { of: shared };
  }

  /** Keeps the settings of an operation. */
  carriedOut(id: number, { op, attributes, inputs }: Observation, flows: readonly boolean[]): void {
    const known = replayableOperations.get(op.name);
    const own = known?.definition === op;
    if (!own) this.#foreign.push(id);
    for (const input of inputs)
      if ((this.#versions.get(input) ?? 0) !== input.version && this.#versions.has(input))
        this.#changed ??= `a tensor was assigned another value before ${op.name} #${id} used it`;
    const cut = inputs.flatMap((input, i) => (flows[i] && !input.requiresGrad ? [i] : []));
    if (cut.length > 0) this.#cut[id] = cut;
    if (attributes === undefined) return;
    try {
      const settings = own ? known?.settings : undefined;
      this.#settings[id] = this.#stored(settings ? picked(attributes as Settings, settings) : attributes);
    } catch (error) {
      if (!(error instanceof Unstorable)) throw error;
      this.#closed[id] = error.message;
    }
  }

  /** Keeps the cotangent that was given. */
  started(cotangent: Tensor): void {
    this.#cotangent = this.#place(cotangent.array);
  }

  /** What was kept; nothing but the reason where that was more than is allowed, or is no use. */
  get recording(): Recording {
    const refusal =
      this.#changed ??
      (this.#bytes > this.allowed
        ? `its leaves, constants and settings take ${this.#bytes} bytes, and ${this.allowed} were allowed; ` +
          `record it with replayable: ${this.#bytes} or more`
        : undefined);
    const { full, allowed } = this;
    const head = { full, bytes: this.#bytes, allowed };
    if (refusal !== undefined)
      return {
        ...head,
        refusal,
        arrays: [],
        values: {},
        settings: {},
        cut: {},
        foreign: [],
        closed: {},
      };
    return {
      ...head,
      arrays: this.#arrays,
      values: this.#values,
      settings: this.#settings,
      cut: this.#cut,
      foreign: this.#foreign,
      closed: this.#closed,
      ...(this.#cotangent !== undefined && { cotangent: this.#cotangent }),
    };
  }

  /** The place of an array among those that are kept; the same elements are kept once. */
  #place({ data, dtype, shape }: NDArray): number {
    const known = this.#places.get(data);
    if (known !== undefined && sameForm(this.#arrays[known]!, dtype, shape)) return known;
    this.#bytes += data.byteLength;
    const place = this.#arrays.length;
    const base64 = this.#bytes > this.allowed ? "" : toBase64(data);
    this.#arrays.push({ dtype, shape, base64 });
    this.#places.set(data, place);
    return place;
  }

  #stored(value: unknown): StoredSetting {
    if (typeof value === "number")
      return Number.isFinite(value) && !Object.is(value, -0) ? value : { number: toJson(value) };
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (value instanceof Tensor) return this.#storedArray(value.array, "tensor", this.nodes.idOf(value));
    if (value instanceof NDArray) return this.#storedArray(value, "array", this.nodes.idOfArray(value));
    if (isElements(value))
      return this.#storedArray(new NDArray([value.length], dtypeOf(value), value), "elements", undefined);
    if (Array.isArray(value)) return value.map((part: unknown) => this.#stored(part));
    if (!isPlainRecord(value)) throw new Unstorable(describe(value));
    const record: Record<string, StoredSetting> = {};
    for (const [name, part] of Object.entries(value)) {
      if (part === undefined) continue;
      try {
        record[name] = this.#stored(part);
      } catch (error) {
        throw error instanceof Unstorable ? new Unstorable(`${name}: ${error.message}`) : error;
      }
    }
    return { record };
  }

  #storedArray(array: NDArray, form: ArrayForm, node: number | undefined): StoredSetting {
    return node === undefined ? { array: this.#place(array), form } : { node, form };
  }
}

/** A setting that JSON cannot hold; the message says what it is. */
class Unstorable extends Error {}

function sameForm(stored: StoredArray, dtype: DType, shape: readonly number[]): boolean {
  return (
    stored.dtype === dtype &&
    stored.shape.length === shape.length &&
    stored.shape.every((size, axis) => size === shape[axis])
  );
}

function isElements(value: unknown): value is Elements {
  return (
    value instanceof Float32Array ||
    value instanceof Float64Array ||
    value instanceof Int32Array ||
    value instanceof Uint8Array
  );
}

function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  if (typeof value === "function") return "a function";
  return typeof value === "object" ? `a ${value!.constructor.name}` : typeof value;
}

function picked(attributes: Settings, settings: NonNullable<ReplayableOperation["settings"]>): Settings {
  return typeof settings === "function"
    ? settings(attributes)
    : Object.fromEntries(settings.map((name) => [name, attributes[name]]));
}
