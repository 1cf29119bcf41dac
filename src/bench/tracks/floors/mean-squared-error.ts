/** Mean of (predictionᵢ − targetᵢ)² over all elements, summed in float64. */
export function meanSquaredError(prediction: ArrayLike<number>, target: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < target.length; i++) {
    const difference = prediction[i] - target[i];
    total += difference * difference;
  }
  return total / target.length;
}
