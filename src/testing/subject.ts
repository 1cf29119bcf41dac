import type { Tensor } from "../autograd/index.js";

/** A function of tensors to a tensor, the subject of most laws. */
export type TensorFunction = (...xs: Tensor[]) => Tensor;
