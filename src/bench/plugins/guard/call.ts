import { fail, formatGiven, GradstandError, kindOfGiven } from "../../../errors/index.js";
import { requireSharedState, sharedState } from "../shared-state.js";
import { announceCall, watchesClosely } from "./watch.js";
import { userLine } from "./user-line.js";

/** Whose function is called: `the idea my-idea`, and the file that it comes from. */
export interface Owner {
  readonly what: string;
  readonly path: string;
}

/** Codes of what the guard itself found: passed on as they are. */
const own = new Set(["E_PLUGIN", "E_PLUGIN_FILE", "E_IMPURE"]);

/**
 * Calls a function of a user's, in which `Math.random` and `crypto.getRandomValues` are errors.
 *
 * @param part the function as a person calls it: `change()`
 * @param often whether training calls it in every step: then the costly checks are left to the trial
 * @throws E_PLUGIN when it throws, with what it threw and the line of the user's file
 * @throws E_IMPURE when it draws from the global random numbers, writes to what was frozen, or changes a prototype
 */
export function guardedCall<Result>(owner: Owner, part: string, call: () => Result, often = false): Result {
  announceCall(`${owner.what} (${owner.path}): ${part}`);
  const before = often && !watchesClosely() ? undefined : sharedState();
  const restore = forbidGlobalRandom(owner, part);
  let result: Result;
  try {
    result = call();
  } catch (error) {
    if (error instanceof GradstandError && own.has(error.code)) throw error;
    return fail(...failureOf(owner, part, error), { cause: error });
  } finally {
    restore();
  }
  if (before) requireSharedState(before, `${owner.what} (${owner.path}): ${part}`);
  if (result instanceof Promise) {
    result.catch(() => undefined);
    wrongResult(owner, part, "a result at once", "a promise; leave `async` out");
  }
  return result;
}

/** Throws E_PLUGIN for a result of another kind than asked for. */
export function wrongResult(owner: Owner, part: string, expected: string, found: string): never {
  fail("E_PLUGIN", `${owner.what} (${owner.path}): ${part}: expected ${expected}, got ${found}`);
}

/** Throws E_PLUGIN unless a result has the kind asked for. */
export function requireResult(
  owner: Owner,
  part: string,
  holds: boolean,
  expected: string,
  found: unknown,
): asserts holds {
  if (!holds)
    wrongResult(
      owner,
      part,
      expected,
      typeof found === "string" && found !== "" ? found : kindOfGiven(found),
    );
}

/** V8's words for a write to a frozen object. */
const frozenWrite =
  /^(Cannot assign to read only property|Cannot add property|Cannot delete property|Cannot redefine property|Cannot define property)/;

function failureOf(owner: Owner, part: string, error: unknown): ["E_PLUGIN" | "E_IMPURE", string] {
  const where = userLine(error, owner.path);
  const thrown = error instanceof Error ? textOf(error) : formatGiven(error);
  if (error instanceof TypeError && frozenWrite.test(error.message))
    return [
      "E_IMPURE",
      `${owner.what} (${owner.path}): ${part} writes to what it was given, which others use as well: ${thrown}${where}. ` +
        "Make a copy, and write to that",
    ];
  return ["E_PLUGIN", `${owner.what} (${owner.path}): ${part} threw ${thrown}${where}`];
}

function textOf(error: Error): string {
  const message = error.message.split("\n").slice(0, 3).join(" ");
  return error instanceof GradstandError ? message : `${error.name}: ${message}`;
}

/** Makes the global sources of random numbers throw, until the function that it returns is called. */
function forbidGlobalRandom(owner: Owner, part: string): () => void {
  const { random } = Math;
  const forbidden = (source: string) => (): never => {
    const error = new Error(source);
    return fail(
      "E_IMPURE",
      `${owner.what} (${owner.path}): ${part} draws from ${source}, whose numbers no seed determines${userLine(error, owner.path)}. ` +
        "Draw from the generator that it is given (rng.uniform(), rng.normal(), rng.stream(name))",
    );
  };
  Math.random = forbidden("Math.random");
  const source = globalThis.crypto as { getRandomValues?: unknown } | undefined;
  if (source !== undefined)
    Object.defineProperty(source, "getRandomValues", {
      value: forbidden("crypto.getRandomValues"),
      configurable: true,
      writable: true,
    });
  return () => {
    Math.random = random;
    if (source !== undefined) delete source.getRandomValues;
  };
}
