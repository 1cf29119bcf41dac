export { attention, type AttentionOptions } from "./attention/attention.js";
export { KeyValueCache, type AttentionDecoder } from "./attention/attention-decoder.js";
export type { MaskOptions } from "./attention/attention-mask.js";
export {
  MultiHeadAttention,
  type AttentionCore,
  type AttentionInputs,
  type MultiHeadAttentionOptions,
} from "./attention/multi-head-attention.js";
export { TransformerBlock, type TransformerBlockOptions } from "./attention/transformer-block.js";
export type { InitOptions } from "./check-options.js";
export { Dropout, type DropoutOptions } from "./layers/dropout.js";
export { Embedding } from "./layers/embedding.js";
export { LayerNorm, type LayerNormOptions } from "./layers/layer-norm.js";
export { Linear, type LinearOptions } from "./layers/linear.js";
export { PositionEmbedding } from "./layers/position-embedding.js";
export { Sequential, type Stage } from "./layers/sequential.js";
export { crossEntropy, type CrossEntropyOptions } from "./losses/cross-entropy.js";
export type { LossOptions, Reduction } from "./losses/reduction.js";
export { huberLoss, l1Loss, mseLoss, type HuberOptions } from "./losses/regression.js";
export { Module, type Layer } from "./module.js";
export { Adam, AdamW, type AdamOptions } from "./optimizers/adam.js";
export { clipGradNorm } from "./optimizers/clip-grad-norm.js";
export type { OptimizerState } from "./optimizers/optimizer-state.js";
export { Optimizer, type Slot } from "./optimizers/optimizer.js";
export { cosine, warmup, warmupCosine, type Schedule } from "./optimizers/schedule.js";
export { SGD, type SGDOptions } from "./optimizers/sgd.js";
export { Parameter } from "./parameter.js";
export { GRUCell } from "./recurrent/gru-cell.js";
export { GRU, type GRUOptions, type GRUResult, type OnStep } from "./recurrent/gru.js";
export type { GRUCellOptions } from "./recurrent/gru-options.js";
export type { ResetPlace } from "./recurrent/gru-options.js";
export { decodeSafetensors, encodeSafetensors, type SafetensorsContent } from "./safetensors/index.js";
export type { StateDict } from "./state-dict.js";
