import { describe, expect, test } from "vitest";
import {
  decodeCell,
  decodeModels,
  type DecodeFigures,
  type DecodePoint,
} from "../../../src/bench/study/cells/decode.js";
import { decode } from "../../../src/bench/study/decode.js";

const time = (method: DecodePoint["method"], n: number, rank = 4): DecodePoint => ({
  what: "time",
  method,
  rank: method === "exact" ? 0 : rank,
  width: 8,
  n,
});

describe("decode", () => {
  test("has each exact context once, and each seed of a language model", () => {
    const points = decode.points!({ ...decode.grid, n: [256, 512], width: [8], rank: [4, 16], seed: [0, 1] });
    const count = (what: string, method: string): number =>
      points.filter((point) => point.what === what && point.method === method).length;
    expect(["exact", "doubling", "once"].map((method) => count("time", method))).toEqual([2, 4, 4]);
    expect(["exact", "doubling", "once"].map((method) => count("trained", method))).toEqual([2, 4, 4]);
    expect(["exact", "doubling", "once"].map((method) => count("replaced", method))).toEqual([0, 4, 4]);
    const ranks = decode.points!(decode.grid)
      .filter(({ what }) => what === "trained")
      .map(({ rank }) => rank);
    expect(Math.max(...ranks)).toBe(16);
    expect(points.filter((point) => decode.measures!(point))).toEqual(
      points.filter(({ what }) => what === "time"),
    );
  });

  test("trains language models only, each through its own attention", () => {
    expect(decodeModels(time("exact", 256))).toEqual([]);
    const point: DecodePoint = { what: "trained", method: "once", rank: 16, width: 0, n: 2 };
    const [spec] = decodeModels(point);
    expect(spec).toMatchObject({ track: "language", seed: 2, arm: "idea" });
    expect(spec!.idea!.options).toMatchObject({ causal: true, refresh: "once", rank: 16 });
    expect(decodeModels({ ...point, method: "exact" })[0]!.idea).toBeNull();
    expect(decodeModels({ ...point, what: "replaced" })[0]!.idea).toBeNull();
  });

  test("measures what is remembered: all keys and values, all tokens, or no more than a chunk", () => {
    const bytes = (point: DecodePoint): number => (decodeCell(point, []) as { bytes: number }).bytes;
    expect(bytes(time("exact", 64))).toBe(64 * 4 * 8 * 2 * 4);
    expect(bytes(time("doubling", 64))).toBeGreaterThan(bytes(time("exact", 64)));
    expect(bytes(time("once", 96))).toBe(bytes(time("once", 64)));
    const { seconds, mean, longest } = decodeCell(time("doubling", 64), []) as Extract<
      DecodeFigures,
      { mean: number }
    >;
    expect(seconds).toBeGreaterThan(0);
    expect(longest).toBeGreaterThanOrEqual(mean);
  });

  test("says what was found, the negative first", () => {
    const figures = (mean: number, bytes: number) => ({ seconds: mean, mean, longest: 2 * mean, bytes });
    const { tables, plots, findings } = decode.present([
      { point: time("exact", 256), figures: figures(0.001, 1024) },
      { point: time("doubling", 256), figures: figures(0.002, 2048) },
      { point: time("once", 256), figures: figures(0.0005, 512) },
      {
        point: { what: "trained", method: "exact", rank: 0, width: 0, n: 0 },
        figures: { bits: 2, perplexity: 4 },
      },
      {
        point: { what: "trained", method: "once", rank: 4, width: 0, n: 0 },
        figures: { bits: 3, perplexity: 8 },
      },
      {
        point: { what: "replaced", method: "once", rank: 4, width: 0, n: 0 },
        figures: { bits: 4, perplexity: 16 },
      },
    ]);
    expect(findings).toEqual([
      "Width 8, 256 tokens: on average a token takes no less time than exactly, 1.00 ms, with 2.00 ms (doubling, rank 4).",
      "Width 8, 256 tokens: no less is remembered than the 1.00 KiB of all keys and values with 2.00 KiB (doubling, rank 4).",
      "Width 8, 256 tokens: a token takes 1.00 ms exactly, and 0.500 ms (once, rank 4) on average.",
      "Width 8, 256 tokens: remembered are 1.00 KiB exactly, and 0.500 KiB (once, rank 4).",
      "Trained exactly, the language models have a perplexity of 4.00 (2.00 bits per character); trained through pivots 8.00 (once, rank 4); with pivots put in after exact training 16.0 (once, rank 4).",
    ]);
    expect(tables.map(({ rows }) => rows.length)).toEqual([3, 2, 1]);
    expect(plots.map(({ id }) => id)).toEqual(["time-8", "mean-8", "bytes-8"]);
  });
});
