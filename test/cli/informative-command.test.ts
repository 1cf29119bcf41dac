import { expect, test } from "vitest";
import { models, planRun, type PlanRequest } from "../../src/bench/index.js";
import { informativeCommand } from "../../src/cli/informative-command.js";

const command = (request: PlanRequest): string => informativeCommand(planRun(request));
const sizes = "--train 2000 --test 2000 --epochs 20";

test("the informative command names the idea, larger sizes, and a folder of its own", () => {
  const expected = `npx gradstand bench run moment-rank2 ${sizes} --out reports/moment-rank2-informative`;
  expect(command({ idea: "moment-rank2" })).toBe(expected);
  expect(command({ idea: "moment-rank2", preset: "quick" })).toBe(expected);
});

test("it keeps another track, model, option and number of seeds", () => {
  const plan = planRun({ idea: "moment-rank2", track: "sequence", options: { rank: 3 }, seeds: 12 });
  expect(informativeCommand({ ...plan, model: models.get("transformer_tiny")! })).toBe(
    "npx gradstand bench run moment-rank2 --option rank=3 --track sequence --model transformer_tiny --seeds 12 " +
      `${sizes} --out reports/moment-rank2-informative`,
  );
});

test("what a shell would take apart is quoted", () => {
  const plan = planRun({ idea: "moment-rank2" });
  expect(informativeCommand({ ...plan, options: { form: "A or B" } })).toContain(" --option 'form=A or B' ");
});
