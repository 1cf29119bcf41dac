import { describe, expect, test } from "vitest";
import { runTrainingCell } from "../../../src/bench/cells/train-cell.js";
import { attentionQuality } from "../../../src/bench/study/attention-quality.js";
import {
  attentionQualityCell,
  qualityModel,
  rivals,
  type AttentionQualityPoint,
} from "../../../src/bench/study/cells/attention-quality.js";
import { scoreOfModel } from "../../../src/bench/study/cells/studied-model.js";
import type { StudiedModel } from "../../../src/bench/study/study.js";
import { builtInIdeas } from "../../../src/ideas/index.js";
import { pivotLaws } from "../../../src/ideas/residual-pivoted/index.js";

const point = (rank: number): AttentionQualityPoint => ({
  track: "sequence",
  trained: "exact",
  seed: 0,
  rank,
});

/** A model of a few series, by the specification of a point. */
function studied(at: AttentionQualityPoint): StudiedModel {
  const spec = { ...qualityModel(at), trainSize: 32, testSize: 4, epochs: 1 };
  return { spec, weights: runTrainingCell(spec, builtInIdeas).result.weights };
}

describe("attention-quality", () => {
  const model = studied(point(4));
  const [few, all] = [4, 128].map((rank) => attentionQualityCell(point(rank), [model])) as [
    ReturnType<typeof attentionQualityCell>,
    ReturnType<typeof attentionQualityCell>,
  ];

  test("a cell has a figure for every law and rival", () => {
    const names = [...pivotLaws, ...rivals].sort();
    expect(Object.keys(few.scores).sort()).toEqual(names);
    expect(Object.keys(few.outputError).sort()).toEqual(names);
    expect(Object.keys(few.traceLeft).sort()).toEqual([...pivotLaws, "optimal"].sort());
    expect(few.score).toBe(scoreOfModel(model));
  });

  test("no factor leaves less of the trace than the best one, and as many pivots as points leave nothing", () => {
    for (const law of pivotLaws) {
      expect(few.traceLeft[law]!).toBeGreaterThanOrEqual(few.traceLeft.optimal! - 1e-6);
      expect(few.traceLeft[law]!).toBeLessThan(1);
      expect(all.traceLeft[law]!).toBeLessThan(1e-5);
      expect(all.outputError[law]!).toBeLessThan(1e-3);
      expect(all.scores[law]!).toBeCloseTo(all.score, 4);
    }
    expect(all.outputError["oracle-svd"]!).toBeLessThan(1e-5);
    expect(all.outputError["mean-of-v"]!).toBe(few.outputError["mean-of-v"]);
  });

  test("says what was found, the negative first", () => {
    const cells = [
      { point: point(4), figures: few },
      { point: point(128), figures: all },
    ];
    const { tables, plots, findings } = attentionQuality.present(cells);
    expect(tables.map(({ rows }) => rows.length)).toEqual([2, 2, 2]);
    for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
    expect(plots.map(({ id }) => id)).toEqual([
      "trace-sequence-exact",
      "error-sequence-exact",
      "score-sequence-exact",
    ]);
    expect(plots[0]!.series.find(({ name }) => name === "exp")!.points).toEqual([
      [4, few.traceLeft.exp],
      [128, all.traceLeft.exp],
    ]);
    expect(findings.at(-1)).toContain(few.traceLeft.optimal!.toPrecision(3));
    const ahead = Object.entries(few.outputError).some(([, error]) => error < few.outputError.exp!);
    expect(/smaller is that of/.test(findings[0]!)).toBe(ahead);
  });

  test("a model that is trained through pivots has those of its rank", () => {
    const { idea, arm } = qualityModel({ ...point(8), trained: "pivoted" });
    expect(arm).toBe("idea");
    expect(idea?.options).toMatchObject({ rank: 8, pivots: "exp" });
    expect(attentionQuality.models!(point(8))).toEqual([qualityModel(point(8))]);
  });
});
