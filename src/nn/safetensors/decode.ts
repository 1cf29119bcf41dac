import { tensor, type Tensor } from "../../autograd/index.js";
import { fail, formatGiven } from "../../errors/index.js";
import { allocate, type DType } from "../../tensor/index.js";
import type { StateDict } from "../state-dict.js";
import { elementCodes, lengthBytes, longestHeader, metadataKey, type TensorEntry } from "./format.js";

/** What a safetensors file holds. */
export interface SafetensorsContent {
  readonly state: StateDict;
  /** Free texts by name. */
  readonly metadata: Readonly<Record<string, string>>;
}

const dtypes = new Map(Object.entries(elementCodes).map(([dtype, { name }]) => [name, dtype as DType]));

/**
 * The tensors in the bytes of a safetensors file, for `Module.loadStateDict`, and the texts beside them. Element types are
 * F32, F64, I32 and BOOL.
 *
 * @throws E_SAFETENSORS for bytes that are no safetensors file, one that was cut off or has more than its header says, and an
 *   element type that this library does not have
 */
export function decodeSafetensors(bytes: Uint8Array): SafetensorsContent {
  if (!(bytes instanceof Uint8Array)) refuse(`expected the bytes of a file, got ${formatGiven(bytes)}`);
  const { header, dataAt } = readHeader(bytes);
  const { [metadataKey]: texts, ...entries } = header;
  const view = new DataView(bytes.buffer, bytes.byteOffset + dataAt, bytes.length - dataAt);
  const checked = Object.entries(entries).map(([name, entry]) => [name, checkedEntry(name, entry)] as const);
  requireWhole(checked, view.byteLength);
  return {
    state: Object.fromEntries(checked.map(([name, entry]) => [name, read(view, name, entry)])),
    metadata: checkedMetadata(texts),
  };
}

function refuse(why: string): never {
  return fail("E_SAFETENSORS", `decodeSafetensors: ${why}`);
}

function readHeader(bytes: Uint8Array): {
  readonly header: Readonly<Record<string, unknown>>;
  readonly dataAt: number;
} {
  if (bytes.length < lengthBytes) refuse(`a file has at least ${lengthBytes} bytes, got ${bytes.length}`);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const dataAt = lengthBytes + length;
  if (length > longestHeader || dataAt > bytes.length)
    refuse(
      `the header says that it has ${length} bytes, and ${bytes.length - lengthBytes} follow: the file was cut off or is none`,
    );
  let header: unknown;
  try {
    header = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(lengthBytes, dataAt)),
    );
  } catch (error) {
    refuse(`the header is no JSON: ${(error as Error).message}`);
  }
  if (!isRecord(header)) refuse("the header is no JSON object");
  return { header, dataAt };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkedMetadata(texts: unknown = {}): Readonly<Record<string, string>> {
  if (!isRecord(texts) || Object.values(texts).some((text) => typeof text !== "string"))
    refuse(`${metadataKey} is no object of texts`);
  return texts as Readonly<Record<string, string>>;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function checkedEntry(name: string, entry: unknown): TensorEntry {
  if (!isRecord(entry)) return refuse(`${name} is no tensor`);
  const { dtype, shape, data_offsets: place } = entry;
  if (typeof dtype !== "string" || !dtypes.has(dtype))
    return refuse(
      `${name} has the element type ${String(dtype)}; expected one of ${[...dtypes.keys()].join(", ")}`,
    );
  if (!Array.isArray(shape) || !shape.every(isCount)) return refuse(`${name} has no shape of whole numbers`);
  if (!Array.isArray(place) || place.length !== 2 || !place.every(isCount))
    return refuse(`${name} has no place of two whole numbers`);
  const [begin, end] = place as [number, number];
  const size = (shape as number[]).reduce((product, axis) => product * axis, 1);
  const needed = size * elementCodes[dtypes.get(dtype)!].bytes;
  if (end - begin !== needed)
    return refuse(
      `${name} takes ${end - begin} bytes; its type ${dtype} and shape [${shape.join(", ")}] need ${needed}`,
    );
  return { dtype, shape: shape as number[], data_offsets: [begin, end] };
}

/** Throws unless the tensors fill the data, one after the other. */
function requireWhole(entries: readonly (readonly [string, TensorEntry])[], length: number): void {
  const places = entries.map(
    ([
      name,
      {
        data_offsets: [begin, end],
      },
    ]) => ({ name, begin, end }),
  );
  places.sort((a, b) => a.begin - b.begin || a.end - b.end);
  let at = 0;
  for (const { name, begin, end } of places) {
    if (begin !== at)
      refuse(`${name} begins at byte ${begin} of the data; expected ${at}, where the tensor before it ends`);
    at = end;
  }
  if (at !== length)
    refuse(`the tensors take ${at} bytes, and the file has ${length}: it was cut off or has been added to`);
}

function read(
  view: DataView,
  name: string,
  { dtype: code, shape, data_offsets: [begin] }: TensorEntry,
): Tensor {
  const dtype = dtypes.get(code)!;
  const { bytes, get } = elementCodes[dtype];
  const size = shape.reduce((product, axis) => product * axis, 1);
  const elements = allocate(dtype, size);
  for (let at = 0; at < size; at++) elements[at] = get(view, begin + at * bytes);
  if (dtype === "bool" && elements.some((value) => value > 1))
    refuse(`${name} is BOOL and has a byte other than 0 and 1`);
  return tensor(elements, { shape, dtype });
}
