// Attention for several heads, forward and backward; see attention/plan.ts for the operands.
import { stackBackward } from "./attention/backward";
import { stackForward } from "./attention/forward";
import { BATCH, HEADS, value } from "./attention/plan";

export function forward(plan: usize, scale: f32): void {
  for (let b = 0; b < value(plan, BATCH); b++)
    for (let h = 0; h < value(plan, HEADS); h++) stackForward(plan, b, h, scale);
}

export function backward(plan: usize, scale: f32): void {
  for (let b = 0; b < value(plan, BATCH); b++)
    for (let h = 0; h < value(plan, HEADS); h++) stackBackward(plan, b, h, scale);
}
