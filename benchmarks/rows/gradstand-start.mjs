/** From nothing to a first gradient. */
import { tensor } from "../../dist/index.js";

const x = tensor([1, 2, 3], { requiresGrad: true });
x.mul(x).sum().backward();
if (x.grad.toArray()[2] !== 6) process.exit(1);
