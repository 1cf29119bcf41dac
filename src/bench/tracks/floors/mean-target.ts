/** Predicts the mean target of the training part for every series: `[outputs]` repeated `count` times. */
export function predictMeanTarget(
  trainTargets: ArrayLike<number>,
  outputs: number,
  count: number,
): Float64Array {
  const means = columnMeans(trainTargets, outputs);
  const prediction = new Float64Array(count * outputs);
  for (let i = 0; i < count; i++) prediction.set(means, i * outputs);
  return prediction;
}

/** The mean of each column of a row-major `[rows, columns]` array, in float64. */
export function columnMeans(values: ArrayLike<number>, columns: number): Float64Array {
  const rows = values.length / columns;
  const means = new Float64Array(columns);
  for (let i = 0; i < values.length; i++) means[i % columns] += values[i];
  for (let j = 0; j < columns; j++) means[j] /= rows;
  return means;
}
