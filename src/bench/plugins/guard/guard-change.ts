import { Tensor } from "../../../autograd/index.js";
import { fail } from "../../../errors/index.js";
import type { AttentionChange, HiddenChange, ModelChange } from "../../../ideas/index.js";
import { Module } from "../../../nn/index.js";
import { formatShape, sameShape } from "../../../tensor/index.js";
import { suggestion } from "../../run/nearest.js";
import { firstNotFinite, sameBits, type Numbers } from "./bits.js";
import { guardedCall, requireResult, wrongResult, type Owner } from "./call.js";
import { watchesClosely } from "./watch.js";

/** Every part that a change may have: the compiler refuses a list that lacks one. */
const parts: Record<keyof ModelChange, true> = {
  hidden: true,
  attention: true,
  attentionDecoder: true,
  width: true,
  modules: true,
};

/** The change that an idea gave, with its functions guarded. Throws E_PLUGIN for one of another shape. */
export function guardChange(owner: Owner, part: string, change: unknown): ModelChange {
  requireResult(
    owner,
    part,
    typeof change === "object" && change !== null && !Array.isArray(change),
    "an object such as { hidden: (h) => … }",
    change,
  );
  const given = change as ModelChange;
  const stray = Object.keys(given).find((key) => !Object.hasOwn(parts, key));
  if (stray !== undefined)
    wrongResult(
      owner,
      part,
      "a change of a place that models have",
      `'${stray}'; ${suggestion(stray, Object.keys(parts))}`,
    );
  if (given.width !== undefined)
    requireResult(
      owner,
      `${part}.width`,
      typeof given.width === "number",
      "a number of hidden units",
      given.width,
    );
  if (given.attentionDecoder !== undefined)
    requireResult(
      owner,
      `${part}.attentionDecoder`,
      typeof given.attentionDecoder === "function",
      "a function that gives a decoder",
      given.attentionDecoder,
    );
  requireModules(owner, `${part}.modules`, given.modules);
  const guarded = { ...given };
  for (const place of ["hidden", "attention"] as const) {
    const f: unknown = given[place];
    if (f === undefined) continue;
    requireResult(owner, `${part}.${place}`, typeof f === "function", "a function of tensors", f);
    guarded[place] = ((...args: Parameters<AttentionChange>) =>
      guardedTensor(
        owner,
        `${place}()`,
        args.filter((arg) => arg instanceof Tensor),
        () => (f as AttentionChange)(...args),
      )) as HiddenChange & AttentionChange;
  }
  return guarded;
}

function requireModules(owner: Owner, part: string, modules: unknown): void {
  if (modules === undefined) return;
  const expected = "modules of gradstand/nn by name";
  requireResult(owner, part, typeof modules === "object" && modules !== null, expected, modules);
  for (const [name, module] of Object.entries(modules)) {
    requireResult(owner, `${part}.${name}`, module instanceof Module, "a module of gradstand/nn", module);
    const odd = module.namedParameters().find(([, parameter]) => parameter.dtype !== "float32");
    if (odd) wrongResult(owner, `${part}.${name}`, "float32 parameters", `'${odd[0]}' of ${odd[1].dtype}`);
  }
}

/** The result of a function that gives a tensor like its first input. */
function guardedTensor(owner: Owner, part: string, inputs: readonly Tensor[], call: () => unknown): Tensor {
  const before = watchesClosely() ? inputs.map((input) => input.values()) : [];
  const result = guardedCall(owner, part, call, true);
  const [like] = inputs as [Tensor];
  if (!(result instanceof Tensor)) wrongTensor(owner, part, result);
  const [expected, found] = [like.shape, result.shape];
  if (!sameShape(found, expected))
    wrongResult(
      owner,
      part,
      `a tensor of shape ${formatShape(expected)}, as its input`,
      `one of shape ${formatShape(found)}`,
    );
  if (result.dtype !== like.dtype)
    wrongResult(owner, part, `a ${like.dtype} tensor, as its input`, `a ${result.dtype} one; cast it`);
  if (watchesClosely()) {
    requireUntouched(owner, part, before, inputs);
    const at = firstNotFinite(result.values());
    if (at >= 0 && before.every((values) => firstNotFinite(values) === -1))
      wrongResult(
        owner,
        part,
        "finite numbers for finite inputs",
        `${result.values()[at]} at element ${at} of the flat result of shape ${formatShape(found)}`,
      );
  }
  return result;
}

/** Throws E_IMPURE when tensors do not hold the bits that they held before. */
export function requireUntouched(
  owner: Owner,
  part: string,
  before: readonly Numbers[],
  tensors: readonly Tensor[],
): void {
  const at = tensors.findIndex((tensor, i) => !sameBits(tensor.values(), before[i]!));
  if (at >= 0)
    fail(
      "E_IMPURE",
      `${owner.what} (${owner.path}): ${part} wrote to tensor ${at + 1} of those that it was given, which others use as well. ` +
        "Compute new tensors and leave the given ones as they are",
    );
}

function wrongTensor(owner: Owner, part: string, found: unknown): never {
  return wrongResult(
    owner,
    part,
    "a tensor",
    found === undefined ? "undefined; does the function lack a `return`?" : describe(found),
  );
}

function describe(found: unknown): string {
  if (found === null) return "null";
  return Array.isArray(found)
    ? "a list; make a tensor of it with operations, so that gradients flow"
    : `${typeof found}`;
}
