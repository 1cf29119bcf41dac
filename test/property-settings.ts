import fc from "fast-check";
import { poisonArena } from "../src/tensor/index.js";

/**
 * One seed for every property, so that a run repeats. `FAST_CHECK_SEED=n` picks another one, and
 * `FAST_CHECK_RUNS=n` the number of cases. An interrupted run is a failure, not a pass.
 */
const seed = Number(process.env.FAST_CHECK_SEED ?? 20_261_130);
const numRuns = Number(process.env.FAST_CHECK_RUNS ?? 60);

fc.configureGlobal({ seed, numRuns, interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true });

/** What a scope gives back is filled with NaN in every test: whoever still reads it gives wrong results at once. */
poisonArena(true);
