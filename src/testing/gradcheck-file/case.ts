import { Tensor } from "../../autograd/index.js";
import { fail, GradstandError } from "../../errors/index.js";
import type { Idea } from "../../ideas/index.js";
import { Module } from "../../nn/index.js";
import { parseSignature, type Signature } from "../signature.js";
import type { Subject } from "../subject.js";

/** A function or module of a file with the inputs on which it is to be checked. */
export interface Case {
  readonly name: string;
  readonly f: Subject;
  /** Inputs that the file gives, or how they are drawn. */
  readonly inputs: readonly Tensor[] | Drawn;
  /** A module whose parameters the function uses: they are checked as well. */
  readonly module?: Module;
  /** Overrides the tolerance of the gradients. */
  readonly tolerance?: number;
}

/** Inputs by signature, evenly distributed in a domain. */
export interface Drawn {
  readonly signature: Signature;
  readonly domain: readonly [low: number, high: number];
}

/** What a file exports that can be checked. */
export interface Found {
  readonly cases: readonly Case[];
  readonly ideas: readonly Idea[];
  /** Functions and modules that say neither inputs nor signature. */
  readonly passedOver: readonly string[];
}

const keys = new Set(["name", "f", "inputs", "signature", "domain", "tolerance", "module"]);

/**
 * The cases among the exports of a file: functions with a property `signature` or `inputs`; records `{ name, f, inputs |
 * signature, domain, tolerance, module }`, whose f may be a module; ideas; lists of these. Other exports are left alone.
 *
 * @throws E_GRADCHECK_FILE for a case that is not well formed
 */
export function casesOf(exports: Readonly<Record<string, unknown>>): Found {
  const cases: Case[] = [];
  const ideas: Idea[] = [];
  const passedOver: string[] = [];
  const seen = new Set<unknown>();
  const visit = (name: string, value: unknown): void => {
    if ((typeof value !== "function" && typeof value !== "object") || value === null || seen.has(value))
      return;
    seen.add(value);
    if (Array.isArray(value)) value.forEach((entry, i) => visit(`${name}[${i}]`, entry));
    else if (isIdea(value)) ideas.push(value);
    else if (typeof value === "function" || value instanceof Module) {
      const given = value as { readonly signature?: unknown; readonly inputs?: unknown };
      const described = given.signature !== undefined || Array.isArray(given.inputs);
      if (described) cases.push(caseOf(name, { ...pick(given), f: value }));
      else if (!isClass(value)) passedOver.push(name);
    } else if (Object.hasOwn(value, "f"))
      cases.push(caseOf(name, value as Readonly<Record<string, unknown>>));
  };
  const { default: main, ...named } = exports;
  for (const [name, value] of Object.entries(named)) visit(name, value);
  const own = typeof main === "function" && main.name !== "default" ? main.name : "";
  visit(own === "" ? "default" : own, main);
  return { cases, ideas, passedOver };
}

/** The properties of a function or module that describe how it is checked. */
function pick(value: object): Record<string, unknown> {
  const described = value as Readonly<Record<string, unknown>>;
  const inputs = Array.isArray(described.inputs) ? { inputs: described.inputs as unknown } : {};
  return {
    ...inputs,
    ...Object.fromEntries(
      ["signature", "domain", "tolerance", "module"]
        .filter((key) => key in value)
        .map((key) => [key, described[key]]),
    ),
  };
}

function caseOf(exported: string, record: Readonly<Record<string, unknown>>): Case {
  const { name = exported, f, inputs, signature, domain = [-2, 2], tolerance, module } = record;
  const wrong = (what: string): never => fail("E_GRADCHECK_FILE", `${exported}: ${what}`);
  const stray = Object.keys(record).find((key) => !keys.has(key));
  if (stray !== undefined) wrong(`there is no property ${stray}; a case has ${[...keys].join(", ")}`);
  if (typeof name !== "string" || name === "") wrong(`name: expected a text, got ${String(name)}`);
  if (typeof f !== "function" && !(f instanceof Module && "forward" in f))
    wrong(`f: expected a function of tensors, or a module with forward, got ${kindOf(f)}`);
  if ((inputs === undefined) === (signature === undefined))
    wrong(
      `expected either inputs (a list of tensors) or a signature such as "(m,n),(n,p)->(m,p)", got ${inputs === undefined ? "neither" : "both"}`,
    );
  if (tolerance !== undefined && !(typeof tolerance === "number" && tolerance > 0))
    wrong(`tolerance: expected a number above 0, got ${String(tolerance)}`);
  if (module !== undefined && !(module instanceof Module))
    wrong(`module: expected a module, got ${kindOf(module)}`);
  return {
    name: name as string,
    f: f as Case["f"],
    inputs: inputs === undefined ? drawnOf(wrong, signature, domain) : listOf(wrong, inputs),
    ...(module !== undefined && { module: module as Module }),
    ...(tolerance !== undefined && { tolerance: tolerance as number }),
  };
}

function drawnOf(wrong: (what: string) => never, signature: unknown, domain: unknown): Drawn {
  const [low, high] = Array.isArray(domain) ? (domain as unknown[]) : [];
  if (typeof low !== "number" || typeof high !== "number" || !(low < high && Number.isFinite(high - low)))
    wrong(`domain: expected [low, high] with low < high, got ${JSON.stringify(domain)}`);
  return { signature: signatureOf(wrong, signature), domain: [low as number, high as number] };
}

function signatureOf(wrong: (what: string) => never, signature: unknown): Signature {
  try {
    return parseSignature(signature as string);
  } catch (error) {
    if (!(error instanceof GradstandError)) throw error;
    return wrong(error.message.slice(error.code.length + 2));
  }
}

function listOf(wrong: (what: string) => never, inputs: unknown): readonly Tensor[] {
  const list: readonly unknown[] = Array.isArray(inputs)
    ? inputs
    : wrong(`inputs: expected a list of tensors, got ${kindOf(inputs)}`);
  list.forEach((x, i) => {
    if (!(x instanceof Tensor)) wrong(`inputs[${i}]: expected a tensor, got ${kindOf(x)}`);
  });
  return list as readonly Tensor[];
}

function isIdea(value: object): value is Idea {
  return "change" in value && "checks" in value && "measure" in value;
}

function isClass(value: object): boolean {
  return typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? `an object of ${value.constructor?.name ?? "no class"}` : typeof value;
}
