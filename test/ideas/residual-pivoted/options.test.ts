import { describe, expect, test } from "vitest";
import { tensor, vjp, type Tensor } from "../../../src/autograd/index.js";
import type { IdeaOptions, TrainedModel } from "../../../src/ideas/idea.js";
import {
  pivotLaws,
  residualPivoted,
  residualPivotedAttention,
  type AttentionOptions,
} from "../../../src/ideas/residual-pivoted/index.js";
import { generator } from "../../../src/random/index.js";

const [q, k, v] = ["q", "k", "v"].map((name) =>
  tensor(generator(name).normals(4 * 2 * 12 * 6), { shape: [4, 2, 12, 6], dtype: "float32" }),
) as [Tensor, Tensor, Tensor];

const trained: TrainedModel = {
  hiddenStates: () => [],
  attentionInputs: () => [{ layer: 0, q, k, v }],
};

/** Other values of each option of the idea, each of which alone must be seen; but those that only the causal form has. */
const others: Record<string, readonly IdeaOptions[string][]> = {
  rank: [1, 3, 5, 9],
  pivots: pivotLaws.filter((law) => law !== residualPivoted.options.pivots),
  ridge: [1e-3, 0.1],
  causal: [true],
};

test("the table has every option but those tested by themselves, and a value beside the default for each", () => {
  const elsewhere = ["chunk", "refresh", "sampler"];
  expect([...Object.keys(others), ...elsewhere].sort()).toEqual(Object.keys(residualPivoted.options).sort());
  for (const [name, values] of Object.entries(others)) {
    expect(values).not.toContain(residualPivoted.options[name]);
    expect(values.length).toBeGreaterThan(0);
  }
});

const single = Object.entries(others).flatMap(([name, values]) =>
  values.map((value): [string, IdeaOptions[string]] => [name, value]),
);

describe("an option of the idea, alone", () => {
  const attend = (options: IdeaOptions): number[] => {
    const { attention } = residualPivoted.change(options, generator("pivots"));
    return [...attention!(q, k, v, { layer: 0 }).values()];
  };
  const pull = (options: IdeaOptions): number[] => {
    const { attention } = residualPivoted.change(options, generator("pivots"));
    const run = vjp((...x) => attention!(x[0]!, x[1]!, x[2]!, { layer: 0 }), q, k, v);
    return run.pullback(v).flatMap((gradient) => [...gradient.values()]);
  };
  const figures = (options: IdeaOptions): unknown =>
    residualPivoted.measure(trained, options, generator("measure")).figures;

  test.each(single)("%s = %s changes output, gradient and figures", (name, value) => {
    const options = { ...residualPivoted.options, [name]: value };
    expect(attend(options)).not.toEqual(attend(residualPivoted.options));
    expect(pull(options)).not.toEqual(pull(residualPivoted.options));
    expect(figures(options)).not.toEqual(figures(residualPivoted.options));
  });

  test("rank and ridge change the checks; the law does not, whose controls have the same mathematics", () => {
    const observed = (changed: IdeaOptions): number[] =>
      residualPivoted
        .checks({ ...residualPivoted.options, ...changed }, generator("checks"))
        .map((check) => check.observed);
    const plain = observed({});
    expect(observed({ rank: 5 })).not.toEqual(plain);
    expect(observed({ ridge: 0.1 })).not.toEqual(plain);
    expect(observed({ pivots: "uniform" })).toEqual(plain);
  });

  test.each([
    ["chunk", 3],
    ["refresh", "once"],
  ])("%s = %s changes the causal form, and nothing else", (name, value) => {
    const causal = { ...residualPivoted.options, causal: true, chunk: 2 };
    expect(attend({ ...causal, [name]: value })).not.toEqual(attend(causal));
    expect(pull({ ...causal, [name]: value })).not.toEqual(pull(causal));
    expect(figures({ ...causal, [name]: value })).not.toEqual(figures(causal));
    const plain = { ...residualPivoted.options, [name]: value };
    expect(attend(plain)).toEqual(attend(residualPivoted.options));
  });

  test("the accelerated sampler draws other pivots by the same law: other outputs, and the same figures", () => {
    const accelerated = { ...residualPivoted.options, sampler: "accelerated" };
    expect(attend(accelerated)).not.toEqual(attend(residualPivoted.options));
    expect(pull(accelerated)).not.toEqual(pull(residualPivoted.options));
    expect(figures(accelerated)).toEqual(figures(residualPivoted.options));
    expect(() => attend({ ...accelerated, sampler: "fast" })).toThrow(/E_VALUE.*sampler/s);
  });

  test("a causal model gets the causal form, whatever the options say", () => {
    const at = (options: IdeaOptions, causal: boolean): number[] => {
      const { attention } = residualPivoted.change({ ...options, chunk: 2 }, generator("pivots"));
      return [...attention!(q, k, v, { layer: 1, causal }).values()];
    };
    const causal = { ...residualPivoted.options, causal: true };
    expect(at(residualPivoted.options, true)).toEqual(at(causal, false));
    expect(at(residualPivoted.options, false)).not.toEqual(at(causal, false));
  });
});

describe("an option of the layer, alone", () => {
  const attend = (options: AttentionOptions) => {
    const { output, statistics } = residualPivotedAttention(q, k, v, {
      rng: generator("pivots"),
      ...options,
    });
    return { output: [...output.values()], statistics };
  };
  const mask = tensor(
    Uint8Array.from({ length: 12 }, (_, i) => (i < 9 ? 1 : 0)),
    { shape: [12], dtype: "bool" },
  );
  const changes: Required<Omit<AttentionOptions, "chunk" | "refresh">> = {
    causal: true,
    sampler: "accelerated",
    rank: 3,
    pivots: "greedy",
    ridge: 0.1,
    rng: generator("others"),
    held: Int32Array.from({ length: 8 * 4 }, (_, at) => at % 24),
    queryMask: mask,
    keyMask: mask,
  };

  test.each(Object.keys(changes) as (keyof typeof changes)[])("%s changes the output", (name) => {
    const plain = attend({});
    const changed = attend({ [name]: changes[name] });
    expect(changed.output).not.toEqual(plain.output);
    expect(attend({})).toEqual(plain);
  });
});
