import type { Claim, Idea, MathCheck, Signature } from "../../../src/ideas/index.js";

const check: MathCheck = { name: "zero", statement: "0 = 0", observed: 0, bound: 1e-9, passed: true };

/** A claim about the trained model: it has hidden states, and they are not all zero. */
function aliveClaim(norm: number): Claim {
  return {
    quantity: "norm of the last hidden state",
    statement: "‖h‖ > 0",
    where: "trained model",
    predicted: "> 0",
    observed: norm,
    tolerance: 0,
    held: norm > 0,
    control: { what: "a zero state", observed: 0, refuted: true },
  };
}

/** An idea that leaves the hidden state of rnn_small as it is, with some parts replaced. */
export function exampleIdea(replaced: Partial<Idea> = {}): Idea {
  return {
    name: "example",
    title: "Nothing",
    summary: "changes nothing",
    source: "none",
    track: "dynamics",
    model: "rnn_small",
    options: { strength: 1, form: "B", loud: false },
    change: () => ({ hidden: (hidden) => hidden }),
    checks: () => [check],
    measure: (trained): Signature => {
      const last = trained.hiddenStates().at(-1);
      const norm = last === undefined ? 0 : Math.hypot(...last.values());
      return {
        claims: [aliveClaim(norm)],
        confirmed: norm > 0,
        figures: { norm, states: trained.hiddenStates().length },
      };
    },
    summarize: (checks, signatures) => ({
      mechanism: { predicted: "> 0", observed: signatures.map(({ seed }) => seed), confirmed: true },
      mathematics: { passed: checks.every(({ passed }) => passed) },
      confirmed: signatures.every(({ signature }) => signature.confirmed),
    }),
    ...replaced,
  };
}
