import type { Control } from "../../idea.js";
import { completeSettings } from "../settings.js";
import { storedNumbers } from "../stored-numbers.js";

/** A plain GRU whose state has as many numbers as a compressed one: the simplest way to remember less. */
export const smallerGru: Control = {
  name: "smaller-gru",
  title: "a plain GRU with as many units as a compressed state has numbers",
  statement:
    "as many hidden units as a compressed state has numbers in place of 64 (36 at rank 2), no compression",
  why: "the compression does nothing that a smaller state would not do, at less cost",
  change(options) {
    return { width: storedNumbers(completeSettings(options)) };
  },
};
