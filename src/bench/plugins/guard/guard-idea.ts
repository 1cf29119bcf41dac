import type { Tensor } from "../../../autograd/index.js";
import type { Idea, IdeaOptions, TrainedModel } from "../../../ideas/index.js";
import { summarizeClaims } from "../../../ideas/summarize-claims.js";
import type { Generator } from "../../../random/index.js";
import { guardedCall, type Owner } from "./call.js";
import { guardChange, requireUntouched } from "./guard-change.js";
import { readChecks, readSignature, readSummary } from "./results.js";

/**
 * The idea of a user's file with every call guarded: what goes in cannot be written to, what comes out has the shape that the
 * interface asks for, and what goes wrong is an error that names the idea, the function and the line. Results stay as they are,
 * to the bit.
 */
export function guardIdea(idea: Idea, path: string): Idea {
  const { name, title, summary, source, track, model } = idea;
  const owner: Owner = { what: `the idea ${name}`, path };
  const frozen = (options: IdeaOptions): IdeaOptions => Object.freeze({ ...options });
  const changeOf = (part: string, changing: Pick<Idea, "change">, options: IdeaOptions, rng: Generator) =>
    guardChange(
      owner,
      part,
      guardedCall(owner, part, () => changing.change(frozen(options), rng)),
    );
  return {
    name,
    title,
    summary,
    source,
    track,
    model,
    options: frozen(idea.options),
    ...(idea.controls && {
      controls: idea.controls.map((control) => ({
        ...control,
        change: (options: IdeaOptions, rng: Generator) =>
          changeOf(`controls '${control.name}': change()`, control, options, rng),
      })),
    }),
    change: (options, rng) => changeOf("change()", idea, options, rng),
    checks: (options, rng) =>
      readChecks(
        owner,
        "checks()",
        guardedCall(owner, "checks()", () => idea.checks(frozen(options), rng)),
      ),
    measure: (trained, options, rng) => {
      const watched = watchedModel(trained);
      const signature = guardedCall(owner, "measure()", () =>
        idea.measure(watched.model, frozen(options), rng),
      );
      requireUntouched(owner, "measure()", watched.before, watched.tensors);
      return readSignature(owner, "measure()", signature);
    },
    summarize: (checks, signatures) => {
      const copies = structuredClone({ checks, signatures });
      const summary = guardedCall(owner, "summarize()", () =>
        idea.summarize === undefined
          ? summarizeClaims(copies.checks, copies.signatures)
          : idea.summarize(copies.checks, copies.signatures),
      );
      return readSummary(owner, "summarize()", summary);
    },
  };
}

/** A trained model whose lists are frozen, and what its tensors hold now. */
function watchedModel(trained: TrainedModel) {
  const states = Object.freeze([...trained.hiddenStates()]);
  const inputs = Object.freeze(trained.attentionInputs().map((input) => Object.freeze({ ...input })));
  const tensors: readonly Tensor[] = [...states, ...inputs.flatMap(({ q, k, v }) => [q, k, v])];
  const model: TrainedModel = { ...trained, hiddenStates: () => states, attentionInputs: () => inputs };
  return { model, tensors, before: tensors.map((tensor) => tensor.values()) };
}
