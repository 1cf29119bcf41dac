import { formatGiven, GradstandError } from "../../errors/index.js";
import type { Idea } from "../../ideas/index.js";
import { generator } from "../../random/index.js";
import { parseSignature } from "../signature.js";
import type { TensorFunction } from "../subject.js";
import type { Case } from "./case.js";
import { checkCase, type CheckOptions } from "./check-case.js";
import type { CheckLine } from "./check-line.js";

/**
 * The identities of an idea, its own one on gradients among them, then what holds of every change that it makes, with its default
 * options: results, zeros for a cotangent of zeros, the same bits twice. Differences are not asked for: an idea may bound or
 * replace its gradient on purpose, and then says so in its identities.
 */
export function* checkIdea(idea: Idea, options: CheckOptions): Generator<CheckLine> {
  const rng = generator(options.seed).stream(idea.name);
  const line = { subject: idea.name };
  try {
    for (const { name, passed, observed, bound, statement } of idea.checks(
      idea.options,
      rng.stream("checks"),
    ))
      yield {
        ...line,
        check: name,
        status: passed ? "passed" : "failed",
        worst: observed,
        tolerance: bound,
        ...(!passed && { message: `${statement}: observed ${observed}, bound ${bound}` }),
      };
  } catch (error) {
    yield { ...line, check: "checks", status: "failed", message: errorText(error) };
  }
  for (const change of changesOf(idea, options.seed))
    yield* checkCase(change, options, (law) => law === "ZeroCotangent" || law === "SameBits");
}

/** Each change as a case. An idea that draws numbers gets the same ones in every call, so that differences mean something.
 * The built-in models have 64 hidden units, for which an idea may ask. */
function changesOf(idea: Idea, seed: number): Case[] {
  const made = () => idea.change(idea.options, generator(seed).stream(idea.name).stream("change"));
  const of = (place: string, signature: string, f: TensorFunction): Case => ({
    name: `${idea.name}.${place}`,
    f,
    inputs: { signature: parseSignature(signature), domain: [-2, 2] },
  });
  const { hidden, attention } = made();
  return [
    ...(hidden ? [of("hidden", "(3,64)->(3,64)", (h) => made().hidden!(h))] : []),
    ...(attention
      ? [
          of("attention", "(2,2,6,4),(2,2,6,4),(2,2,6,4)->(2,2,6,4)", (q, k, v) =>
            made().attention!(q, k, v, { layer: 0 }),
          ),
        ]
      : []),
  ];
}

function errorText(error: unknown): string {
  return error instanceof GradstandError || error instanceof Error ? error.message : formatGiven(error);
}
