/**
 * Writes data/digits.txt, the images of the track `digits`, from digits.csv as scikit-learn has it (sklearn/datasets/data/digits.csv.gz,
 * unpacked): 64 grey levels from 0 to 16 and a class in each of its 1797 lines. Here a line is the class and then 64 characters,
 * a level each in base 17 (0 … 9, a … g), row after row: node scripts/data/digits.mjs digits.csv
 */
import fs from "node:fs";
import { fileURLToPath } from "node:url";

const file = process.argv[2];
if (file === undefined) throw new Error("expected the path of digits.csv");
const lines = fs.readFileSync(file, "utf8").trim().split("\n");
const written = lines.map((line, at) => {
  const numbers = line.split(",").map(Number);
  const [digit, levels] = [numbers.at(-1), numbers.slice(0, -1)];
  const isSound =
    levels.length === 64 &&
    levels.every((level) => Number.isInteger(level) && level >= 0 && level <= 16) &&
    digit >= 0 &&
    digit <= 9;
  if (!isSound) throw new Error(`line ${at + 1} is no image of 64 levels from 0 to 16 with its digit`);
  return `${digit}${levels.map((level) => level.toString(17)).join("")}`;
});
fs.writeFileSync(fileURLToPath(new URL("../../data/digits.txt", import.meta.url)), `${written.join("\n")}\n`);
