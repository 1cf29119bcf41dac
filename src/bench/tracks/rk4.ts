/** Writes the time derivative of `state` into `rate`. */
export type Derivative = (state: Float64Array, rate: Float64Array) => void;

/**
 * A stepper of the classical fourth-order Runge-Kutta method for an autonomous system of `size` variables:
 * y ← y + h/6 (k1 + 2 k2 + 2 k3 + k4), in place. Only additions, multiplications and divisions are used.
 */
export function rungeKutta4(derivative: Derivative, size: number): (state: Float64Array, h: number) => void {
  const k1 = new Float64Array(size);
  const k2 = new Float64Array(size);
  const k3 = new Float64Array(size);
  const k4 = new Float64Array(size);
  const probe = new Float64Array(size);

  const moveProbe = (state: Float64Array, rate: Float64Array, h: number): void => {
    for (let i = 0; i < size; i++) probe[i] = state[i] + h * rate[i];
  };

  return (state, h) => {
    derivative(state, k1);
    moveProbe(state, k1, h / 2);
    derivative(probe, k2);
    moveProbe(state, k2, h / 2);
    derivative(probe, k3);
    moveProbe(state, k3, h);
    derivative(probe, k4);
    for (let i = 0; i < size; i++) state[i] += (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  };
}
