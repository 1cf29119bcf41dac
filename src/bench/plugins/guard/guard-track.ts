import { fail, kindOfGiven } from "../../../errors/index.js";
import { targetWidth, type FloorValue, type Split, type Track, type TrackData } from "../../tracks/track.js";
import { firstNotFinite, sameBits, type Numbers } from "./bits.js";
import { guardedCall, requireResult, wrongResult, type Owner } from "./call.js";

const splits = ["train", "validation", "test"] as const;

/** The track of a user's file with every call guarded, as {@link guardIdea} does it for an idea. */
export function guardTrack(track: Track, path: string): Track {
  const owner: Owner = { what: `the track ${track.name}`, path };
  return {
    ...track,
    make: (seed, sizes) => {
      const data = guardedCall(owner, "make()", () => track.make(seed, Object.freeze({ ...sizes })));
      return readData(owner, track, data, sizes);
    },
    floors: (data) => {
      const before = splits
        .map((part) => data[part])
        .flatMap((part) => arraysOf(part).map((array) => array.slice()));
      const floors = guardedCall(owner, "floors()", () => track.floors(data));
      const after = splits.map((part) => data[part]).flatMap(arraysOf);
      if (after.some((array, i) => !sameBits(array, before[i]!)))
        fail(
          "E_IMPURE",
          `${owner.what} (${path}): floors() wrote to the data that it was given, on which models are trained as well`,
        );
      return readFloors(owner, floors);
    },
  };
}

function readData(
  owner: Owner,
  track: Track,
  value: unknown,
  sizes: Parameters<Track["make"]>[1],
): TrackData {
  const part = "make()";
  requireResult(
    owner,
    part,
    typeof value === "object" && value !== null,
    "an object { train, validation, test }",
    value,
  );
  for (const name of splits) {
    const wanted = sizes[name] ?? 0;
    const split = (value as Partial<TrackData>)[name];
    if (split === undefined && wanted === 0) continue;
    if (split === undefined || typeof split !== "object" || split === null)
      wrongResult(owner, part, `${name} to be { count, x, y }`, kindOfGiven(split));
    if (split.count !== wanted)
      wrongResult(owner, part, `${name}.count to be ${wanted}`, kindOfGiven(split.count));
    const { input, loss, outputs } = track;
    const width = input.steps * input.features;
    if (input.kind !== "series")
      readWords(owner, `${name}.x`, split.x, split.count * width, input.vocabulary);
    else readNumbers(owner, `${name}.x`, split.x, split.count * width);
    if (loss === "cross-entropy")
      readWords(owner, `${name}.y`, split.y, split.count * targetWidth(track), outputs);
    else readNumbers(owner, `${name}.y`, split.y, split.count * outputs);
  }
  return value as TrackData;
}

/** Finite readings or numbers to predict. */
function readNumbers(owner: Owner, where: string, value: unknown, length: number): void {
  if (!(value instanceof Float32Array))
    wrongResult(owner, "make()", `${where} to be a Float32Array`, kindOfGiven(value));
  if (value.length !== length)
    wrongResult(owner, "make()", `${where} to have ${length} numbers`, `${value.length}`);
  const at = firstNotFinite(value);
  if (at >= 0) wrongResult(owner, "make()", `${where} to be finite`, `${value[at]} at ${at}`);
}

/** Tokens or classes: whole numbers from 0 to `count` − 1. */
function readWords(owner: Owner, where: string, value: unknown, length: number, count: number): void {
  if (!(value instanceof Int32Array))
    wrongResult(owner, "make()", `${where} to be an Int32Array`, kindOfGiven(value));
  if (value.length !== length)
    wrongResult(owner, "make()", `${where} to have ${length} numbers`, `${value.length}`);
  const at = value.findIndex((word) => word < 0 || word >= count);
  if (at >= 0)
    wrongResult(owner, "make()", `${where} to lie from 0 to ${count - 1}`, `${value[at]} at ${at}`);
}

function readFloors(owner: Owner, value: unknown): readonly FloorValue[] {
  const part = "floors()";
  requireResult(
    owner,
    part,
    Array.isArray(value) && value.length > 0,
    "a list of { name, value } with at least one",
    value,
  );
  for (const floor of value as readonly Partial<FloorValue>[]) {
    requireResult(owner, part, typeof floor?.name === "string", "each floor to have a name", floor?.name);
    requireResult(
      owner,
      part,
      Number.isFinite(floor.value),
      `the floor '${floor.name}' to be a finite number`,
      floor.value,
    );
  }
  return value as readonly FloorValue[];
}

function arraysOf(split: Split | undefined): Numbers[] {
  return split === undefined ? [] : [split.x, split.y].filter((array) => ArrayBuffer.isView(array));
}
