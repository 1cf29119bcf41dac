import path from "node:path";
import { suggestion } from "../../bench/index.js";
import { loadModule } from "../../bench/plugins/load-module.js";
import { fail, GradstandError } from "../../errors/index.js";
import type { Inspected, InspectOptions } from "../../inspect/index.js";
import { Module } from "../../nn/index.js";
import { generator } from "../../random/index.js";
import { casesOf } from "../../testing/gradcheck-file/case.js";
import { drawInputs } from "../../testing/gradcheck-file/draw.js";
import type { InspectSubject } from "./subject.js";

/** A function without parameters, which may name the modules that it uses. */
type Run = (() => never) & { readonly module?: unknown };

/**
 * What a file exports that can be inspected: what `gradcheck` would check (functions and modules with inputs or a signature), and
 * functions without parameters, such as the loss of a training step. Exported modules give names to parameters.
 *
 * @param only the name of the one that is meant, where there are several
 * @throws E_INSPECT_FILE when the file cannot be imported, or exports nothing that can be inspected
 * @throws E_USAGE when it is not clear which one is meant
 */
export async function fileSubject(
  file: string,
  only: string | undefined,
  seed: number,
): Promise<InspectSubject> {
  const { exports } = await loadModule(file, "E_INSPECT_FILE");
  const found = coded(() => subjectsIn(exports, seed));
  const names = [...found.keys()];
  if (names.length === 0)
    fail(
      "E_INSPECT_FILE",
      `${file}: expected it to export a function without parameters, or a function or module with inputs or a signature; ` +
        `it exports ${Object.keys(exports).join(", ") || "nothing"}`,
    );
  if (only !== undefined && !found.has(only))
    fail("E_USAGE", `--only: ${file} has nothing called '${only}' to inspect; ${suggestion(only, names)}`);
  const name = only ?? (names.length === 1 ? names[0]! : names.find((one) => one === "default"));
  if (name === undefined)
    fail(
      "E_USAGE",
      `inspect: ${file} has several things to inspect: ${names.join(", ")}; choose one with --only`,
    );
  const { f, inputs, options } = found.get(name)!;
  return { f, inputs, options: { subject: `${path.basename(file)}: ${name}`, sources: true, ...options } };
}

function subjectsIn(exports: Readonly<Record<string, unknown>>, seed: number): Map<string, InspectSubject> {
  const modules = Object.fromEntries(
    Object.entries(exports).filter((entry): entry is [string, Module] => entry[1] instanceof Module),
  );
  const found = new Map<string, InspectSubject>();
  for (const { name, f, inputs, module } of casesOf(exports).cases) {
    const given = "signature" in inputs ? drawInputs(inputs, generator(seed).stream(name)) : inputs;
    found.set(name, {
      f: f as Inspected,
      inputs: given,
      options: {
        ...namesOf(f instanceof Module ? f : module, modules),
        names: parameterNames(f instanceof Module ? (f as { forward?: unknown }).forward : f),
      },
    });
  }
  for (const [name, value] of Object.entries(exports)) {
    if (typeof value !== "function" || value.length > 0 || /^class\b/.test(String(value))) continue;
    const { module, name: own } = value as Run;
    const title = name === "default" && own && !/^_?default$/.test(own) ? own : name;
    if (found.has(title)) continue;
    found.set(title, { f: value as Inspected, inputs: [], options: namesOf(module, modules) });
  }
  return found;
}

/** The names of a function's parameters, where its text shows that they are plain names. */
function parameterNames(f: unknown): string[] {
  if (typeof f !== "function") return [];
  const list = /^[\w\s$]*\(([^()]*)\)|^(?:async\s+)?([\w$]+)\s*=>/.exec(Function.prototype.toString.call(f));
  const names = (list?.[1] ?? list?.[2] ?? "").split(",").map((name) => name.trim());
  return names.every((name) => /^[\p{L}_$][\p{L}\d_$]*$/u.test(name)) ? names : [];
}

function namesOf(module: unknown, exported: Readonly<Record<string, Module>>): InspectOptions {
  if (module instanceof Module) return { modules: module };
  return Object.keys(exported).length > 0 ? { modules: exported } : {};
}

/** Runs `f`; what `gradcheck` could not check is not well formed for this command either. */
function coded<R>(f: () => R): R {
  try {
    return f();
  } catch (error) {
    if (!(error instanceof GradstandError) || error.code !== "E_GRADCHECK_FILE") throw error;
    return fail("E_INSPECT_FILE", error.message.slice(error.code.length + 2), { cause: error });
  }
}
