import { ideas, models, presets, tracks } from "../../bench/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { printJson } from "../print-json.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

/** `gradstand bench list`: ideas, tracks, models and presets. */
export const benchList: Command = {
  path: ["bench", "list"],
  positionals: "",
  summary: "ideas, tracks, models and presets",
  describe:
    "Lists what the bench knows: ideas with their options, tracks with their floors, models, presets.",
  options: {},
  run(args: Arguments, terminal: Terminal): number {
    requireKnown(args, "bench list", Object.keys(commonOptions), []);
    if ((args._ as unknown[]).length > 0)
      fail("E_USAGE", `bench list: expected nothing after it, got ${(args._ as unknown[]).join(" ")}`);
    const listed = {
      ideas: [...ideas.values()].map(({ name, title, summary, source, track, model, options }) => ({
        name,
        title,
        summary,
        source,
        track,
        model,
        options,
      })),
      tracks: [...tracks.values()].map(({ name, title, description, metric, direction, defaultModel }) => ({
        name,
        title,
        description,
        metric,
        direction,
        defaultModel,
      })),
      models: [...models.values()].map(({ name, description }) => ({ name, description })),
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
      title: string;
      summary: string;
      source: string;
      track: string;
      model: string;
      options: object;
    }[];
    readonly tracks: readonly {
      name: string;
      title: string;
      description: string;
      metric: string;
      defaultModel: string;
    }[];
    readonly models: readonly { name: string; description: string }[];
    readonly presets: readonly { name: string; description: string }[];
  },
  { out, colour }: Terminal,
): void {
  const heading = (text: string): void => out(`${colour.bold.underline(text)}`);
  heading("Ideas");
  for (const idea of listed.ideas) {
    const options = Object.entries(idea.options).map(([name, value]) => `${name}=${String(value)}`);
    out(`  ${colour.cyan(idea.name)}  ${idea.title}`);
    out(`    ${idea.summary}`);
    out(colour.dim(`    on ${idea.track} with ${idea.model}; options ${options.join(" ") || "none"}`));
    out(colour.dim(`    ${idea.source}`));
  }
  heading("Tracks");
  for (const track of listed.tracks)
    out(
      `  ${colour.cyan(track.name)}  ${track.title} (${track.metric}, ${track.defaultModel})\n    ${track.description}`,
    );
  heading("Models");
  for (const model of listed.models) out(`  ${colour.cyan(model.name)}  ${model.description}`);
  heading("Presets");
  for (const preset of listed.presets) out(`  ${colour.cyan(preset.name)}  ${preset.description}`);
}
