import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eye, gradcheck, randomUniform, type Tensor } from "../../../../src/autograd/index.js";
import type { HiddenChange, IdeaOptions, ModelChange } from "../../../../src/ideas/idea.js";
import { Bottleneck } from "../../../../src/ideas/moment-rank2/controls/bottleneck.js";
import { rotated, randomOrthogonal } from "../../../../src/ideas/moment-rank2/controls/random-rotation.js";
import { largestRank, squaredNorms } from "../../../../src/ideas/moment-rank2/evidence/state-figures.js";
import { gridLayer } from "../../../../src/ideas/moment-rank2/grid-layer.js";
import {
  dimensionTree,
  gridMoments,
  momentRank2,
  MomentProjector,
  randomMoments,
  truncateHierarchically,
} from "../../../../src/ideas/moment-rank2/index.js";
import { completeSettings } from "../../../../src/ideas/moment-rank2/settings.js";
import { asMatrices, stateGrid } from "../../../../src/ideas/moment-rank2/state-grid.js";
import { generator } from "../../../../src/random/index.js";
import { jacobiSvd } from "../../../../src/tensor/linalg/index.js";
import { runs } from "../../../runs.js";
import { distance, greatest, inner, normal, seeds } from "../random-matrices.js";

const controls = new Map(momentRank2.controls!.map((control) => [control.name, control]));

function change(name: string, options: IdeaOptions = {}): ModelChange {
  return controls.get(name)!.change({ ...momentRank2.options, ...options }, generator(5).stream("change"));
}

const hiddenOf = (name: string, options?: IdeaOptions): HiddenChange => change(name, options).hidden!;
const states = (seed: number, batch = 3): Tensor =>
  randomUniform(generator(seed), [batch, 64], { low: -1, high: 1, dtype: "float64" });
const property = (law: (h: Tensor) => void): void =>
  fc.assert(
    fc.property(seeds, (seed) => law(states(seed))),
    { numRuns: runs(10) },
  );
const moments = new MomentProjector(gridMoments(stateGrid));

describe("the controls of moment-rank2", () => {
  it("are those of the design, each with its name, formula and meaning", () => {
    expect([...controls.keys()]).toEqual([
      "plain-t2",
      "plain-t3",
      "plain-t4",
      "random-moments",
      "moments-alone",
      "random-rotation",
      "bottleneck",
      "smaller-gru",
      "hierarchical-4x4x4",
      "hierarchical-2x2x2x2x2x2",
      "power-moments",
      "truncation-alone",
    ]);
    for (const control of controls.values()) {
      for (const word of ["title", "statement", "why"] as const) expect(control[word]).not.toBe("");
      expect(control.kind ?? "trained").toBe("trained");
    }
  });

  const ofStates = [...controls.keys()].filter((name) => name !== "smaller-gru");

  it.each(ofStates)("%s: has the right gradient in float64", (name) => {
    const { hidden, modules = {} } = change(name, { bound: Infinity });
    const parameters = Object.values(modules).flatMap((module) => module.to("float64").parameters());
    // Unclipped, on states with a gap at the cut: differences need a smooth neighbourhood.
    expect(gradcheck((h) => hidden!(h), [states(3, 2)], { tolerance: 1e-6 }).passed).toBe(true);
    expect(parameters.length > 0).toBe(name === "bottleneck");
  });

  it.each(ofStates)("%s: changes a state, maps [batch, 64] to the same and refuses another width", (name) => {
    const h = states(1).cast("float32");
    const hidden = hiddenOf(name);
    const changed = hidden(h);
    expect(changed.shape).toEqual([3, 64]);
    expect(changed.dtype).toBe("float32");
    expect(distance(changed, h)).toBeGreaterThan(0.05);
    expect(
      distance(changed, momentRank2.change(momentRank2.options, generator(5)).hidden!(h)),
    ).toBeGreaterThan(0.05);
    expect(() => hidden(h.reshape([6, 32]))).toThrow(/E_SHAPE.*\[batch, 64\]/);
  });
});

describe.each([2, 3, 4])("plain-t%i", (rank) => {
  it("is the best approximation of its rank: what it leaves are the other singular values", () => {
    property((h) => {
      const kept = hiddenOf(`plain-t${rank}`)(h);
      expect(largestRank(asMatrices(kept))).toBeLessThanOrEqual(rank);
      const { s } = jacobiSvd(h.values() as Float64Array, 3, 8, 8);
      squaredNorms(asMatrices(h), asMatrices(kept)).forEach((error, at) => {
        const tail = s.slice(at * 8 + rank, (at + 1) * 8).reduce((sum, value) => sum + value ** 2, 0);
        expect(error).toBeCloseTo(tail, 10);
      });
    });
  });

  it("keeps its rank whatever rank the idea has, and no moments", () => {
    const h = states(2);
    const kept = hiddenOf(`plain-t${rank}`);
    expect(hiddenOf(`plain-t${rank}`, { rank: 5 })(h).values()).toEqual(kept(h).values());
    expect(distance(moments.moments(asMatrices(kept(h))), moments.moments(asMatrices(h)))).toBeGreaterThan(
      0.01,
    );
  });
});

describe("random-moments", () => {
  it("keeps the four random functionals, and not the moments", () => {
    const own = new MomentProjector(randomMoments(generator(5).stream("change"), stateGrid));
    property((h) => {
      const [before, after] = [asMatrices(h), asMatrices(hiddenOf("random-moments")(h))];
      expect(distance(own.moments(after), own.moments(before))).toBeLessThan(1e-13);
      expect(distance(moments.moments(after), moments.moments(before))).toBeGreaterThan(1e-3);
    });
  });
});

describe("moments-alone", () => {
  it("keeps the moments and nothing else: it is a projector of rank 4 on states", () => {
    property((h) => {
      const hidden = hiddenOf("moments-alone");
      const once = hidden(h);
      expect(distance(hidden(once), once)).toBeLessThan(1e-13);
      expect(distance(moments.moments(asMatrices(once)), moments.moments(asMatrices(h)))).toBeLessThan(1e-13);
      expect(greatest(hidden(h.sub(once)))).toBeLessThan(1e-13);
    });
  });
});

/** h in the coordinates of Q. */
function turned(h: Tensor, q: Float64Array): Tensor {
  let seen = h;
  rotated((x) => (seen = x), q)(h);
  return seen;
}

describe("random-rotation", () => {
  const idea = gridLayer(completeSettings(momentRank2.options));

  it("rotates without changing lengths and angles", () => {
    const q = randomOrthogonal(generator(3), 64);
    property((h) => {
      const same = rotated((x) => x, q)(h);
      expect(distance(same, h)).toBeLessThan(1e-13);
      expect(inner(turned(h, q), turned(h, q))).toBeCloseTo(inner(h, h), 10);
    });
  });

  it("is the compression where the rotation is the identity, and keeps the moments of the rotated state", () => {
    const identity = Float64Array.from({ length: 64 * 64 }, (_, at) => (at % 65 === 0 ? 1 : 0));
    property((h) => {
      expect(rotated((x) => idea.forwardFlat(x), identity)(h).values()).toEqual(idea.forwardFlat(h).values());
      const q = randomOrthogonal(generator(5).stream("change"), 64);
      const kept = hiddenOf("random-rotation")(h);
      const [before, after] = [h, kept].map((x) => moments.moments(asMatrices(turned(x, q))));
      expect(distance(before!, after!)).toBeLessThan(1e-13);
    });
  });
});

describe("bottleneck", () => {
  it("begins as an orthogonal projection on 36 directions", () => {
    const layer = new Bottleneck(64, 36, generator(2));
    layer.to("float64");
    const projection = layer.forward(eye(64, 64, { dtype: "float64" }));
    const units = Array.from({ length: 64 }, (_, unit) => projection.values()[unit * 65]!);
    expect(units.reduce((sum, value) => sum + value, 0)).toBeCloseTo(36, 4);
    expect(distance(projection, projection.transpose())).toBeLessThan(1e-6);
    expect(distance(projection.matmul(projection), projection)).toBeLessThan(1e-6);
  });

  it("learns 64·36 + 36 + 36·64 + 64 numbers, as many coordinates as a compressed state has numbers", () => {
    const counted = (options: IdeaOptions): number =>
      change("bottleneck", options)
        .modules!.bottleneck!.parameters()
        .reduce((sum, parameter) => sum + parameter.size, 0);
    expect(counted({})).toBe(64 * 36 + 36 + 36 * 64 + 64);
    expect(counted({ rank: 1 })).toBe(64 * 20 + 20 + 20 * 64 + 64);
    expect(counted({ rank: 4 })).toBe(64 * 64 + 64 + 64 * 64 + 64);
  });

  it("is U(D h + b) + c in all its parameters, with their gradients", () => {
    const layer = new Bottleneck(5, 3, generator(1));
    layer.to("float64");
    const h = normal(1, "h", [2, 5]);
    for (const parameter of layer.parameters()) {
      parameter.assign(parameter.add(normal(2, "moved", parameter.shape).mul(0.1)));
    }
    const { down, up } = layer;
    const [d, b, u, c] = [down.weight, down.bias!, up.weight, up.bias!];
    const formula = (x: Tensor): Tensor => x.matmul(d.transpose()).add(b).matmul(u.transpose()).add(c);
    expect(distance(layer.forward(h), formula(h))).toBeLessThan(1e-14);
    const gradients = (f: (x: Tensor) => Tensor) => {
      layer.zeroGrad();
      f(h).square().sum().backward();
      return [d, b, u, c].map((parameter) => parameter.grad!);
    };
    const found = gradients((x) => layer.forward(x));
    gradients(formula).forEach((expected, at) => expect(distance(found[at]!, expected)).toBeLessThan(1e-12));
  });
});

describe("smaller-gru", () => {
  it("has as many units as a compressed state has numbers, at most those of the model", () => {
    expect(change("smaller-gru")).toEqual({ width: 36 });
    expect(change("smaller-gru", { rank: 1 })).toEqual({ width: 20 });
    expect(change("smaller-gru", { rank: 4 })).toEqual({ width: 64 });
  });
});

describe("the compressions of other settings", () => {
  it("are the idea under these settings, at its own ranks", () => {
    const h = states(4);
    const under = (options: IdeaOptions): number[] => [
      ...momentRank2.change({ ...momentRank2.options, ...options }, generator(5)).hidden!(h).values(),
    ];
    const found = (name: string, options?: IdeaOptions): number[] => [...hiddenOf(name, options)(h).values()];
    expect(found("hierarchical-4x4x4", { rank: 3, form: "A" })).toEqual(
      under({ grid: "4x4x4", rank: 3, form: "A" }),
    );
    expect(found("hierarchical-2x2x2x2x2x2")).toEqual(under({ grid: "2x2x2x2x2x2" }));
    expect(found("power-moments", { weight: "gaussian", powers: 4 })).toEqual(under({ moments: "power" }));
  });

  it("truncation-alone is T_r at the idea's rank, and the hierarchical one over its tensor", () => {
    const h = states(4);
    const found = (options: IdeaOptions): Tensor => hiddenOf("truncation-alone", options)(h);
    expect(found({ rank: 3 }).values()).toEqual(hiddenOf("plain-t3")(h).values());
    const tree = dimensionTree([4, 4, 4], { leaf: 2, transfer: 2 });
    expect(found({ grid: "4x4x4" }).values()).toEqual(truncateHierarchically(h, tree).values());
  });
});
