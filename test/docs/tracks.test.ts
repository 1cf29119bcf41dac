import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { presets } from "../../src/bench/presets.js";
import { constants as digits } from "../../src/bench/tracks/digits.js";
import { constants as dynamics } from "../../src/bench/tracks/dynamics.js";
import { constants as field } from "../../src/bench/tracks/field.js";
import { RIDGE_PENALTIES } from "../../src/bench/tracks/floors/ridge.js";
import { tracks } from "../../src/bench/tracks/index.js";
import { constants as language } from "../../src/bench/tracks/language.js";
import { constants as recall } from "../../src/bench/tracks/recall.js";
import { constants as sequence } from "../../src/bench/tracks/sequence.js";
import { generator } from "../../src/random/index.js";

const page = fs.readFileSync(new URL("../../docs/tracks.md", import.meta.url), "utf8");
const constants: Readonly<Record<string, object>> = { dynamics, sequence, field, recall, language, digits };

const sectionOf = (name: string): string =>
  page.split(/^## /m).find((section) => section.startsWith(`${name}\n`)) ??
  expect.fail(`no section '${name}'`);

test("every track has a section, and every section a track", () => {
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual([...tracks.keys()]);
  expect(Object.keys(constants)).toEqual([...tracks.keys()]);
});

describe.each([...tracks.values()])("docs/tracks.md on $name", (track) => {
  const section = sectionOf(track.name);
  const words = section.replace(/\s+/g, " ");

  test("has the code's constants, each and no other", () => {
    const rows = [...section.matchAll(/^\| `(\w+)` \| `([^`]+)` \|$/gm)].map(([, name, value]) => [
      name,
      JSON.parse(value!) as unknown,
    ]);
    expect(Object.fromEntries(rows)).toEqual(constants[track.name]);
    expect(rows).toHaveLength(Object.keys(constants[track.name]!).length);
  });

  test("names shapes, loss, metric, model, and floors in their order", () => {
    const { steps, features } = track.input;
    expect(words).toContain(`Input \`[${steps}, ${features}]\``);
    expect(words).toContain(
      track.loss === "cross-entropy" ? `output ${track.outputs} classes` : `output \`[${track.outputs}]\``,
    );
    if (track.input.kind !== "series") expect(words).toContain(`a vocabulary of ${track.input.vocabulary}`);
    for (const name of [track.loss, track.metric, track.defaultModel]) expect(words).toContain(`\`${name}\``);
    const floors = track
      .floors(track.make(0, { train: 20, test: 5 }))
      .map(({ name }) => words.indexOf(`\`${name}\``));
    expect(floors.every((place, at) => place > (floors[at - 1] ?? 0))).toBe(true);
  });
});

test("the page's batch, penalties and width of a turn are the code's", () => {
  const words = page.replace(/\s+/g, " ");
  for (const preset of presets.values()) expect(words).toContain(`in batches of ${preset.batchSize}`);
  expect(words).toContain(`from ${RIDGE_PENALTIES.join(", ")} by the error on the last fifth`);
  const degrees = (360 / Math.PI) * Math.atan(field.halfTurn[1]);
  expect(words).toContain(`up to ${degrees.toFixed(1)}° a frame`);
});

test("recall can be made from the page's text and numbers alone", () => {
  const [keys, values, pairs] = ["keys", "values", "pairs"].map((name) =>
    Number(new RegExp(`\\| \`${name}\` \\| \`(\\d+)\``).exec(sectionOf("recall"))![1]),
  );
  const { validation } = tracks.get("recall")!.make(11, { train: 1, validation: 3, test: 0 });
  const rng = generator(11).stream("data").stream("validation");
  for (let i = 0; i < 3; i++) {
    const order = rng.permutation(keys!);
    const drawn = Array.from({ length: pairs! }, () => rng.integer(0, values!));
    const asked = rng.integer(0, pairs!);
    const tokens = [
      ...drawn.flatMap((value, pair) => [order[pair]!, keys! + value]),
      order[asked],
      keys! + values!,
    ];
    const width = tokens.length;
    expect([...validation!.x.subarray(width * i, width * (i + 1))]).toEqual(tokens);
    expect(validation!.y[i]).toBe(drawn[asked]);
  }
});
