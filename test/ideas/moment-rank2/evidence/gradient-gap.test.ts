import { describe, expect, it } from "vitest";
import { eye, type Tensor } from "../../../../src/autograd/index.js";
import { gradientGap } from "../../../../src/ideas/moment-rank2/evidence/gradient-gap.js";
import { gridLayer } from "../../../../src/ideas/moment-rank2/grid-layer.js";
import { MomentPreservingTruncation, type Settings } from "../../../../src/ideas/moment-rank2/index.js";
import { completeSettings } from "../../../../src/ideas/moment-rank2/settings.js";
import { stateGrid } from "../../../../src/ideas/moment-rank2/state-grid.js";
import { generator } from "../../../../src/random/index.js";

const settings = completeSettings({});

/** A layer of which no state has a gap at the cut: what it truncates has equal singular values. */
class Gapless extends MomentPreservingTruncation {
  override remainder(h: Tensor): Tensor {
    return eye(8, 8, { dtype: h.dtype });
  }
}

describe("gradientGap", () => {
  it("is the rounding of differences for the layer, and not 0, which would be no measurement", () => {
    const gap = gradientGap(settings, generator(1), gridLayer);
    expect(gap).toBeGreaterThan(1e-13);
    expect(gap).toBeLessThan(1e-8);
  });

  it("asks for the exact gradient without a bound, whatever the settings train with", () => {
    const asked: Settings[] = [];
    const trained = completeSettings({ gradient: "tangent", bound: 2, form: "A", rank: 3 });
    gradientGap(trained, generator(1), (each) => {
      asked.push(each);
      return gridLayer(each);
    });
    expect(asked).toEqual([{ ...trained, gradient: "exact", bound: Infinity }]);
  });

  it("is NaN, which passes no bound, where no state could be used", () => {
    const gap = gradientGap(settings, generator(1), (each) => new Gapless({ ...each, grid: stateGrid }));
    expect(gap).toBeNaN();
  });
});
