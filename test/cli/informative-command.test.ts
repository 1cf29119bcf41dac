import { expect, test } from "vitest";
import { models, planRun, type PlanRequest } from "../../src/bench/index.js";
import { informativeCommand } from "../../src/cli/informative-command.js";

const command = (request: PlanRequest): string => informativeCommand(planRun(request));
const out = "--out reports/moment-rank2-informative";

test("the informative command is the default protocol, in a folder of its own", () => {
  for (const smaller of [{ preset: "quick" }, { preset: "seed" }, { sizes: { trainSize: 200 } }])
    expect(command({ idea: "moment-rank2", ...smaller })).toBe(`npx gradstand bench run moment-rank2 ${out}`);
});

test("where the run was as large as the default one, twice the series and epochs", () => {
  expect(command({ idea: "moment-rank2" })).toBe(
    `npx gradstand bench run moment-rank2 --train 4000 --epochs 40 ${out}`,
  );
});

test("it keeps another track, model, option and number of seeds", () => {
  const plan = planRun({
    idea: "moment-rank2",
    track: "sequence",
    options: { rank: 3 },
    seeds: 12,
    sizes: { epochs: 2 },
  });
  expect(informativeCommand({ ...plan, model: models.get("transformer_tiny")! })).toBe(
    "npx gradstand bench run moment-rank2 --option rank=3 --track sequence --model transformer_tiny --seeds 12 " +
      out,
  );
});

test("what a shell would take apart is quoted", () => {
  const plan = planRun({ idea: "moment-rank2" });
  expect(informativeCommand({ ...plan, options: { form: "A or B" } })).toContain(" --option 'form=A or B' ");
});
