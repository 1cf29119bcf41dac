import { annotation, typeImport, type Files, type TemplateNames } from "./template.js";

/** An idea that takes the mean out of a hidden state, its property test, and how to run both. */
export function ideaFiles(names: TemplateNames): Files {
  const { name, ending } = names;
  return {
    [`${name}.${ending}`]: idea(names),
    [`${name}.test.${ending}`]: propertyTest(names),
    [`${name}.md`]: readme(names),
  };
}

const idea = (names: TemplateNames): string => `import { randomNormal } from "gradstand";
${typeImport(names, "Tensor", "gradstand")}import { defineIdea } from "gradstand/bench";

/**
 * C(h) = h − (1 − keep)·mean(h), for states h of shape [batch, hidden]: of the mean of each state, a share \`keep\` is left.
 * Replace it by your own idea.
 */
export function centre(h${annotation(names, "Tensor")}, keep${annotation(names, "number")})${annotation(names, "Tensor")} {
  return h.sub(meanOf(h).mul(1 - keep));
}

/** The mean of each state, [batch, 1]. */
const meanOf = (h${annotation(names, "Tensor")}) => h.mean(1, { keepDims: true });

/** The largest |mean(after) − keep·mean(before)| over a batch: what the identity says is 0. */
function residual(before${annotation(names, "Tensor")}, after${annotation(names, "Tensor")}, keep${annotation(names, "number")})${annotation(names, "number")} {
  const errors = meanOf(after).sub(meanOf(before).mul(keep)).abs();
  return errors.max().item();
}

/** Rounding of float32 in a mean of some dozens of numbers near 1. */
const tolerance = 1e-6;

export default defineIdea({
  name: "${names.name}",
  title: "Hidden states without their mean",
  summary: "Takes the mean out of the hidden state after each step.",
  source: "an example to start from",
  // What it is tried on, unless the command line says otherwise: \`npx gradstand bench list\`.
  track: "dynamics",
  model: "rnn_small",
  // Every option with its default; \`--option keep=0.5\` changes one.
  options: { keep: 0 },

  // What replaces the hidden state of the model after each step. Draw from \`rng\` only.
  change(options) {
    return { hidden: (h) => centre(h, options.keep) };
  },

  // The identity, on random inputs, before anything is trained.
  checks(options, rng) {
    const h = randomNormal(rng, [100, 64]);
    const observed = residual(h, centre(h, options.keep), options.keep);
    return [
      {
        name: "mean",
        statement: "mean(C(h)) = keep·mean(h)",
        observed,
        bound: tolerance,
        passed: observed <= tolerance,
      },
    ];
  },

  // The same on the states of a trained model, and the control on which the claim must fail: the states as they were.
  measure(trained, options) {
    const states = trained.hiddenStates();
    const worst = (after${annotation(names, "(h: Tensor) => Tensor")}) =>
      Math.max(...states.map((h) => residual(h, after(h), options.keep)));
    const observed = worst((h) => centre(h, options.keep));
    const untouched = worst((h) => h);
    const held = observed <= tolerance;
    const refuted = untouched > tolerance;
    return {
      claims: [
        {
          quantity: "mean of a hidden state",
          statement: "max |mean(C(h)) − keep·mean(h)| = 0",
          where: "trained model",
          predicted: 0,
          observed,
          tolerance,
          held,
          control: { what: "the states without C", observed: untouched, refuted },
        },
      ],
      confirmed: held && refuted,
      figures: { states: states.length },
    };
  },
});
`;

const propertyTest = ({
  name,
}: TemplateNames): string => `import { generator, randomNormal } from "gradstand";
import { expectCorrectGradients, expectSameBits } from "gradstand/testing";
import { expect, test } from "vitest";
import idea, { centre } from "./${name}.js";

const seeds = Array.from({ length: 20 }, (_, seed) => seed);

test.each(seeds)("every identity holds on random inputs, seed %i", (seed) => {
  for (const keep of [0, 0.3, 1]) {
    const checks = idea.checks({ keep }, generator(seed));
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
  }
});

test.each(seeds)("the gradient is right, seed %i", (seed) => {
  const h = randomNormal(generator(seed), [3, 8], { dtype: "float64" });
  expectCorrectGradients((x) => centre(x, 0.3), [h]);
  expectSameBits((x) => centre(x, 0.3), [h]);
});

test("the identity fails where the key step is missing", () => {
  const h = randomNormal(generator(0), [3, 8]);
  const means = centre(h, 1).mean(1).abs().max().item();
  expect(means).toBeGreaterThan(1e-3);
});
`;

const readme = ({ name, ending }: TemplateNames): string => `# ${name}

    npm install --save-dev gradstand vitest                  # once
    npx vitest run ${name}                     # its identities and its gradient
    npx gradstand gradcheck ./${name}.${ending}                  # the same without a test runner
    npx gradstand bench run ./${name}.${ending} --preset quick   # a smoke run of seconds, without a verdict
    npx gradstand bench run ./${name}.${ending}                  # the whole experiment, with a verdict

\`${name}.${ending}\` is the idea: what it changes (\`change\`), what it promises (\`checks\`), and how to see it in a trained model (\`measure\`). An
edit makes new cells; what was computed for the text before stays stored. \`gradstand.config.json\` has settings of \`bench run\` that
hold in this folder. Writing an idea: \`node_modules/gradstand/docs/ideas.md\`.
`;
