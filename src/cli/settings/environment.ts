import { suggestion } from "../../bench/index.js";
import { fail } from "../../errors/index.js";

const PREFIX = "GRADSTAND_";

/** Variables that are no settings of a run: the kernels of every command, and what builds and tests look at. */
const others = ["KERNELS", "NO_BUILD", "CHROMIUM", "PYTHON"].map((name) => PREFIX + name);

/** The variable of a setting: `GRADSTAND_TUNING_SEEDS` for `tuning-seeds`. */
export function variableOf(setting: string): string {
  return PREFIX + setting.toUpperCase().replaceAll("-", "_");
}

/**
 * The settings that an environment sets, by their names; an empty variable sets none.
 *
 * @throws E_USAGE for a variable that begins with GRADSTAND_ and is none, with the nearest name
 */
export function environmentSettings(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const known = new Map(names.map((name) => [variableOf(name), name]));
  const set = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[0].startsWith(PREFIX) && entry[1] !== undefined && entry[1] !== "" && !others.includes(entry[0]),
  );
  return Object.fromEntries(
    set.map(([variable, value]) => {
      const name = known.get(variable);
      if (name === undefined)
        fail(
          "E_USAGE",
          `the environment sets ${variable}, which is no setting; ${suggestion(variable, [...known.keys(), ...others])}`,
        );
      return [name, value];
    }),
  );
}
