import { fail } from "../../errors/index.js";
import type { Idea, IdeaOptions } from "../../ideas/index.js";
import { suggestion } from "./nearest.js";

type OptionValue = IdeaOptions[string];

/**
 * Every option of an idea: what was given, and the default of the rest. A string is read as the type of the default,
 * so that words of a command line can be passed as they are.
 *
 * @throws E_IDEA for an unknown option, with the nearest name, or a value of another type
 */
export function resolveOptions(idea: Idea, given: IdeaOptions = {}): IdeaOptions {
  const known = Object.keys(idea.options);
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(idea.options, name)) {
      fail("E_IDEA", `the idea ${idea.name} has no option '${name}'; ${suggestion(name, known)}`);
    }
  }
  const read = (name: string): OptionValue =>
    Object.hasOwn(given, name) ? readOption(idea, name, given[name]) : idea.options[name];
  return Object.fromEntries(known.map((name) => [name, read(name)]));
}

function readOption(idea: Idea, name: string, value: OptionValue): OptionValue {
  const wanted = typeof idea.options[name];
  const read = typeof value === "string" && wanted !== "string" ? readText(value, wanted) : value;
  if (typeof read !== wanted || (typeof read === "number" && !Number.isFinite(read))) {
    const article =
      wanted === "number" ? "a finite number" : wanted === "boolean" ? "true or false" : "a word";
    fail("E_IDEA", `the option '${name}' of ${idea.name} takes ${article}; found ${JSON.stringify(value)}`);
  }
  return read;
}

function readText(text: string, wanted: string): OptionValue {
  if (wanted === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}
