import { GRUCell, Module } from "../../nn/index.js";
import { currentTime } from "../../nn/recurrent/clock.js";
import type { ModuleCall } from "../document.js";

type Method = (this: Module, ...args: unknown[]) => unknown;

/** Modules by name; "" for one that stands alone. */
export type NamedModules = Readonly<Record<string, Module>>;

/** Which module is at work: notes each call of a forward method of modules, inside one another. */
export class ModuleCalls {
  readonly calls: ModuleCall[] = [];
  readonly #counts = new Map<Module, number>();
  readonly #open: { readonly id: number; readonly time: number | undefined }[] = [];

  /** The innermost call. */
  get current(): number | undefined {
    return this.#open.at(-1)?.id;
  }

  /** The time step: that of a recurrent layer, else how often the `GRUCell` that is at work was called before. */
  get time(): number | undefined {
    return currentTime() ?? this.#open.findLast(({ time }) => time !== undefined)?.time;
  }

  /** Runs `f` while every forward method of the modules, and of those inside them, is noted; they are as before when it ends. */
  during<R>(roots: NamedModules, f: () => R): R {
    const undo: (() => void)[] = [];
    const seen = new Set<Module>();
    try {
      for (const [root, outermost] of Object.entries(roots))
        for (const [path, module] of outermost.namedModules()) {
          if (seen.has(module)) continue;
          seen.add(module);
          const name = [root, path].filter(Boolean).join(".");
          for (const method of forwardMethods(module)) undo.push(this.#watch(module, name, method));
        }
      return f();
    } finally {
      for (const back of undo.reverse()) back();
    }
  }

  /** Puts a method in the way that notes the call; not enumerable, so that it is no member of the module. */
  #watch(module: Module, path: string, method: string): () => void {
    const own = Object.getOwnPropertyDescriptor(module, method);
    if (!Object.isExtensible(module) || own?.configurable === false) return () => undefined;
    const original = (module as unknown as Record<string, Method>)[method]!;
    const noted = (...args: unknown[]): unknown => {
      this.#enter(module, path, method);
      try {
        return original.apply(module, args);
      } finally {
        this.#open.pop();
      }
    };
    Object.defineProperty(module, method, {
      value: noted,
      configurable: true,
      writable: true,
      enumerable: false,
    });
    return () => {
      if (own) Object.defineProperty(module, method, own);
      else Reflect.deleteProperty(module, method);
    };
  }

  #enter(module: Module, path: string, method: string): void {
    const id = this.calls.length;
    const index = this.#counts.get(module) ?? 0;
    this.#counts.set(module, index + 1);
    const parent = this.current;
    this.calls.push({
      id,
      path,
      type: module.constructor.name,
      method,
      index,
      ...(parent !== undefined && { parent }),
    });
    this.#open.push({ id, time: module instanceof GRUCell ? index : undefined });
  }
}

/** The methods of a module, its own or of its classes, whose name begins with forward. */
function forwardMethods(module: Module): string[] {
  const names = new Set<string>();
  for (
    let holder: object | null = module;
    holder && holder !== Module.prototype;
    holder = Object.getPrototypeOf(holder) as object | null
  )
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(holder)))
      if (name.startsWith("forward") && typeof value === "function") names.add(name);
  return [...names];
}
