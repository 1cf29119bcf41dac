import type { BenchReport } from "../document-v2.js";
import { isObject } from "../shape.js";
import {
  anyText,
  exactAt,
  limitationsText,
  mechanismText,
  numberAt,
  plain,
  quotation,
  textOf,
  verdictText,
  type Quotation,
} from "./quotation.js";

/** The figures of the mechanism that the texts quote. */
export function mechanismQuotations(bench: BenchReport, prefix: string): Quotation[] {
  const { mechanism_signature: signature, math_verification: mathematics } = bench;
  const path = `${prefix}mechanism_signature`;
  const trained = isObject(signature.trained_model) ? signature.trained_model : {};
  const ofModel = (name: string) => numberAt(trained[name], `${path}.trained_model.${name}`);
  const rank = exactAt(signature.rank, `${path}.rank`);
  const error = signature.relative_error;
  return [
    quotation(
      verdictText,
      "moments were preserved to about N and N",
      numberAt(mathematics?.max_moment_residual, `${prefix}math_verification.max_moment_residual`),
      ofModel("moment_residual"),
    ),
    quotation(anyText, "N% relative error", typeof error === "number" ? plain(100 * error) : undefined),
    quotation(mechanismText, "moment residual N", ofModel("moment_residual")),
    quotation(mechanismText, "relative perturbation N", ofModel("compressed_relative_error")),
    quotation(mechanismText, "^predicted N", numberAt(signature.predicted, `${path}.predicted`)),
    quotation(mechanismText, "; observed N", numberAt(signature.observed, `${path}.observed`)),
    // Those after the mean are the ranks of other rows of the sweep.
    quotation(textOf("idea"), "rank=N(?=.*mean test)", rank),
    quotation(limitationsText, "rank N", rank),
  ];
}
