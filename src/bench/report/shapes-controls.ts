import {
  count,
  interval,
  level,
  list,
  nullOr,
  number,
  object,
  oneOf,
  seed,
  text,
  type Shape,
} from "./shape.js";
import { armFields, configuration } from "./shapes.js";

const words = { name: text, title: text, statement: text, why: text };

const comparison = object({
  delta_mean: number,
  wins: count,
  n_pairs: count,
  p_value: number,
  p_adjusted: number,
  interval: nullOr(interval),
});

/** The section `controls`; `cost` is the shape of cost ratios. */
export const controlsShape = (cost: Shape): Shape =>
  object({
    alpha: level,
    arms: list(
      object({
        ...words,
        ...armFields,
        kind: oneOf("trained", "evaluated"),
        best_cfg: configuration,
        sweep: list(object({ cfg: configuration, ...armFields, seeds: list(seed, 1) })),
        versus_baseline: comparison,
        versus_idea: comparison,
        idea_is: oneOf("better", "worse", "not shown to differ", "not comparable"),
        cost,
      }),
    ),
    is_baseline: list(object(words)),
    finding: text,
  });
