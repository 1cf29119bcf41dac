// Trains small cells of both ideas and their baselines, and prints the shapes of results that V8 does not hold as packed
// small integers, with the operation and the kind. To be run with --allow-natives-syntax.
import { observe } from "../../../src/autograd/observe.js";
import { runTrainingCell } from "../../../src/bench/cells/train-cell.js";
import { builtInIdeas } from "../../../src/ideas/index.js";
import type { Shape } from "../../../src/tensor/index.js";

const kindOf = new Function(
  "list",
  `return (%HasSmiElements(list) ? "integers" : %HasDoubleElements(list) ? "doubles" : "objects")
    + (%HasHoleyElements(list) ? ", holey" : "");`,
) as (list: Shape) => string;

const others = new Set<string>();
let results = 0;
const comparisons = [
  ["moment-rank2", "dynamics", "rnn_small"],
  ["residual-pivoted", "sequence", "transformer_tiny"],
] as const;
for (const [name, track, model] of [...comparisons, ...comparisons]) {
  for (const arm of ["baseline", "idea"] as const) {
    const options = builtInIdeas.get(name)!.options;
    const train = () =>
      runTrainingCell(
        {
          kind: "train",
          track,
          model,
          arm,
          cfg: { lr: 0.003 },
          seed: 1,
          trainSize: 40,
          validationSize: 0,
          testSize: 5,
          evaluate: "test",
          epochs: 2,
          batchSize: 32,
          optimizer: "adam",
          idea: arm === "idea" ? { name, options } : null,
        },
        builtInIdeas,
      );
    observe(({ op, output }) => {
      results++;
      const kind = kindOf(output.shape);
      if (kind !== "integers") others.add(`${op.name} of ${arm} on ${track}: ${kind}`);
    }, train);
  }
}
process.stdout.write(JSON.stringify({ results, others: [...others] }));
