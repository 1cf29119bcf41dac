import { expect, test } from "vitest";
import { neverBegins, waitingLine } from "../../../src/bench/executors/slurm/pending.js";

const pending = (reason: string) => ({ state: "PENDING", reason });

test.each([
  ["JobHeldUser", /it is held \(JobHeldUser\)/],
  ["JobHeldAdmin", /it is held/],
  ["launch failed requeued held", /it is held/],
  ["JobHoldMaxRequeue", /it is held/],
  ["PartitionTimeLimit", /--timeout/],
  ["BadConstraints", /--sbatch/],
  ["DependencyNeverSatisfied", /--sbatch/],
  ["InvalidQOS", /--sbatch/],
  ["QOSMaxWallDurationPerJobLimit", /--sbatch/],
  ["AssocMaxCpuPerJobLimit", /--sbatch/],
])("%s ends only when somebody changes something", (reason, message) => {
  expect(neverBegins(pending(reason))).toMatch(message);
  expect(neverBegins({ state: "RUNNING", reason })).toBeUndefined();
});

test.each([
  "",
  "None",
  "Priority",
  "Resources",
  "Dependency",
  "PartitionNodeLimit",
  "ReqNodeNotAvail, UnavailableNodes:n1",
  "PartitionDown",
  "AssocMaxJobsLimit",
  "QOSMaxJobsPerUserLimit",
  "QOSGrpCpuLimit",
  "a word that does not exist yet",
])("%j may end by itself", (reason) => {
  expect(neverBegins(pending(reason))).toBeUndefined();
});

test("what array tasks wait for beside their turn is counted, and their turn is not told", () => {
  const turn = ["", "None", "Priority", "Resources", "JobArrayTaskLimit"].map(pending);
  expect(waitingLine([...turn, { state: "RUNNING", reason: "Licenses" }])).toBe("");
  const others = ["ReqNodeNotAvail, UnavailableNodes:n[1-4]", "Licenses", "Licenses"].map(pending);
  expect(waitingLine([...turn, ...others])).toBe(
    "array tasks wait in the queue of Slurm: 2 for Licenses; 1 for ReqNodeNotAvail, UnavailableNodes:n[1-4]; Ctrl-C cancels them",
  );
});
