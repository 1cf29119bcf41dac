import { annotation, typeImport, type Files, type TemplateNames } from "./template.js";

/** A track of noisy waves, its property test, and how to run both. */
export function trackFiles(names: TemplateNames): Files {
  const { name, ending } = names;
  return {
    [`${name}.${ending}`]: track(names),
    [`${name}.test.${ending}`]: propertyTest(names),
    [`${name}.md`]: readme(names),
  };
}

const track = (
  names: TemplateNames,
): string => `import { defineTrack, makeSeries, standardFloors } from "gradstand/bench";
${typeImport(names, "SeriesRecipe", "gradstand/bench")}

const STEPS = 24;
const HORIZON = 4;
const NOISE = 0.1;

/** One series: fills the readings and the target. It draws from \`rng\` and from nothing else. */
const recipe${annotation(names, "SeriesRecipe")} = {
  input: { kind: "series", steps: STEPS, features: 1 },
  outputs: 1,
  draw(rng, readings, target) {
    const [frequency] = rng.uniforms(1, 0.2, 0.6);
    const [phase] = rng.uniforms(1, 0, 2 * Math.PI);
    const noise = rng.normals(STEPS, 0, NOISE);
    for (let t = 0; t < STEPS; t++) readings[t] = Math.sin(frequency * t + phase) + noise[t];
    target[0] = Math.sin(frequency * (STEPS - 1 + HORIZON) + phase);
  },
};

export default defineTrack({
  name: "${names.name}",
  title: "Noisy waves",
  description:
    "sin(ωt + φ), ω ~ U(0.2, 0.6), φ ~ U(0, 2π), 24 readings with noise of standard deviation 0.1; to predict: the clean " +
    "reading 4 after the last.",
  metric: "MSE",
  direction: "lower",
  loss: "squared error",
  defaultModel: "rnn_small",
  input: recipe.input,
  outputs: recipe.outputs,
  make: (seed, sizes) => makeSeries(recipe, seed, sizes),
  floors: (data) => standardFloors(data, recipe),
});
`;

const propertyTest = ({ name }: TemplateNames): string => `import { expect, test } from "vitest";
import track from "./${name}.js";

const sizes = { train: 5, validation: 2, test: 3 };

test("a seed gives the same data again, and another seed others", () => {
  expect(track.make(0, sizes)).toEqual(track.make(0, sizes));
  expect(track.make(1, sizes).train.x).not.toEqual(track.make(0, sizes).train.x);
});

test("a longer part begins with the shorter one, and no part shifts another", () => {
  const [short, long] = [track.make(0, sizes), track.make(0, { ...sizes, train: 9 })];
  expect(long.train.x.subarray(0, short.train.x.length)).toEqual(short.train.x);
  expect(long.test).toEqual(short.test);
});

test("its floors are numbers", () => {
  const floors = track.floors(track.make(0, { train: 50, validation: 0, test: 20 }));
  for (const { value } of floors) expect(value).toBeGreaterThan(0);
});
`;

const readme = ({ name, ending }: TemplateNames): string => `# ${name}

    npm install --save-dev gradstand vitest                                                # once
    npx vitest run ${name}                                                   # its properties
    npx gradstand bench run moment-rank2 --track ./${name}.${ending} --preset quick            # a smoke run of seconds, without a verdict

\`${name}.${ending}\` is the track: its data (\`make\`) and the floors that a model has to beat (\`floors\`). Any idea runs on it, those of your own
files too. Writing ideas and tracks: \`node_modules/gradstand/docs/ideas.md\`.
`;
