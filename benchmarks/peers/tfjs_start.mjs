/** From nothing to a first gradient, in the backend that the rows use; the package of layers brings the gradients of the operations. */
import { grad, mul, ready, setBackend, sum, tensor1d } from "@tensorflow/tfjs-core";
import { setThreadsCount } from "@tensorflow/tfjs-backend-wasm";
import "@tensorflow/tfjs-layers";

setThreadsCount(1);
await setBackend("wasm");
await ready();
const gradient = grad((x) => sum(mul(x, x)))(tensor1d([1, 2, 3]));
if (gradient.dataSync()[2] !== 6) process.exit(1);
