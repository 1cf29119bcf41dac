import type { Floats } from "../../dtype.js";
import { addressOf, deliver, rewind, stackTop } from "../../memory/index.js";
import type { AdamStep } from "../kernels.js";
import { adam as readable } from "../reference/adam.js";
import { isFast } from "./operands.js";
import { wasm } from "./wasm/adam.js";
import { wasmModule } from "./wasm-module.js";

interface AdamModule {
  prepare(
    rest1: number,
    beta2: number,
    rest2: number,
    eps: number,
    size: number,
    rootScale: number,
    decay: number,
    penalty: number,
  ): void;
  adam(parameter: number, gradient: number, m: number, v: number, n: number): void;
}

const functions = wasmModule<AdamModule>(wasm);

/** One step of Adam on a flat parameter, in place, see `Kernels.adam`. */
export function adam(step: AdamStep, parameter: Floats, gradient: Floats, m: Floats, v: Floats): void {
  if (!isFast(parameter, 4 * chunk)) return readable(step, parameter, gradient, m, v);
  const { beta1, beta2, eps, size, rootScale, decay, penalty } = step;
  const kernel = functions();
  kernel.prepare(1 - beta1, beta2, 1 - beta2, eps, size, rootScale, decay, penalty);
  for (let from = 0; from < parameter.length; from += chunk) {
    const part = (x: Floats): Float32Array => x.subarray(from, from + chunk) as Float32Array;
    run(kernel, part(parameter), part(gradient), part(m), part(v));
  }
}

/**
 * Elements taken at a time: what has to be copied into the memory of kernels and back then stays in the processor's second
 * cache on the way.
 */
const chunk = 8192;

function run(
  kernel: AdamModule,
  parameter: Float32Array,
  gradient: Float32Array,
  m: Float32Array,
  v: Float32Array,
): void {
  const mark = stackTop();
  const p = addressOf(parameter);
  const first = addressOf(m);
  const second = addressOf(v);
  kernel.adam(p, addressOf(gradient), first, second, parameter.length);
  deliver(parameter, p);
  deliver(m, first);
  deliver(v, second);
  rewind(mark);
}
