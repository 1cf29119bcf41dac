import { dataFile } from "../data-file.js";

/** Pixels on a side. */
export const side = 8;

/** The darkest grey level. */
const darkest = 16;

/** A handwritten digit. */
export interface DigitImage {
  readonly digit: number;
  /** [side · side] from 0 to 1, row after row. */
  readonly pixels: Float64Array;
}

const sha256 = "2704b66d1f53e71d47d6b24a160077f59a91f581581d00dbb5706b96c678f785";
let images: readonly DigitImage[] | undefined;

/** All images in the order of the file. */
export function digitImages(): readonly DigitImage[] {
  images ??= dataFile("digits.txt", sha256)
    .trim()
    .split("\n")
    .map((line) => ({
      digit: Number(line[0]),
      pixels: Float64Array.from(line.slice(1), (level) => Number.parseInt(level, darkest + 1) / darkest),
    }));
  return images;
}
