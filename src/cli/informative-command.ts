import { defaultPreset, presets, wordFor, type Plan } from "../bench/index.js";
import { shellLine } from "./shell-line.js";

/**
 * The command whose run can tell whether the idea works, where this one cannot: the default preset, and twice its
 * training series and epochs where those of this run were no smaller.
 */
export function informativeCommand({ idea, options, track, model, preset, protocol }: Plan): string {
  const changed = Object.entries(options).filter(([name, value]) => idea.options[name] !== value);
  const full = presets.get(defaultPreset)?.tracks[track.name];
  const larger = full && protocol.trainSize >= full.trainSize && protocol.epochs >= full.epochs;
  const given: readonly (readonly [option: string, value: string | number])[] = [
    ...changed.map(([name, value]) => ["option", `${name}=${String(value)}`] as const),
    ...(track.name === idea.track ? [] : [["track", wordFor(track)] as const]),
    ...(model.name === idea.model ? [] : [["model", wordFor(model)] as const]),
    ...(preset.name === defaultPreset && protocol.seeds.length !== preset.seeds.length
      ? [["seeds", protocol.seeds.length] as const]
      : []),
    ...(larger
      ? ([
          ["train", 2 * protocol.trainSize],
          ["epochs", 2 * protocol.epochs],
        ] as const)
      : []),
    ["out", `reports/${idea.name}-informative`],
  ];
  const words = given.flatMap(([option, value]) => [`--${option}`, String(value)]);
  return shellLine(["npx", "gradstand", "bench", "run", wordFor(idea), ...words]);
}
