import { Tensor } from "../../autograd/index.js";
import { formatGiven, GradstandError } from "../../errors/index.js";
import { Module } from "../../nn/index.js";
import { generator } from "../../random/index.js";
import { formatShape, isFloating, sameShape } from "../../tensor/index.js";
import type { LawResult } from "../law-result.js";
import {
  checkAdjoint,
  expectAdjoint,
  checkCorrectGradients,
  expectCorrectGradients,
  checkFloat32Gradients,
  expectFloat32Gradients,
  checkSameBits,
  expectSameBits,
  checkSecondOrder,
  expectSecondOrder,
  checkZeroCotangent,
  expectZeroCotangent,
} from "../laws/index.js";
import { resultShape } from "../signature.js";
import type { Subject } from "../subject.js";
import type { Case } from "./case.js";
import type { CheckLine } from "./check-line.js";
import { drawInputs } from "./draw.js";

/** How cases are checked. */
export interface CheckOptions {
  readonly seed: number;
  /** How many inputs are drawn for a signature. */
  readonly runs: number;
  /** The tolerance of the gradients where a case has none of its own. */
  readonly tolerance?: number | undefined;
  /** Compare the float32 gradient with the float64 one as well. */
  readonly float32: boolean;
}

/** A law in both forms: the second one throws what it finds, explained. */
type Law = readonly [check: LawForm, required: LawForm];
type LawForm = (subject: Subject, inputs: readonly Tensor[], options?: object) => LawResult;

/** In units of 2⁻²⁴·max(|g|, |cotangent|∞): for a function of several operations and short sums. */
const float32Units = 64;

/** Every law that a case is checked against, by name, with its options. */
function lawsOf(
  own: Case,
  { tolerance, float32 }: CheckOptions,
): [name: string, law: Law, options: object][] {
  const allowed = own.tolerance ?? tolerance;
  return [
    [
      "CorrectGradients",
      [checkCorrectGradients, expectCorrectGradients],
      allowed === undefined ? {} : { tolerance: allowed },
    ],
    ["Adjoint", [checkAdjoint, expectAdjoint], {}],
    ["SecondOrder", [checkSecondOrder, expectSecondOrder], {}],
    ["ZeroCotangent", [checkZeroCotangent, expectZeroCotangent], {}],
    ["SameBits", [checkSameBits, expectSameBits], {}],
    ...(float32
      ? [
          ["Float32Gradients", [checkFloat32Gradients, expectFloat32Gradients], { units: float32Units }] as [
            string,
            Law,
            object,
          ],
        ]
      : []),
  ];
}

/** Checks a case, a line for each law; what its result is comes first, and alone when that is wrong. `asked` leaves laws out. */
export function* checkCase(
  own: Case,
  options: CheckOptions,
  asked: (law: string) => boolean = () => true,
): Generator<CheckLine> {
  for (const module of [own.f, own.module]) if (module instanceof Module) module.to("float64");
  const draws = inputsOf(own, options);
  const wrong = resultFault(own, draws);
  if (wrong !== undefined) {
    yield { subject: own.name, check: "Result", status: "failed", message: wrong };
    return;
  }
  for (const [name, law, lawOptions] of lawsOf(own, options))
    if (asked(name)) yield checkLaw(own, draws, name, law, lawOptions);
}

function inputsOf({ name, inputs }: Case, { seed, runs }: CheckOptions): (readonly Tensor[])[] {
  if (!("signature" in inputs))
    return [inputs.map((x) => (isFloating(x.dtype) ? x.detach().cast("float64") : x))];
  const rng = generator(seed).stream(name);
  return Array.from({ length: runs }, (_, run) => drawInputs(inputs, rng.stream(String(run))));
}

/** The results of all draws together. Stops at the first one that breaks the law. */
function checkLaw(
  own: Case,
  draws: readonly (readonly Tensor[])[],
  name: string,
  [check, required]: Law,
  options: object,
): CheckLine {
  const line = { subject: own.name, check: name };
  const asked = {
    ...("signature" in own.inputs && { signature: own.inputs.signature.text }),
    ...(own.module && { module: own.module }),
    ...options,
  };
  let worst = 0;
  let tolerance = 0;
  let compared = 0;
  let kinks = 0;
  try {
    for (const inputs of draws) {
      const result = check(own.f, inputs, asked);
      kinks += result.kinks;
      if (result.compared === 0 && result.kinks > 0) continue;
      compared += result.compared;
      if (!(share(result) < share({ worst, tolerance }))) ({ worst, tolerance } = result);
      if (!result.passed)
        return {
          ...line,
          status: "failed",
          worst,
          tolerance,
          compared,
          kinks,
          message: thrownBy(() => required(own.f, inputs, asked)),
        };
    }
  } catch (error) {
    if (error instanceof GradstandError && error.code === "E_SECOND_ORDER" && name === "SecondOrder")
      return { ...line, status: "skipped", message: "it has no second derivative, and says so" };
    return { ...line, status: "failed", message: thrownText(error) };
  }
  if (compared === 0 && kinks > 0)
    return {
      ...line,
      status: "failed",
      kinks,
      message: "it saw nothing but kinks; give inputs away from them",
    };
  return { ...line, status: "passed", worst, tolerance, compared, kinks };
}

function share({ worst, tolerance }: { readonly worst: number; readonly tolerance: number }): number {
  return worst === 0 ? 0 : worst / tolerance;
}

/** What a law says when it throws, explained. */
function thrownBy(law: () => unknown): string {
  try {
    law();
  } catch (error) {
    return thrownText(error).replace(/^E_LAW: /, "");
  }
  return "it does not hold each time it is asked";
}

/** What is wrong with the results before any derivative is taken; undefined when nothing is. */
function resultFault({ f, inputs: given }: Case, draws: readonly (readonly Tensor[])[]): string | undefined {
  for (const inputs of draws) {
    let result: unknown;
    try {
      result = f instanceof Module ? f.forward(...(inputs as never[])) : f(...inputs);
    } catch (error) {
      return `it threw for inputs of shape ${shapesOf(inputs)}: ${thrownText(error)}`;
    }
    if (result instanceof Promise)
      return "it returned a promise; expected a tensor (an async function cannot be differentiated)";
    if (!(result instanceof Tensor)) {
      if (f instanceof Module && typeof result === "object" && result !== null) continue;
      return `it returned ${result === null ? "null" : typeof result}; expected a tensor`;
    }
    if (!isFloating(result.dtype))
      return `it is not differentiable: it returned ${result.dtype}, expected float64 for float64 inputs`;
    if (result.dtype !== "float64")
      return `it returned ${result.dtype} for float64 inputs, which differences cannot check; a tensor or cast inside is float32: give it { dtype: "float64" } or the type of the input`;
    const expected =
      "signature" in given
        ? resultShape(
            given.signature,
            inputs.map((x) => x.shape),
          )
        : undefined;
    if (expected && !sameShape(result.shape, expected))
      return `E_SHAPE: for inputs of shape ${shapesOf(inputs)} the signature promises ${formatShape(expected)}, it returned ${formatShape(result.shape)}`;
    const at = result.values().findIndex((v) => !Number.isFinite(v));
    if (at >= 0)
      return `it returned ${result.values()[at]} at element ${at} (of the flat result) for finite inputs:\n${inputs.map(String).join("\n")}`;
  }
  return undefined;
}

const shapesOf = (inputs: readonly Tensor[]): string => inputs.map((x) => formatShape(x.shape)).join(", ");

/** An error of a user's function; of one that is not ours, its kind as well. */
function thrownText(error: unknown): string {
  if (error instanceof GradstandError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : formatGiven(error);
}
