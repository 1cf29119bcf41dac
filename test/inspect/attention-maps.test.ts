import { describe, expect, test } from "vitest";
import { randomNormal, tensor, type Tensor } from "../../src/autograd/index.js";
import {
  composedPivotedAttention,
  residualPivotedAttention,
  type AttentionOptions,
} from "../../src/ideas/residual-pivoted/index.js";
import {
  attentionMaps,
  inspect,
  inspectStep,
  trainingStep,
  type AttentionMap,
  type InspectDocument,
  type InspectOptions,
} from "../../src/inspect/index.js";
import { attention, MultiHeadAttention } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";

const rng = (): ReturnType<typeof generator> => generator(8).stream("maps");
const normal = (name: string, ...shape: number[]): Tensor =>
  randomNormal(generator(2).stream(name), shape, { dtype: "float64" });
const recorded = (
  f: (...xs: Tensor[]) => Tensor,
  xs: readonly Tensor[],
  options: InspectOptions,
): InspectDocument => JSON.parse(JSON.stringify(inspect(f, xs, options))) as InspectDocument;
const flat = (weights: AttentionMap["weights"]): number[] => weights!.flat(3) as number[];

function expectClose(found: readonly number[], expected: ArrayLike<number>): void {
  expect(found).toHaveLength(expected.length);
  found.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 10));
}

/** softmax(q·kᵀ/√d) by its formula. */
function softmaxOf(q: Tensor, k: Tensor, hidden?: Tensor): Tensor {
  const scores = q.matmul(k, { transposeB: true }).div(Math.sqrt(q.shape.at(-1)!));
  const shown = hidden ? scores.where(hidden.logicalNot(), -1e300) : scores;
  const powers = shown.sub(shown.max(-1, { keepDims: true })).exp();
  return powers.div(powers.sum(-1, { keepDims: true }));
}

const [q, k, v] = [normal("q", 2, 2, 3, 4), normal("k", 2, 2, 5, 4), normal("v", 2, 2, 5, 6)];
const attnMask = tensor([
  [false, true, false, false, true],
  [false, false, false, false, false],
  [true, true, true, false, true],
]);

describe("attentionMaps", () => {
  test.each<[string, InspectOptions]>([
    ["fused", { replayable: true }],
    ["composed", { replayable: true, unfused: true }],
    ["composed, read from the document", { unfused: true, full: 200 }],
  ])("exact attention, %s: the weights of its formula, and what the mask hides", (_, options) => {
    const document = recorded((a, b, c) => attention(a, b, c, { attnMask }), [q, k, v], options);
    const [map, ...others] = attentionMaps(document);
    expect(others).toEqual([]);
    expect(map).toMatchObject({
      kind: "exact",
      examples: 2,
      batch: 2,
      heads: 2,
      queries: 3,
      keys: 5,
      notFinite: [],
    });
    expectClose(flat(map!.weights), softmaxOf(q, k, attnMask).values());
    expect(map!.hidden![1]![0]).toEqual((attnMask.toArray() as number[][]).map((row) => row.map(Boolean)));
  });

  test("the heads of a layer, from one projection; only so many examples", () => {
    const layer = new MultiHeadAttention(8, 2, { rng: rng(), dtype: "float64" });
    const x = normal("x", 3, 4, 8);
    const run = (options: InspectOptions): AttentionMap[] => [
      ...attentionMaps(
        recorded((a) => layer.forward(a), [x], { modules: { layer }, ...options }),
        { examples: 2 },
      ),
    ];
    const [fused] = run({ replayable: true });
    const [composed] = run({ replayable: true, unfused: true });
    expect(fused).toMatchObject({ path: "layer", examples: 2, batch: 3, heads: 2, queries: 4, keys: 4 });
    expect(fused!.hidden).toBeUndefined();
    expect(flat(fused!.weights)).toHaveLength(2 * 2 * 4 * 4);
    expectClose(flat(fused!.weights), flat(composed!.weights));
    const [summary] = run({});
    expect(summary).toMatchObject({ examples: 2, batch: 3, heads: 2, queries: 4, keys: 4, notFinite: [] });
    expect(summary!.weights).toBeUndefined();
  });

  test("a softmax of one's own that weighs values, and none that does not", () => {
    const [a, b] = [normal("a", 3, 4), normal("b", 5, 4)];
    const own = (x: Tensor, y: Tensor): Tensor =>
      x.matmul(y, { transposeB: true }).mul(0.5).softmax(-1).matmul(y).softmax(-1);
    const found = attentionMaps(recorded(own, [a, b], { full: 100 }));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ batch: 1, heads: 1, queries: 3, keys: 5 });
    expectClose(flat(found[0]!.weights), softmaxOf(a, b).values());
  });

  const pivoted = (options: AttentionOptions): AttentionMap =>
    attentionMaps(
      recorded((a, b, c) => residualPivotedAttention(a, b, c, options).output, [q, k, v], {
        replayable: true,
      }),
    )[0]!;

  test("pivoted attention: its approximation beside the exact weights, with its pivots", () => {
    const map = pivoted({ rank: 3, rng: rng() });
    const { statistics } = residualPivotedAttention(q, k, v, { rank: 3, rng: rng() });
    const rows = map
      .pivots!.flat()
      .map((list) => list.map(({ kind, row }) => (kind === "key" ? row + 3 : row)));
    expect(rows.flat()).toEqual([...statistics.pivots]);
    expectClose(flat(map.exact), softmaxOf(q, k).values());
    // A row without a weight below 0 cannot leave the range of the values, so that nothing of it is clamped.
    const mixed = tensor(flat(map.weights), { shape: [2, 2, 3, 5], dtype: "float64" }).matmul(v);
    const expected = composedPivotedAttention(q, k, v, statistics.pivots);
    const weightRows = map.weights!.flat(2);
    const convex = weightRows.flatMap((row, i) => (row.every((weight) => weight >= 0) ? [i] : []));
    expect(convex.length).toBeGreaterThan(3);
    for (const row of convex)
      expectClose(
        [...mixed.values().slice(6 * row, 6 * row + 6)],
        expected.values().slice(6 * row, 6 * row + 6),
      );
    // Rows add up to 1, but for those whose normaliser was replaced by its bound, which is larger.
    const replaced = map.floored!.flatMap((heads, b) =>
      heads.flatMap((list, h) => list.map((row) => 6 * b + 3 * h + row)),
    );
    expect(replaced).toHaveLength(statistics.floored);
    weightRows.forEach((row, i) => {
      const sum = row.reduce((total, weight) => total + weight);
      if (replaced.includes(i)) expect(sum).toBeLessThan(1);
      else expect(sum).toBeCloseTo(1, 9);
    });
    // The rows of queries that are pivots, and all keys where keys and queries are as many pivots as there are rows, are exact.
    map.pivots!.forEach((heads, b) =>
      heads.forEach((pivots, h) => {
        for (const { kind, row } of pivots)
          if (kind === "query") expectClose(map.weights![b]![h]![row]!, map.exact![b]![h]![row]!);
      }),
    );
    const full = pivoted({ rank: 8, rng: rng() });
    expectClose(flat(full.weights), flat(full.exact));
  });

  test("pivoted attention with padding: what is hidden has no weight, in either", () => {
    const keyMask = tensor([
      [true, true, false, true, true],
      [true, true, true, true, false],
    ]);
    const map = pivoted({ rank: 2, rng: rng(), keyMask });
    expect(map.hidden!.map((heads) => heads[1]![2])).toEqual([
      [false, false, true, false, false],
      [false, false, false, false, true],
    ]);
    for (const weights of [map.weights!, map.exact!])
      expect([weights[0]![1]!.map((row) => row[2]), weights[1]![0]!.map((row) => row[4])].flat()).toEqual(
        new Array(6).fill(0),
      );
  });

  test("causal pivoted attention: nothing of the future, exact within the first chunk", () => {
    const [a, b] = [normal("c", 1, 2, 6, 4), normal("d", 1, 2, 6, 4)];
    const run = (x: Tensor, y: Tensor): Tensor =>
      residualPivotedAttention(x, y, y, { rank: 2, rng: rng(), causal: true, chunk: 3 }).output;
    const [map] = attentionMaps(recorded(run, [a, b], { replayable: true }));
    expect(map).toMatchObject({ kind: "pivoted", queries: 6, keys: 6, notFinite: [] });
    map!.weights![0]!.forEach((rows, head) =>
      rows.forEach((row, query) => {
        expect(row.slice(query + 1).every((w) => w === 0)).toBe(true);
        if (query < 3) expectClose(row, map!.exact![0]![head]![query]!);
      }),
    );
  });

  test("of both built-in cases, layer by layer", () => {
    const step = (idea?: string): InspectDocument =>
      inspectStep(trainingStep("transformer_tiny", { idea, batch: 2, steps: 6 }), { replayable: true });
    const paths = (document: InspectDocument): string[] => attentionMaps(document).map(({ path }) => path);
    expect(paths(step())).toEqual(paths(step("residual-pivoted")));
    expect(paths(step()).length).toBeGreaterThan(1);
    for (const map of attentionMaps(step("residual-pivoted"))) {
      expect(map.kind).toBe("pivoted");
      expect(map.pivots!.flat(2).length).toBeGreaterThan(0);
    }
  });

  test.each<[string, (a: Tensor, b: Tensor, c: Tensor) => Tensor, string[]]>([
    ["a query", (a, b, c) => attention(a.div(a.sub(a.detach())), b, c), ["q"]],
    ["a value", (a, b, c) => attention(a, b, c.mul(Infinity)), ["v"]],
    ["scores that overflow", (a, b, c) => attention(a.mul(1e200), b.mul(1e200), c), ["scores"]],
  ])("says what holds a NaN: %s", (_, f, expected) => {
    for (const unfused of [false, true])
      expect(attentionMaps(recorded(f, [q, k, v], { replayable: true, unfused }))[0]!.notFinite).toEqual(
        expected,
      );
  });

  test("without attention there is nothing; a wrong number is refused", () => {
    const document = recorded((a) => a.softmax(), [q], {});
    expect(attentionMaps(document)).toEqual([]);
    expect(() => attentionMaps(document, { examples: 0 })).toThrow(
      "E_VALUE: attentionMaps: expected examples",
    );
  });
});
