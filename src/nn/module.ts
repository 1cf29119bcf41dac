import { fail, formatGiven } from "../errors/index.js";
import type { Tensor } from "../autograd/index.js";
import { convert, type FloatDType } from "../tensor/index.js";
import { Parameter } from "./parameter.js";
import { loadInto, type StateDict } from "./state-dict.js";

/**
 * A part of a model. Its parameters are found in its properties: a {@link Parameter}, another module, or a list of
 * these. They are named as PyTorch names them, by the path of properties: `layers.0.weight`.
 */
export abstract class Module {
  /** Whether layers that behave differently in training (dropout) do so. */
  training = true;

  /** The parameters and modules of this one with their names; its properties unless a layer says otherwise. */
  protected members(): Iterable<readonly [name: string, value: unknown]> {
    return Object.entries(this);
  }

  /** Every parameter with its name, in the order of the properties. One that is shared is listed once, by its first name. */
  namedParameters(): [name: string, parameter: Parameter][] {
    const seen = new Set<Parameter>();
    return this.#collect().filter(([, parameter]) => !seen.has(parameter) && seen.add(parameter));
  }

  /** Every parameter, once. */
  parameters(): Parameter[] {
    return this.namedParameters().map(([, parameter]) => parameter);
  }

  /** This module and every module inside it, once each, outer ones first. */
  modules(): Module[] {
    return this.namedModules().map(([, module]) => module);
  }

  /** {@link modules} with their names, the paths of properties: this one is "", one inside it `layers.0.norm1`. */
  namedModules(): [name: string, module: Module][] {
    const found = new Map<Module, string>();
    const open: Visit[] = [{ name: "", value: this }];
    for (let visit = open.pop(); visit; visit = open.pop()) {
      const { name, value } = visit;
      const isNew = value instanceof Module && !found.has(value);
      if (isNew) found.set(value, name);
      const inside = isNew ? [...value.members()] : Array.isArray(value) ? [...value.entries()] : [];
      for (const [key, member] of inside.toReversed()) open.push({ name: joined(name, key), value: member });
    }
    return [...found].map(([module, name]) => [name, module]);
  }

  /** The value of every parameter by name, a shared one under each of its names. Later training does not change it. */
  stateDict(): StateDict {
    return Object.fromEntries(this.#collect().map(([name, parameter]) => [name, parameter.detach()]));
  }

  /**
   * Sets every parameter from a state dict, cast to the type of the parameter.
   *
   * @throws E_STATE_DICT listing what is missing, unexpected or wrongly shaped; nothing is loaded then
   */
  loadStateDict(state: Readonly<StateDict>): this {
    loadInto(this.#collect(), state);
    return this;
  }

  /** Switches this module and every module inside it to training (or, with false, to evaluation). */
  train(training = true): this {
    for (const module of this.modules()) module.training = training;
    return this;
  }

  /** Switches to evaluation: dropout passes its input on. */
  eval(): this {
    return this.train(false);
  }

  /** Forgets the gradient of every parameter. */
  zeroGrad(): void {
    for (const parameter of this.parameters()) parameter.grad = undefined;
  }

  /** Changes every parameter to another floating type, in place, and forgets its gradient; make optimizers afterwards. */
  to(dtype: FloatDType): this {
    if (dtype !== "float32" && dtype !== "float64")
      fail("E_DTYPE", `to: expected float32 or float64, got ${formatGiven(dtype)}`);
    for (const parameter of this.parameters()) {
      parameter.array = convert(parameter.array, dtype);
      parameter.grad = undefined;
      parameter.version++;
    }
    return this;
  }

  /** Iterative: modules may be nested to any depth. */
  #collect(): [string, Parameter][] {
    const found: [string, Parameter][] = [];
    const path = new Set<Module>();
    const open: Visit[] = [{ name: "", value: this }];
    for (let visit = open.pop(); visit; visit = open.pop()) {
      const { name, value, leaves } = visit;
      if (leaves) path.delete(leaves);
      else if (value instanceof Parameter) found.push([name, value]);
      else if (Array.isArray(value) || (value instanceof Module && !path.has(value))) {
        if (value instanceof Module) {
          path.add(value);
          open.push({ name, value: undefined, leaves: value });
        }
        const inside = value instanceof Module ? [...value.members()] : [...value.entries()];
        for (const [key, member] of inside.toReversed())
          open.push({ name: joined(name, key), value: member });
      }
    }
    return found;
  }
}

function joined(name: string, key: string | number): string {
  return name === "" ? String(key) : `${name}.${key}`;
}

/** What {@link Module.namedParameters} still has to look at; `leaves` when it is the end of a module. */
interface Visit {
  readonly name: string;
  readonly value: unknown;
  readonly leaves?: Module;
}

/** A module from one tensor to one tensor. */
export interface Layer extends Module {
  forward(x: Tensor): Tensor;
}
