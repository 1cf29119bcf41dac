import { noGrad, tensor, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape, sameShape } from "../../tensor/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, largest } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { called, type Subject, type SubjectOptions } from "../subject.js";

/** Options of {@link checkProjector}. */
export interface ProjectorOptions extends SubjectOptions {
  /** Which input is projected; the others are held. Default 0. */
  readonly input?: number;
  /** Largest error of each part, relative to max(1, the largest element of P). Default 1e-12, and 1e-5 for float32. */
  readonly tolerance?: number;
  /** Whether P must be symmetric, that is, orthogonal. Default true. */
  readonly orthogonal?: boolean;
}

/** The most elements of an input whose matrix is written out. */
const mostElements = 400;

/**
 * A map from tensors to tensors of the same shape is linear and a projector: P² = P and, when orthogonal, Pᵀ = P, with the matrix P
 * written out column by column. Of the input only shape and type matter, and its values for a third part: P·x from the matrix is
 * what the map gives, so that it is linear.
 */
export function checkProjector(
  subject: Subject,
  inputs: readonly Tensor[],
  options: ProjectorOptions = {},
): LawResult {
  const { input = 0, orthogonal = true } = options;
  const comparison = new Comparison("Projector");
  const x = inputs[input]!.detach();
  const n = x.size;
  if (n > mostElements)
    fail(
      "E_SHAPE",
      `Projector: expected an input of at most ${mostElements} elements, got ${formatShape(x.shape)}`,
    );
  const tolerance = options.tolerance ?? (x.dtype === "float32" ? 1e-5 : 1e-12);
  const f = (values: Float64Array): Float64Array => {
    const at = tensor(values, { shape: x.shape }).cast(x.dtype);
    const y = noGrad(() =>
      called(
        subject,
        inputs.map((other, i) => (i === input ? at : other)),
      ),
    );
    if (!sameShape(y.shape, x.shape))
      fail(
        "E_SHAPE",
        `Projector: expected a result of shape ${formatShape(x.shape)}, got ${formatShape(y.shape)}`,
      );
    return Float64Array.from(y.values());
  };
  const columns = Array.from({ length: n }, (_, i) =>
    f(Float64Array.from({ length: n }, (_, j) => Number(i === j))),
  );
  const P = tensor(Float64Array.from(columns.flatMap((column) => [...column])), {
    shape: [n, n],
  }).transpose();
  const scale = Math.max(1, largest(P.values()));
  const compare = (part: string, found: Tensor, expected: Tensor): void =>
    comparison.tensors(found, expected, {
      part,
      tolerance,
      where: part,
      scale: scale * Math.max(1, largest(expected.values())),
      sources: { expected: part.split(" = ")[1]!, found: part.split(" = ")[0]! },
    });
  compare("P·P = P", P.matmul(P), P);
  if (orthogonal) compare("Pᵀ = P", P.transpose(), P);
  for (const probe of [x.cast("float64"), cotangentLike(P.sum(-1), "projector").reshape(x.shape)]) {
    const found = tensor(f(Float64Array.from(probe.values())));
    compare("f(x) = P·x", found, P.matmul(probe.reshape([n])));
  }
  return comparison.result();
}

/** {@link checkProjector}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectProjector(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: ProjectorOptions,
): LawResult {
  return requiredOf(checkProjector, subject, inputs, options);
}
