// The steps of a GRU layer, see `Kernels.gruForward` and `Kernels.gruBackward`.
export { backward } from "./gru/backward";
export { forward } from "./gru/forward";
export { packBackward, packForward } from "./gru/panels";
