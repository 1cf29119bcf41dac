import fc from "fast-check";
import { poisonArena } from "../src/tensor/index.js";
import { depth, normalRuns, runs } from "./runs.js";

/**
 * One seed for every property, so that a run repeats; `FAST_CHECK_SEED=n` picks another one. An interrupted run is a
 * failure, not a pass.
 */
const seed = Number(process.env.FAST_CHECK_SEED ?? 20_261_130);

fc.configureGlobal({
  seed,
  numRuns: runs(normalRuns),
  interruptAfterTimeLimit: 50_000 * Math.max(1, depth),
  markInterruptAsFailure: true,
});

/** What a scope gives back is filled with NaN in every test: whoever still reads it gives wrong results at once. */
poisonArena(true);
