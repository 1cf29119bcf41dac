import fc from "fast-check";
import { expect, test } from "vitest";
import { tensor, zeros, type Tensor } from "../../src/autograd/index.js";
import { decodeSafetensors, encodeSafetensors, GRU, Linear, type StateDict } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";

/** A file made by hand from a header and the bytes after it. */
function fileOf(header: unknown, data: readonly number[] = [], length?: number): Uint8Array {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + data.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length ?? text.length), true);
  file.set(text, 8);
  file.set(data, 8 + text.length);
  return file;
}

const bits = (state: StateDict) =>
  Object.entries(state)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [
      name,
      value.dtype,
      [...value.shape],
      [...value.values()].map((v) => (Object.is(v, -0) ? "-0" : String(v))),
    ]);

test("a file is what the format says: length, header, and elements little-endian without a gap", () => {
  const state = { b: tensor([true, false]), a: tensor([[1, -2]]), "1": tensor([258], { dtype: "int32" }) };
  const file = encodeSafetensors(state, { made: "by hand" });
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  expect((8 + length) % 8).toBe(0);
  expect(JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)))).toEqual({
    __metadata__: { made: "by hand" },
    "1": { dtype: "I32", shape: [1], data_offsets: [0, 4] },
    a: { dtype: "F32", shape: [1, 2], data_offsets: [4, 12] },
    b: { dtype: "BOOL", shape: [2], data_offsets: [12, 14] },
  });
  // 258 = 0x0102; 1 = 0x3f800000 and −2 = 0xc0000000 in IEEE 754 single precision.
  expect([...file.subarray(8 + length)]).toEqual([2, 1, 0, 0, 0, 0, 128, 63, 0, 0, 0, 192, 1, 0]);
});

test("a file of another writer is read: its own order, no padding, no metadata", () => {
  const header = {
    second: { dtype: "F64", shape: [], data_offsets: [4, 12] },
    first: { dtype: "F32", shape: [1, 1], data_offsets: [0, 4] },
    none: { dtype: "F32", shape: [0, 3], data_offsets: [12, 12] },
  };
  const { state, metadata } = decodeSafetensors(fileOf(header, [0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 192]));
  expect(metadata).toEqual({});
  expect(bits(state)).toEqual([
    ["first", "float32", [1, 1], ["1"]],
    ["none", "float32", [0, 3], []],
    ["second", "float64", [], ["-2"]],
  ]);
});

const special = [0, -0, NaN, Infinity, -Infinity, 1e-45, 3.4028234663852886e38, 0.1];
const value = fc.oneof(fc.constantFrom(...special), fc.double());
const anyTensor = fc.oneof(
  fc.array(value).map((data) => tensor(new Float32Array(data))),
  fc.array(value).map((data) => tensor(new Float64Array(data), { shape: [1, data.length, 1] })),
  fc.array(fc.integer()).map((data) => tensor(new Int32Array(data))),
  fc.array(fc.boolean()).map((data) => tensor(Uint8Array.from(data, Number))),
  fc.constant(zeros([0, 2])),
);
const name = fc
  .string({ unit: "grapheme", maxLength: 8 })
  .filter((text) => text !== "__metadata__" && text !== "__proto__");

test("what was written is read again, to the bit, and the order of names does not matter", () => {
  fc.assert(
    fc.property(fc.dictionary(name, anyTensor), fc.dictionary(name, fc.string()), (state, metadata) => {
      const file = encodeSafetensors(state, metadata);
      const read = decodeSafetensors(file);
      expect(bits(read.state)).toEqual(bits(state));
      expect(read.metadata).toEqual({ ...metadata });
      const reversed = Object.fromEntries(Object.entries(state).reverse());
      expect(encodeSafetensors(reversed, metadata)).toEqual(file);
    }),
  );
});

test("bytes that begin inside another buffer are read as well", () => {
  const file = encodeSafetensors({ a: tensor([1, 2, 3]) });
  const inside = new Uint8Array(file.length + 3);
  inside.set(file, 3);
  expect([...decodeSafetensors(inside.subarray(3)).state.a!.values()]).toEqual([1, 2, 3]);
});

test("a module's parameters go through a file and back", () => {
  const make = (seed: string): GRU => new GRU(3, 4, { rng: generator(seed) });
  const [one, two] = [make("one"), make("two")];
  two.loadStateDict(decodeSafetensors(encodeSafetensors(one.stateDict())).state);
  expect(bits(two.stateDict())).toEqual(bits(one.stateDict()));
});

test("a file that was cut off anywhere, or has more than its header says, is refused", () => {
  const file = encodeSafetensors(new Linear(3, 2, { rng: generator("a") }).stateDict(), { key: "value" });
  for (let length = 0; length < file.length; length++)
    expect(() => decodeSafetensors(file.subarray(0, length))).toThrow(/E_SAFETENSORS: decodeSafetensors: /);
  const longer = new Uint8Array(file.length + 1);
  longer.set(file);
  expect(() => decodeSafetensors(longer)).toThrow(/the tensors take \d+ bytes, and the file has \d+/);
});

const f32 = (shape: unknown, place: unknown, dtype: unknown = "F32") => ({
  dtype,
  shape,
  data_offsets: place,
});
const refused: [name: string, file: Uint8Array, message: RegExp][] = [
  [
    "a header that is longer than the file",
    fileOf({}, [], 1000),
    /the header says that it has 1000 bytes, and 2 follow/,
  ],
  [
    "a length beyond any number",
    Uint8Array.from([255, 255, 255, 255, 255, 255, 255, 255, 123]),
    /the header says/,
  ],
  ["a header that is no JSON", fileOf("{a}"), /the header is no JSON: /],
  ["a header that is no text", fileOf("\u00ff").fill(255, 8), /the header is no JSON: /],
  ["a header that is a list", fileOf([]), /no JSON object/],
  ["an entry that is no tensor", fileOf({ a: 1 }), /a is no tensor/],
  [
    "an element type that there is none of",
    fileOf({ a: f32([1], [0, 2], "BF16") }, [0, 0]),
    /a has the element type BF16; expected one of F64, F32/,
  ],
  ["a shape of fractions", fileOf({ a: f32([1.5], [0, 6]) }), /a has no shape of whole numbers/],
  ["a negative shape", fileOf({ a: f32([-1], [0, 4]) }), /a has no shape of whole numbers/],
  ["one offset", fileOf({ a: f32([1], [4]) }), /a has no place of two whole numbers/],
  [
    "offsets that do not fit the shape",
    fileOf({ a: f32([2], [0, 4]) }, [0, 0, 0, 0]),
    /a takes 4 bytes; its type F32 and shape \[2\] need 8/,
  ],
  ["a gap", fileOf({ a: f32([1], [4, 8]) }, Array(8).fill(0)), /a begins at byte 4 of the data; expected 0/],
  [
    "an overlap",
    fileOf({ a: f32([1], [0, 4]), b: f32([1], [0, 4]) }, [0, 0, 0, 0]),
    /b begins at byte 0 of the data; expected 4/,
  ],
  [
    "a bool that is neither",
    fileOf({ a: f32([1], [0, 1], "BOOL") }, [2]),
    /a is BOOL and has a byte other than 0 and 1/,
  ],
  ["metadata that is no text", fileOf({ __metadata__: { a: 1 } }), /__metadata__ is no object of texts/],
];

test.each(refused)("%s is refused", (_name, file, message) => {
  expect(() => decodeSafetensors(file)).toThrow(message);
  expect(() => decodeSafetensors(file)).toThrow(/E_SAFETENSORS/);
});

test("what is no file, no tensor, no text, or has the name of the metadata is refused", () => {
  expect(() => decodeSafetensors([1] as never)).toThrow(/E_SAFETENSORS.*expected the bytes of a file/);
  expect(() => encodeSafetensors({ a: [1] as unknown as Tensor })).toThrow(
    /E_SAFETENSORS.*expected a tensor as a/,
  );
  expect(() => encodeSafetensors(null as never)).toThrow(/E_SAFETENSORS.*expected tensors by name, got null/);
  expect(() => encodeSafetensors({}, null as never)).toThrow(
    /E_SAFETENSORS.*expected texts by name, got null/,
  );
  expect(() => encodeSafetensors({ __metadata__: tensor(1) })).toThrow(
    /E_SAFETENSORS.*belongs to the format/,
  );
  expect(() => encodeSafetensors({}, { a: 1 as never })).toThrow(
    /E_SAFETENSORS.*expected a text as metadata a/,
  );
});
