import { dataFile } from "../data-file.js";

/** Every character of the book; its place is its token. */
export const alphabet = " \"'(),-.:;!?abcdefghijklmnopqrstuvwxyz";

const sha256 = "aaa599f0da7dfbe601650de73a0f9921e9d4386f38dbceb04d7ed566286cf10a";
let book: Int32Array | undefined;

/** The book as tokens, its chapters one after another with a space between two. */
export function bookTokens(): Int32Array {
  book ??= Int32Array.from(dataFile("moby-dick.txt", sha256).trim().replaceAll("\n", " "), (character) =>
    alphabet.indexOf(character),
  );
  return book;
}
