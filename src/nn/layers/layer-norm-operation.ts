import { defineOp, isRecording, normalize, Tensor } from "../../autograd/index.js";
import { isFloating, kernels, NDArray, reserve, type FloatDType, type Floats } from "../../tensor/index.js";
import { isUnfused } from "../unfused.js";

/** `normal` and `scale` are kept by the forward pass for the backward pass. */
interface Attributes {
  readonly eps: number;
  normal?: Floats;
  scale?: Floats;
}

const floats = (x: Tensor | NDArray): Floats => (x instanceof Tensor ? x.array : x).data as Floats;

/** {@link layerNorm} as one operation. */
export const layerNormOperation = defineOp<Attributes>({
  name: "layerNorm",
  forward: ([x, weight, bias], attributes) => {
    const length = weight!.size;
    const dtype = x!.dtype as FloatDType;
    const out = reserve(dtype, x!.size);
    attributes.normal = reserve(dtype, x!.size);
    attributes.scale = reserve(dtype, x!.size / length);
    kernels().layerNorm(length, attributes.eps, {
      x: floats(x!),
      weight: floats(weight!),
      bias: floats(bias!),
      out,
      normal: attributes.normal,
      scale: attributes.scale,
    });
    return new NDArray(x!.shape, dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x, weight], attributes, needs }) =>
    isRecording()
      ? composedCotangents(g, x!, weight!, attributes.eps)
      : fusedCotangents(g, weight!, attributes, needs),
});

/** With y the normalized rows and h = g·weight: s·((h − mean h) − y·mean(h·y)), g·y and g, the last two to be summed over rows. */
function composedCotangents(g: Tensor, x: Tensor, weight: Tensor, eps: number): Tensor[] {
  const y = normalize(x, { eps });
  const h = g.mul(weight);
  const factor = x.variance(-1, { correction: 0, keepDims: true }).add(eps).sqrt().reciprocal();
  const slope = h.mul(y).mean(-1, { keepDims: true });
  return [factor.mul(h.sub(h.mean(-1, { keepDims: true })).sub(y.mul(slope))), g.mul(y), g];
}

function fusedCotangents(
  g: Tensor,
  weight: Tensor,
  { normal, scale }: Attributes,
  needs: readonly boolean[],
): (Tensor | undefined)[] {
  const { dtype, size, shape } = g.array;
  const length = weight.size;
  const dx = reserve(dtype as FloatDType, size);
  const weighted = reserve(dtype as FloatDType, size);
  kernels().layerNormBackward(length, {
    g: floats(g),
    normal: normal!,
    scale: scale!,
    weight: floats(weight),
    dx,
    weighted,
  });
  const summed = (rows: Floats): Tensor => {
    const out = reserve(dtype as FloatDType, length);
    kernels().reduce("sum", { outer: 1, length: size / length, inner: length }, rows, out);
    return new Tensor(new NDArray(weight.shape, dtype, out));
  };
  return [
    new Tensor(new NDArray(shape, dtype, dx)),
    needs[1] ? summed(weighted) : undefined,
    needs[2] ? summed(floats(g)) : undefined,
  ];
}

/**
 * (x − mean)/√(var + eps)·weight + bias over the last axis, x `[…, features]`, weight and bias `[features]`. One operation with a
 * fused gradient; when the backward pass itself is recorded, that is composed of elementary operations, so that second
 * derivatives work.
 */
export function layerNorm(x: Tensor, weight: Tensor, bias: Tensor, eps: number): Tensor {
  const fits = isFloating(x.dtype) && x.dtype === weight.dtype && x.dtype === bias.dtype && x.size > 0;
  return fits && !isUnfused()
    ? layerNormOperation([x, weight, bias], { eps })
    : normalize(x, { eps }).mul(weight).add(bias);
}
