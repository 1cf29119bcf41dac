import { stopGradient, tensor, type Tensor } from "../../../src/autograd/index.js";
import { gridLayer, type LayerOf } from "../../../src/ideas/moment-rank2/grid-layer.js";
import type { MomentPreservingLayer } from "../../../src/ideas/moment-rank2/moment-preserving-layer.js";
import {
  gridMoments,
  MomentPreservingTruncation,
  MomentProjector,
  randomMoments,
  truncateRank,
  type MomentBasis,
  type Settings,
} from "../../../src/ideas/moment-rank2/index.js";
import { stateGrid } from "../../../src/ideas/moment-rank2/state-grid.js";
import { generator } from "../../../src/random/index.js";

type Project = (h: Tensor, good: MomentProjector) => Tensor;

const good = new MomentProjector(gridMoments(stateGrid));

/** The layer whose steps can be replaced one by one. */
class Composed extends MomentPreservingTruncation {
  override forward(h: Tensor): Tensor {
    return this.composed(h);
  }
}

/** The layer with another map in place of C; its projector and what it cuts stay right. */
export function withForward(forward: (h: Tensor, layer: MomentPreservingLayer) => Tensor): LayerOf {
  return (settings) => {
    class Broken extends MomentPreservingTruncation {
      override forward(h: Tensor): Tensor {
        return forward(h, gridLayer(settings));
      }
    }
    return new Broken({ ...settings, grid: stateGrid });
  };
}

/** The layer that works with another projection in place of P. */
export function withProjection(project: Project): LayerOf {
  class Broken extends MomentProjector {
    override project(h: Tensor): Tensor {
      return project(h, good);
    }
  }
  return (settings) =>
    Object.assign(new Composed({ ...settings, grid: stateGrid }), { projector: new Broken(good.basis) });
}

/** The layer over another basis of moments. */
export function withBasis(change: (basis: MomentBasis) => MomentBasis): LayerOf {
  return (settings) => new MomentPreservingTruncation({ ...settings, grid: change(good.basis) });
}

/** The right layer of other settings than those asked for. */
export function withSettings(change: (settings: Settings) => Partial<Settings>): LayerOf {
  return (settings) => gridLayer({ ...settings, ...change(settings) });
}

/** The right layer without the projection: nothing gives the moments back. */
export function withoutMoments(settings: Settings): MomentPreservingTruncation {
  class Broken extends Composed {
    override restore(x: Tensor): Tensor {
      return x;
    }
  }
  return new Broken({ ...settings, grid: stateGrid });
}

/** Plain T_r in place of C. */
export const plainTruncation = withForward((h, { settings }) => truncateRank(h, settings));

/** Four random matrices kept in place of the moments. */
export const otherMoments = withBasis(() => randomMoments(generator(3), stateGrid));

/** A projector on the right span along a direction that is not at right angles to it. */
export const oblique = withProjection((h, { basis }) => {
  const { rows, columns, count } = basis;
  const e = tensor(basis.elements, { shape: [count, rows * columns] }).cast(h.dtype);
  const tilt = tensor(generator(4).normals(count * rows * columns), { shape: [count, rows, columns] });
  const dual = e.add(good.remove(tilt).reshape(e.shape).mul(1e-3).cast(h.dtype));
  return h
    .reshape([h.size / (rows * columns), rows * columns])
    .matmul(dual.transpose())
    .matmul(e)
    .reshape(h.shape);
});

/** C of form A with the map P + (I−P) DT, which pushes tangents, in place of the gradient P + DT (I−P), its transpose. */
export const transposedGradient = withForward((h, layer) => {
  const { settings, projector } = layer;
  const held = stopGradient(h);
  const onlyRemainder = held.add(projector.remove(h)).sub(stopGradient(projector.remove(h)));
  const value = layer.forward(held);
  const slope = projector.project(h).add(truncateRank(onlyRemainder, settings));
  return value.add(slope.sub(stopGradient(slope)));
});

/** The right values with the gradient of the identity. */
export const identityGradient = withForward((h, layer) =>
  stopGradient(layer.forward(h)).add(h.sub(stopGradient(h))),
);
