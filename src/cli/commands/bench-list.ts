import {
  fittingModels,
  floorNames,
  ideas,
  inspectFile,
  loadPlugins,
  models,
  presets,
  tracks,
  wordFor,
  type FittingModel,
  type LoadedFile,
} from "../../bench/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { isPath } from "../named-files.js";
import { printJson } from "../print-json.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

/** `gradstand bench list`: ideas, tracks, models and presets. */
export const benchList: Command = {
  path: ["bench", "list"],
  positionals: "[FILE..]",
  summary: "ideas, tracks, models and presets",
  describe:
    "Lists what the bench knows: ideas with their options, tracks with their floors, models, presets; and what files of your own bring. Each says where it comes from.",
  options: {},
  async run(args: Arguments, terminal: Terminal): Promise<number> {
    requireKnown(args, "bench list", Object.keys(commonOptions), []);
    const words = (args._ as unknown[]).map(String);
    const stray = words.filter((word) => !isPath(word));
    if (stray.length > 0) fail("E_USAGE", `bench list: expected nothing after it, got ${stray.join(" ")}`);
    const loaded: LoadedFile[] = [];
    for (const word of words) {
      await inspectFile(word, { timeout: 60 });
      loaded.push(await loadPlugins(word));
    }
    const from = (plugin: { readonly name: string }): string => {
      const word = wordFor(plugin);
      return word === plugin.name ? "built in" : word;
    };
    const allIdeas = [...ideas.values(), ...loaded.flatMap((file) => file.ideas)];
    const allModels = [...models.values(), ...loaded.flatMap((file) => file.models)];
    const listed = {
      ideas: allIdeas.map((idea) => {
        const { name, title, summary, source, track, model, options } = idea;
        const named = (byName: boolean): string[] =>
          (idea.controls ?? []).filter((one) => (one.byName ?? false) === byName).map((one) => one.name);
        return {
          name,
          from: from(idea),
          title,
          summary,
          source,
          track,
          model,
          options,
          controls: named(false),
          controlsByName: named(true),
        };
      }),
      tracks: [...tracks.values(), ...loaded.flatMap((file) => file.tracks)].map((track) => {
        const { name, title, description, metric, direction, defaultModel } = track;
        return {
          name,
          from: from(track),
          title,
          description,
          metric,
          direction,
          defaultModel,
          floors: floorNames(track),
          fits: fittingModels(track, allModels, allIdeas),
        };
      }),
      models: allModels.map((model) => ({
        name: model.name,
        from: from(model),
        description: model.description,
      })),
      presets: [...presets.values()].map(({ name, description }) => ({ name, description })),
    };
    if (args.json) printJson("bench list", listed, terminal);
    else printLists(listed, terminal);
    return exitCodes.done;
  },
};

function printLists(
  listed: {
    readonly ideas: readonly {
      name: string;
      from: string;
      title: string;
      summary: string;
      source: string;
      track: string;
      model: string;
      options: object;
      controls: readonly string[];
      controlsByName: readonly string[];
    }[];
    readonly tracks: readonly {
      name: string;
      from: string;
      title: string;
      description: string;
      metric: string;
      direction: string;
      defaultModel: string;
      floors: readonly string[];
      fits: readonly FittingModel[];
    }[];
    readonly models: readonly { name: string; from: string; description: string }[];
    readonly presets: readonly { name: string; description: string }[];
  },
  { out, colour }: Terminal,
): void {
  const heading = (text: string): void => out(`${colour.bold.underline(text)}`);
  const place = ({ from }: { readonly from: string }): string => colour.dim(`  [${from}]`);
  heading("Ideas");
  for (const idea of listed.ideas) {
    const options = Object.entries(idea.options).map(([name, value]) => `${name}=${String(value)}`);
    out(`  ${colour.cyan(idea.name)}  ${idea.title}${place(idea)}`);
    out(`    ${idea.summary}`);
    out(colour.dim(`    on ${idea.track} with ${idea.model}; options ${options.join(" ") || "none"}`));
    if (idea.controls.length > 0) out(colour.dim(`    controls ${idea.controls.join(" ")}`));
    if (idea.controlsByName.length > 0) out(colour.dim(`    by name  ${idea.controlsByName.join(" ")}`));
    out(colour.dim(`    ${idea.source}`));
  }
  heading("Tracks");
  for (const track of listed.tracks) {
    out(
      `  ${colour.cyan(track.name)}  ${track.title} (${track.metric}, ${track.direction} is better, ${track.defaultModel})${place(track)}\n    ${track.description}`,
    );
    out(colour.dim(`    floors ${track.floors.join(", ")}`));
    for (const { model, ideas } of track.fits)
      out(colour.dim(`    takes ${model} with ${ideas.join(" ") || "no idea: it has other places"}`));
  }
  heading("Models");
  for (const model of listed.models) out(`  ${colour.cyan(model.name)}  ${model.description}${place(model)}`);
  heading("Presets");
  for (const preset of listed.presets) out(`  ${colour.cyan(preset.name)}  ${preset.description}`);
}
