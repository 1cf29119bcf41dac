import type { Plan } from "../bench/index.js";

/**
 * Sizes at which a tuned baseline is known to beat every floor of the track: in trials of these definitions at 2000 series,
 * `dynamics` reached 0.0050 (ridge 0.0126) after 20 epochs and `sequence` 0.040 (ridge 0.384) after 15.
 */
const informativeSizes = { train: 2000, test: 2000, epochs: 20 } as const;

/** The command whose run can tell whether the idea works, where this one cannot. */
export function informativeCommand({ idea, options, track, model, preset, protocol }: Plan): string {
  const changed = Object.entries(options).filter(([name, value]) => idea.options[name] !== value);
  const { train, test, epochs } = informativeSizes;
  return [
    `npx gradstand bench run ${idea.name}`,
    ...changed.map(([name, value]) => `--option ${name}=${String(value)}`),
    ...(track.name === idea.track ? [] : [`--track ${track.name}`]),
    ...(model.name === idea.model ? [] : [`--model ${model.name}`]),
    ...(preset.verdict && protocol.seeds.length !== preset.seeds.length
      ? [`--seeds ${protocol.seeds.length}`]
      : []),
    `--train ${train} --test ${test} --epochs ${epochs} --out reports/${idea.name}-informative`,
  ].join(" ");
}
