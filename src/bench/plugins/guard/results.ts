import { formatGiven, kindOfGiven } from "../../../errors/index.js";
import type { Claim, Idea, MathCheck, Signature } from "../../../ideas/index.js";
import { wrongResult, type Owner } from "./call.js";

/** Collects the first thing that is wrong with a result, and throws E_PLUGIN for it. */
class Reader {
  constructor(
    private readonly owner: Owner,
    private readonly part: string,
  ) {}

  wrong(where: string, expected: string, found: unknown): never {
    return wrongResult(this.owner, this.part, `${where} to be ${expected}`, kindOfGiven(found));
  }

  record(where: string, value: unknown): Readonly<Record<string, unknown>> {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      this.wrong(where, "an object", value);
    return value as Readonly<Record<string, unknown>>;
  }

  list(where: string, value: unknown): readonly unknown[] {
    return Array.isArray(value) ? (value as unknown[]) : this.wrong(where, "a list", value);
  }

  text(where: string, value: unknown): void {
    if (typeof value !== "string" || value === "") this.wrong(where, "a text", value);
  }

  truth(where: string, value: unknown): void {
    if (typeof value !== "boolean") this.wrong(where, "true or false", value);
  }

  number(where: string, value: unknown): void {
    if (typeof value !== "number" || Number.isNaN(value)) this.wrong(where, "a number", value);
  }

  oneOf(where: string, value: unknown, known: readonly string[]): void {
    if (!known.includes(value as string))
      this.wrong(where, known.map((word) => `"${word}"`).join(" or "), value);
  }

  /** Numbers, texts, truth values, null, lists and plain objects of these. */
  json(where: string, value: unknown, depth = 0): void {
    if (depth > 20) this.wrong(where, "data of at most 20 levels", "something deeper");
    if (value === null || typeof value === "string" || typeof value === "boolean") return;
    if (typeof value === "number") return this.number(where, value);
    if (Array.isArray(value))
      return value.forEach((entry, i) => this.json(`${where}[${i}]`, entry, depth + 1));
    const prototype: unknown = typeof value === "object" ? Object.getPrototypeOf(value) : undefined;
    if (prototype !== Object.prototype && prototype !== null)
      this.wrong(
        where,
        "plain data (numbers, texts, lists, objects)",
        prototype === undefined ? value : formatGiven(value),
      );
    for (const [key, entry] of Object.entries(value as object))
      this.json(`${where}.${key}`, entry, depth + 1);
  }
}

/** The mathematical checks of an idea. Throws E_PLUGIN naming what is wrong with them. */
export function readChecks(owner: Owner, part: string, value: unknown): readonly MathCheck[] {
  const read = new Reader(owner, part);
  read.list("its result", value).forEach((entry, i) => {
    const check = read.record(`check ${i}`, entry);
    const where = typeof check.name === "string" ? `'${check.name}'.` : `check ${i}: `;
    read.text(`${where}name`, check.name);
    read.text(`${where}statement`, check.statement);
    // An observed NaN is an identity that does not hold; the run says so.
    if (typeof check.observed !== "number") read.wrong(`${where}observed`, "a number", check.observed);
    read.number(`${where}bound`, check.bound);
    read.truth(`${where}passed`, check.passed);
  });
  return value as readonly MathCheck[];
}

/** The signature of a trained model. Throws E_PLUGIN naming what is wrong with it. */
export function readSignature(owner: Owner, part: string, value: unknown): Signature {
  const read = new Reader(owner, part);
  const signature = read.record("its result", value);
  const claims = read.list("claims", signature.claims);
  claims.forEach((entry, i) => readClaim(read, `claims[${i}]`, entry));
  read.truth("confirmed", signature.confirmed);
  read.json("figures", read.record("figures", signature.figures));
  const stands = (claims as readonly Claim[]).every(({ held, control }) => held && control.refuted);
  if (signature.confirmed !== (stands && claims.length > 0))
    wrongResult(
      owner,
      part,
      `confirmed to be ${String(stands && claims.length > 0)}: it means that there is a claim, that each held and that each control was refuted`,
      String(signature.confirmed),
    );
  return value as Signature;
}

function readClaim(read: Reader, where: string, entry: unknown): void {
  const claim = read.record(where, entry);
  read.text(`${where}.quantity`, claim.quantity);
  read.text(`${where}.statement`, claim.statement);
  read.oneOf(`${where}.where`, claim.where, ["random inputs", "trained model"]);
  if (typeof claim.predicted !== "string") read.number(`${where}.predicted`, claim.predicted);
  read.number(`${where}.observed`, claim.observed);
  read.number(`${where}.tolerance`, claim.tolerance);
  read.truth(`${where}.held`, claim.held);
  const control = read.record(`${where}.control`, claim.control);
  read.text(`${where}.control.what`, control.what);
  read.number(`${where}.control.observed`, control.observed);
  read.truth(`${where}.control.refuted`, control.refuted);
}

/** The summary of an idea. Throws E_PLUGIN naming what is wrong with it. */
export function readSummary(owner: Owner, part: string, value: unknown): ReturnType<Idea["summarize"]> {
  const read = new Reader(owner, part);
  const summary = read.record("its result", value);
  const mechanism = read.record("mechanism", summary.mechanism);
  const mathematics = read.record("mathematics", summary.mathematics);
  for (const figure of ["predicted", "observed"]) {
    if (mechanism[figure] === null || typeof mechanism[figure] === "string") continue;
    read.number(`mechanism.${figure}`, mechanism[figure]);
  }
  read.truth("mechanism.confirmed", mechanism.confirmed);
  read.truth("mathematics.passed", mathematics.passed);
  read.truth("confirmed", summary.confirmed);
  read.json("mechanism", mechanism);
  read.json("mathematics", mathematics);
  return value as ReturnType<Idea["summarize"]>;
}
