import { annotation, typeImport, type Files, type TemplateNames } from "./template.js";

/** A recurrent model with a place for a change of its hidden state, its property test, and how to run both. */
export function modelFiles(names: TemplateNames): Files {
  const { name, ending } = names;
  return {
    [`${name}.${ending}`]: model(names),
    [`${name}.test.${ending}`]: propertyTest(names),
    [`${name}.md`]: readme(names),
  };
}

const model = (names: TemplateNames): string => `import { noGrad } from "gradstand";
${typeImport(names, "Tensor", "gradstand")}import { defineModel } from "gradstand/bench";
import { GRU, Linear, Module } from "gradstand/nn";

const HIDDEN = 64;

/** Parameters are found in the properties of a module, by name. */
class Network extends Module {
${names.ending === "ts" ? "  readonly gru: GRU;\n  readonly wide: Linear;\n  readonly head: Linear;\n\n" : ""}  constructor(gru${annotation(names, "GRU")}, wide${annotation(names, "Linear")}, head${annotation(names, "Linear")}) {
    super();
    this.gru = gru;
    this.wide = wide;
    this.head = head;
  }
}

export default defineModel({
  name: "${names.name}",
  title: "Recurrent network with two layers on top",
  description: "GRU with 64 hidden units, a layer of 32 with GELU, linear head on the last state",
  // What an idea may change in it.
  places: ["hidden"],
  accepts: (input) => input.kind === "series",

  // Each part draws from a stream of its own, so that both arms begin with the same parameters whatever a change leaves out.
  build({ input, outputs }, rng, change) {
    let seen${annotation(names, "Tensor[] | undefined")};
    const onStep = (h${annotation(names, "Tensor")}) => {
      seen?.push(h);
      return change.hidden ? change.hidden(h) : h;
    };
    const gru = new GRU(input.features, HIDDEN, { rng: rng.stream("gru"), onStep });
    const wide = new Linear(HIDDEN, 32, { rng: rng.stream("wide") });
    const head = new Linear(32, outputs, { rng: rng.stream("head") });
    const module = new Network(gru, wide, head);
    const forward = (x${annotation(names, "Tensor")}) => head.forward(wide.forward(gru.forward(x).hidden.slice([0])).gelu());
    return {
      module,
      forward,
      // What an idea may look at: the hidden states before the change.
      observe(x) {
        const states${annotation(names, "Tensor[]")} = [];
        seen = states;
        noGrad(() => forward(x));
        seen = undefined;
        return { hiddenStates: () => states, attentionInputs: () => [] };
      },
    };
  },
});
`;

const propertyTest = (names: TemplateNames): string => `import { generator, randomNormal } from "gradstand";
import { expect, test } from "vitest";
import model from "./${names.name}.js";

const shape = { input: { kind: "series", steps: 5, features: 2 }, outputs: 3 }${names.ending === "ts" ? " as const" : ""};

test("a change of the hidden state shifts no parameter, and is seen in the forecast", () => {
  const plain = model.build(shape, generator(0), {});
  const changed = model.build(shape, generator(0), { hidden: (h) => h.mul(0.5) });
  const values = (built${annotation(names, "ReturnType<typeof model.build>")}) => built.module.parameters().map((parameter) => parameter.values());
  expect(values(changed)).toEqual(values(plain));
  const x = randomNormal(generator(1), [4, 5, 2]);
  expect(plain.forward(x).shape).toEqual([4, 3]);
  expect(changed.forward(x).values()).not.toEqual(plain.forward(x).values());
  expect(changed.observe(x).hiddenStates()).toHaveLength(5);
});
`;

const readme = ({ name, ending }: TemplateNames): string => `# ${name}

    npm install --save-dev gradstand vitest                                                # once
    npx vitest run ${name}                                                   # its properties
    npx gradstand bench run moment-rank2 --model ./${name}.${ending} --preset quick            # a smoke run of seconds, without a verdict

\`${name}.${ending}\` is the model: how it is built, what it predicts (\`forward\`), and what an idea may look at (\`observe\`). Writing ideas, tracks and
models: \`node_modules/gradstand/docs/ideas.md\`.
`;
