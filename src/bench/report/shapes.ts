import {
  anything,
  boolean,
  count,
  either,
  list,
  nullOr,
  number,
  object,
  oneOf,
  record,
  seed,
  text,
} from "./shape.js";

/** A configuration: numbers by name, perhaps with other settings. */
export const configuration = record(anything);

/** Mean, std, values and n of one arm. */
export const armFields = { mean: number, std: number, per_seed: list(number, 1), n: count };

const sweepRow = object({ cfg: configuration, mean: number });

const expectation = either(number, text, "a number or a string");
const confirmation = { confirmed: boolean };
const mechanismDetails = {
  trained_model: either(boolean, record(anything), "an object, true or false"),
  relative_error: number,
};

/** The keys that every bench report has. */
export const benchFields = {
  track: text,
  model: text,
  metric_direction: oneOf("lower is better", "higher is better"),
  n_seeds: count,
  comparison: object({
    delta_mean: number,
    idea_wins: count,
    n_pairs: count,
    per_seed_diffs: list(number, 1),
    p_value: number,
    mde: number,
    mde_rel_pct: number,
    verdict: text,
    system_worked: boolean,
  }),
};

/** The bench report of schema version 1, in both shapes that the two reports have. */
export const benchShapeV1 = object(
  {
    bench_version: oneOf(1),
    ...benchFields,
    mechanism_signature: object(
      { predicted: expectation, observed: expectation, ...confirmation },
      mechanismDetails,
    ),
    baseline: object({ best_cfg: configuration, sweep: list(sweepRow, 1), full: object(armFields) }),
    idea: object(armFields, { best_cfg: configuration, sweep: list(sweepRow, 1) }),
  },
  {
    math_verification: object({ passed: boolean }),
    protocol: object(
      {},
      { epochs: count, n_train: count, n_test: count, grid: list(configuration), seeds: list(seed) },
    ),
  },
);

/** The mechanism of version 2, whose figures are null when no trained model could be measured. */
export const mechanismSignatureV2 = object(
  { predicted: nullOr(expectation), observed: nullOr(expectation), ...confirmation },
  mechanismDetails,
);

/** The keys around a bench report. */
export const statementFields = {
  worked: boolean,
  confidence: number,
  verdict: text,
  metrics: record(text),
  files: list(text),
  limitations: text,
  system_verdict: text,
  practical_verdict: text,
  mechanism_ok: count,
  system_judged: boolean,
};
