import type { Json } from "../../ideas/index.js";
import { canonicalJson } from "../cells/canonical.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import { idOf } from "../plugins/registry.js";
import type { Plan } from "./plan.js";

/** A plan as plain data, with the hash of the code that computes its cells: two plans do the same when they are equal here. */
export function plainPlan(plan: Plan): Readonly<Record<string, Json>> {
  const { idea, options, track, model, protocol, arms, sweep } = plan;
  const plain = {
    idea: idea.name,
    options,
    track: idOf(track),
    model: idOf(model),
    protocol,
    arms,
    sweep,
    code: packageFingerprint(),
  };
  return JSON.parse(JSON.stringify(plain)) as Record<string, Json>;
}

/** Where two plain plans differ, each as `path: was …, is …`; none when they are the same. */
export function planDifferences(was: Json | undefined, is: Json | undefined, where = ""): readonly string[] {
  if (text(was) === text(is)) return [];
  if (isRecord(was) && isRecord(is)) {
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    return names.flatMap((name) =>
      planDifferences(was[name], is[name], where === "" ? name : `${where}.${name}`),
    );
  }
  return [`${where}: was ${text(was)}, is ${text(is)}`];
}

const text = (value: Json | undefined): string => (value === undefined ? "absent" : canonicalJson(value));

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
