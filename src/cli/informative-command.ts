import type { Plan } from "../bench/index.js";
import { shellLine } from "./shell-line.js";

/**
 * Sizes at which a baseline beat every floor: one cell of them on `dynamics` (`rnn_small`, lr 0.006, seed 0) came to an MSE
 * of 0.00527, where the best floor, ridge, has 0.0121.
 */
const informativeSizes = { train: 2000, test: 2000, epochs: 20 } as const;

/** The command whose run can tell whether the idea works, where this one cannot. */
export function informativeCommand({ idea, options, track, model, preset, protocol }: Plan): string {
  const changed = Object.entries(options).filter(([name, value]) => idea.options[name] !== value);
  const { train, test, epochs } = informativeSizes;
  const given: readonly (readonly [option: string, value: string | number])[] = [
    ...changed.map(([name, value]) => ["option", `${name}=${String(value)}`] as const),
    ...(track.name === idea.track ? [] : [["track", track.name] as const]),
    ...(model.name === idea.model ? [] : [["model", model.name] as const]),
    ...(preset.verdict && protocol.seeds.length !== preset.seeds.length
      ? [["seeds", protocol.seeds.length] as const]
      : []),
    ["train", train],
    ["test", test],
    ["epochs", epochs],
    ["out", `reports/${idea.name}-informative`],
  ];
  const words = given.flatMap(([option, value]) => [`--${option}`, String(value)]);
  return shellLine(["npx", "gradstand", "bench", "run", idea.name, ...words]);
}
