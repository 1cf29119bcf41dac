import type { Derivative } from "./rk4.js";

/** Friction of each oscillator. */
export const DAMPING = 0.05;

/** Places of the variables in a state: positions first, then velocities. */
export const POSITION_1 = 0;
export const POSITION_2 = 1;
export const VELOCITY_1 = 2;
export const VELOCITY_2 = 3;

/**
 * Two damped Duffing oscillators with coupling c: x'' = −x − x³ − 0.05 x' + c (x_other − x).
 * The state is (x1, x2, x1', x2').
 */
export function oscillatorPair(coupling: number, damping = DAMPING): Derivative {
  const acceleration = (x: number, v: number, other: number): number =>
    -x - x * x * x - damping * v + coupling * (other - x);
  return (state, rate) => {
    const x1 = state[POSITION_1];
    const x2 = state[POSITION_2];
    const v1 = state[VELOCITY_1];
    const v2 = state[VELOCITY_2];
    rate[POSITION_1] = v1;
    rate[POSITION_2] = v2;
    rate[VELOCITY_1] = acceleration(x1, v1, x2);
    rate[VELOCITY_2] = acceleration(x2, v2, x1);
  };
}

/**
 * Energy of the pair: Σ (x'²/2 + x²/2 + x⁴/4) + c (x1 − x2)²/2. Along a trajectory it falls at the rate
 * 0.05 (x1'² + x2'²).
 */
export function pairEnergy(state: Float64Array, coupling: number): number {
  const own = (x: number, v: number): number => (v * v) / 2 + (x * x) / 2 + (x * x * x * x) / 4;
  const x1 = state[POSITION_1];
  const x2 = state[POSITION_2];
  const apart = x1 - x2;
  return own(x1, state[VELOCITY_1]) + own(x2, state[VELOCITY_2]) + (coupling * apart * apart) / 2;
}
