import { describe, expect, it } from "vitest";
import type { Tensor } from "../../../../src/autograd/index.js";
import { momentRank2Checks } from "../../../../src/ideas/moment-rank2/evidence/checks.js";
import { gridLayer, type LayerOf } from "../../../../src/ideas/moment-rank2/grid-layer.js";
import { forms, type Form } from "../../../../src/ideas/moment-rank2/index.js";
import { completeSettings } from "../../../../src/ideas/moment-rank2/settings.js";
import { generator } from "../../../../src/random/index.js";
import {
  identityGradient,
  oblique,
  otherMoments,
  plainTruncation,
  transposedGradient,
  withBasis,
  withForward,
  withoutMoments,
  withProjection,
  withSettings,
} from "../broken-layers.js";

const names = [
  "orthonormal",
  "projector",
  "self_adjoint",
  "max_moment_residual",
  "error",
  "true_rank",
  "exactness",
  "zero",
  "gradient",
] as const;
type Name = (typeof names)[number];

function failed(form: Form, layerOf: LayerOf, rank = 2): string[] {
  const checks = momentRank2Checks(completeSettings({ form, rank }), generator(5), layerOf);
  expect(checks.map(({ name }) => name)).toEqual(names);
  return checks.filter(({ passed }) => !passed).map(({ name }) => name);
}

interface Case {
  readonly what: string;
  readonly layerOf: LayerOf;
  /** The checks that must fail, and no others; of one form only where it says so. */
  readonly fails: readonly Name[];
  readonly form?: Form;
}

const ratioToItself = (x: Tensor): Tensor => x.div(x);
const squares = (h: Tensor): Tensor => h.square().sum([-2, -1], { keepDims: true });

const cases: readonly Case[] = [
  {
    what: "E longer than 1",
    layerOf: withBasis((basis) => ({ ...basis, elements: basis.elements.map((e) => e * (1 + 1e-12)) })),
    fails: ["orthonormal", "projector"],
  },
  {
    what: "P that shortens",
    layerOf: withProjection((h, good) => good.project(h).mul(1 - 1e-12)),
    fails: ["projector"],
  },
  {
    what: "P along a slanted direction",
    layerOf: oblique,
    fails: ["self_adjoint", "max_moment_residual", "error", "exactness"],
    form: "B",
  },
  { what: "no P", layerOf: withoutMoments, fails: ["max_moment_residual", "error", "exactness"] },
  { what: "plain T_r", layerOf: plainTruncation, fails: ["max_moment_residual", "error", "exactness"] },
  {
    what: "other E",
    layerOf: otherMoments,
    fails: ["max_moment_residual", "error", "true_rank", "exactness"],
  },
  {
    what: "moments that are off by 8e-6",
    layerOf: withForward((h, layer) => layer.forward(h).add(1e-6)),
    fails: ["max_moment_residual", "error", "exactness", "zero"],
  },
  {
    what: "one rank less",
    layerOf: withSettings(({ rank }) => ({ rank: rank - 1 })),
    fails: ["error", "exactness"],
  },
  {
    what: "one rank more",
    layerOf: withSettings(({ rank }) => ({ rank: rank + 1 })),
    fails: ["error", "true_rank"],
  },
  {
    what: "form B for form A",
    layerOf: withSettings(() => ({ form: "B" })),
    fails: ["error"],
    form: "A",
  },
  {
    what: "form A for form B",
    layerOf: withSettings(() => ({ form: "A" })),
    fails: ["error", "exactness"],
    form: "B",
  },
  { what: "no compression", layerOf: withForward((h) => h), fails: ["error", "true_rank"] },
  {
    what: "a little of what was cut",
    layerOf: withForward((h, layer) => layer.forward(h).add(layer.projector.remove(h).mul(1e-10))),
    fails: ["error", "exactness"],
  },
  {
    what: "a constant",
    layerOf: withForward((h, layer) => layer.forward(h).add(1e-20)),
    fails: ["zero"],
  },
  {
    what: "0/0 at zero",
    layerOf: withForward((h, layer) => layer.forward(h).mul(ratioToItself(squares(h)))),
    fails: ["zero"],
  },
  { what: "the transposed gradient", layerOf: transposedGradient, fails: ["gradient"], form: "A" },
  { what: "the gradient of the identity", layerOf: identityGradient, fails: ["gradient"] },
  {
    what: "the tangent gradient",
    layerOf: withSettings(() => ({ gradient: "tangent" })),
    fails: ["gradient"],
  },
  { what: "a clipped gradient", layerOf: withSettings(() => ({ bound: 2 })), fails: ["gradient"] },
  {
    what: "NaN",
    layerOf: withForward((h, layer) => layer.forward(h).mul(NaN)),
    fails: ["max_moment_residual", "error", "true_rank", "exactness", "zero", "gradient"],
  },
];

describe("momentRank2Checks", () => {
  it.each(forms)("passes the layer of form %s, which it makes by itself", (form) => {
    expect(failed(form, gridLayer)).toEqual([]);
    const settings = completeSettings({ form });
    expect(momentRank2Checks(settings, generator(5))).toEqual(
      momentRank2Checks(settings, generator(5), gridLayer),
    );
  });

  it.each(cases)("fails $fails for a layer with $what", ({ layerOf, fails, form }) => {
    for (const each of form ? [form] : forms) expect(failed(each, layerOf), `form ${each}`).toEqual(fails);
  });

  it("has a broken layer for each of its checks", () => {
    expect(new Set(cases.flatMap(({ fails }) => fails))).toEqual(new Set(names));
  });

  it("says what it checks of the form and the rank", () => {
    const statements = (form: Form, rank: number): string =>
      momentRank2Checks(completeSettings({ form, rank }), generator(5))
        .map(({ statement }) => statement)
        .join("\n");
    expect(statements("B", 2)).toMatch(
      /D = \(I−P\)H − T_r\(\(I−P\)H\).*\nrank C\(H\) ≤ 4\n.*of the complement/,
    );
    expect(statements("A", 3)).toMatch(
      /D = H − T_r\(H\).*\nrank C\(H\) ≤ 5\n.*where H − T_r\(H\) is a moment/,
    );
  });
});
