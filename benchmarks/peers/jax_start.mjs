/** From nothing to a first gradient. */
import { grad, numpy as np } from "@jax-js/jax";

const gradient = grad((x) => x.ref.mul(x).sum())(np.array([1, 2, 3]));
if (gradient.dataSync()[2] !== 6) process.exit(1);
