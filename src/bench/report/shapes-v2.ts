import {
  anything,
  armName,
  boolean,
  count,
  either,
  interval,
  list,
  level,
  nullOr,
  number,
  object,
  oneOf,
  positive,
  rate,
  probability,
  record,
  seed,
  text,
} from "./shape.js";
import { controlsShape } from "./shapes-controls.js";
import { armFields, benchFields, configuration, mechanismSignatureV2 } from "./shapes.js";

const sweepRow = object({ cfg: configuration, ...armFields, seeds: list(seed, 1) });
const armTuning = object({ seeds: list(seed), configurations: count, cells: count, edge: list(text) });

const extension = object({
  rates: list(rate, 1),
  because: list(object({ arm: oneOf("baseline", "idea"), rate })),
});

const statistics = object({
  alpha: number,
  sign_flip: object({
    method: oneOf("exact", "monte-carlo"),
    extreme: number,
    total: number,
    p_value: number,
  }),
  paired_t: object({ t: number, df: number, p_value: number }),
  t_interval: nullOr(interval),
  sign_flip_interval: nullOr(interval),
  bca_interval: nullOr(interval),
  effect: object({
    relative_pct: number,
    dz: number,
    hedges_gz: number,
    hodges_lehmann: number,
    pair_correlation: number,
  }),
  improvement: object({ probability: number, interval: nullOr(interval) }),
  mde_80: object({ dz: number, difference: number, rel_pct: number }),
  equivalence: object({ margin_pct: number, margin: number, p_value: number }),
  needed_seeds: list(object({ difference_pct: number, pairs: nullOr(count) })),
});

const claim = object({
  quantity: text,
  statement: text,
  where: oneOf("random inputs", "trained model"),
  predicted: either(number, text, "a number or a string"),
  observed: number,
  tolerance: number,
  held: boolean,
  control: object({ what: text, observed: number, refuted: boolean }),
});

const cell = object(
  {
    key: text,
    arm: armName,
    cfg: configuration,
    seed,
    status: oneOf("ok", "diverged", "failed", "timeout"),
    metric: number,
    curve: list(number),
    parameters: number,
    steps: number,
    seconds: number,
  },
  {
    reason: text,
    evaluated: oneOf("validation", "test"),
    further: record(number),
    flops: number,
    memory: number,
  },
);

const furtherMetric = object({
  name: text,
  unit: text,
  direction: benchFields.metric_direction,
  description: text,
  baseline: object(armFields),
  idea: object(armFields),
  comparison: object({
    delta_mean: number,
    idea_wins: count,
    per_seed_diffs: list(number, 1),
    p_value: number,
  }),
});

const seedVerdict = object({
  profile: oneOf("seed-v1"),
  worked: boolean,
  comparison_verdict: text,
  system_verdict: text,
  practical_verdict: text,
  mechanism_ok: count,
  rule: text,
  reasons: list(text),
});

const strictVerdict = object(
  {
    profile: oneOf("strict"),
    verdict: text,
    system_verdict: text,
    mechanism_stands: boolean,
    caps: list(object({ code: text, text })),
    rule: text,
    reasons: list(text),
  },
  { needed_seeds: count },
);

const family = object({
  rule: oneOf("holm"),
  own: count,
  members: list(
    object({
      idea: text,
      track: text,
      model: text,
      p_value: nullOr(probability),
      holm: nullOr(number),
      benjamini_hochberg: nullOr(number),
    }),
    1,
  ),
});

const sequential = object(
  {
    looks: list(object({ pairs: count, evidence: number })),
    threshold: number,
    stopped: oneOf("evidence", "most", "diverged", "open", "not as declared"),
    p_value: number,
  },
  { interval: nullOr(interval) },
);

const cost = object(
  { parameters: nullOr(number), steps: nullOr(number), seconds: nullOr(number) },
  { flops: nullOr(number), memory: nullOr(number) },
);

const sections = {
  bench_version: oneOf(2),
  ...benchFields,
  mechanism_signature: mechanismSignatureV2,
  metric: text,
  subject: object({ name: text, title: text, options: record(anything) }),
  baseline: object({ best_cfg: configuration, sweep: list(sweepRow, 1), full: object(armFields) }),
  idea: object({ ...armFields, best_cfg: configuration, sweep: list(sweepRow, 1) }),
  math_verification: object({ passed: boolean }),
  protocol: object(
    {
      preset: text,
      epochs: count,
      n_train: count,
      n_test: count,
      batch_size: count,
      optimizer: text,
      alpha: level,
      grid: list(configuration),
      seeds: list(seed, 1),
    },
    {
      n_validation: count,
      rates: list(rate, 1),
      grid_options: record(list(number, 1)),
      most_extensions: oneOf(0, 1, 2),
      sequential: object({ start: positive, step: positive, most: positive }),
      planned_seeds: count,
      caps_version: oneOf(2),
    },
  ),
  statistics,
  family,
  tuning: object(
    {
      selection: oneOf("test", "validation"),
      baseline: armTuning,
      idea: armTuning,
      equal: boolean,
      inequalities: list(text),
    },
    { extensions: list(extension) },
  ),
  informative: boolean,
  floors: list(object({ name: text, seeds: list(seed, 1), ...armFields, beaten: boolean })),
  math_checks: list(
    object({ name: text, statement: text, observed: number, bound: number, passed: boolean }),
  ),
  mechanism: list(object({ seed, confirmed: boolean, claims: list(claim), figures: record(anything) })),
  verdicts: object({ seed_v1: seedVerdict, strict: strictVerdict }),
  confidence_reasons: list(text),
  cost,
  provenance: record(anything),
  cells: list(cell),
  digests: record(text),
};

/** The bench report of schema version 2. */
export const benchShapeV2 = object(sections, {
  controls: controlsShape(cost),
  further_metrics: list(furtherMetric),
  unmeasured: list(object({ seed, status: oneOf("failed", "timeout"), reason: text }), 1),
  sequential,
});
