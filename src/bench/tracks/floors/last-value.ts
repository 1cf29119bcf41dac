import type { TrackInput, TrackNumbers } from "../track.js";

/** Predicts that the first `outputs` features of the last reading stay as they were read. */
export function predictLastValue(x: TrackNumbers, input: TrackInput, outputs: number): Float64Array {
  const width = input.steps * input.features;
  const count = x.length / width;
  const prediction = new Float64Array(count * outputs);
  for (let i = 0; i < count; i++) {
    const last = (i + 1) * width - input.features;
    for (let j = 0; j < outputs; j++) prediction[i * outputs + j] = x[last + j];
  }
  return prediction;
}
