import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import {
  attentionMaps,
  differencesOf,
  findings,
  inspect,
  inspectStep,
  throughTime,
  trainingStep,
  type InspectDocument,
} from "../../../src/inspect/index.js";
import { hasBrowser, launch, opened } from "./opened-page.js";

const loss = (x: Tensor, w: Tensor): Tensor => {
  const h = x.mul(w).tanh();
  return h.mul(h.sigmoid()).sum().add(w.square().sum());
};
const recorded = (x: number[]): InspectDocument =>
  inspect(loss, [tensor(x), tensor([0.5, 0.25])], { names: ["x", "w"], replayable: true });
const transformer = inspectStep(trainingStep("transformer_tiny", { steps: 8, batch: 2 }), {
  replayable: true,
});
const gru = inspectStep(trainingStep("rnn_small", { steps: 6, batch: 2 }), {
  unfused: true,
  replayable: true,
});

/** Presses Tab until what has the focus fits. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((one) => document.activeElement?.matches(one) ?? false, selector)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

const numbers = (page: Page, selector: string): Promise<string[]> =>
  page.$$eval(`${selector} data`, (found) => found.map((one) => (one as HTMLDataElement).value));

const text = async (page: Page, selector: string): Promise<string> =>
  (await page.textContent(selector))!.replace(/\s+/g, " ").trim();

describe.skipIf(!hasBrowser)("the views of the inspector's page, by keys alone", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test("edit: another value of a leaf gives the numbers of the edited computation, and back", async () => {
    const { page, troubles } = await opened(browser, recorded([1, -2]));
    await press(page, "5");
    await tabTo(page, ".number-field");
    await page.keyboard.type("0.75");
    await press(page, "Enter");
    const [before, after] = [recorded([1, -2]), recorded([0.75, -2])];
    const outputs = [before, after].map(({ nodes, output }) => String(nodes[output]!.value.values![0]));
    expect(await numbers(page, "[data-compared=output]")).toEqual(outputs);
    expect(outputs[0]).not.toBe(outputs[1]);
    await tabTo(page, "button.edited, [role=tab]");
    await press(page, "2", "End");
    const last = after.events.at(-1)!;
    expect(await numbers(page, "[data-term=part]")).toEqual(last.part!.values!.map(String));
    await press(page, "5");
    await tabTo(page, ".buttons button:last-child");
    await press(page, "Enter", "2", "End");
    expect(await numbers(page, "[data-term=part]")).toEqual(before.events.at(-1)!.part!.values!.map(String));
    expect(troubles).toEqual([]);
    await page.close();
  });

  test("predict: a right guess, a wrong one with its hint, and the next", async () => {
    const document = recorded([1, -2]);
    const { page, troubles } = await opened(browser, document);
    // A busy machine draws late: a key that comes before the next frame must find the focus where it belongs.
    await page.evaluate(() => (window.requestAnimationFrame = () => 0));
    await press(page, "4");
    await page.keyboard.type("1");
    await press(page, "Enter");
    expect(await text(page, ".verdict")).toMatch(/^Right\. It is 1\./);
    const at = document.events.findIndex(
      ({ local, part }, i) =>
        part?.values?.length === 2 &&
        local?.values &&
        local.values.every((slope) => ![0, 1, -1].includes(Number(slope))) &&
        i > 0,
    );
    for (let moment = 0; moment < at; moment++) await press(page, "]");
    const { part } = document.events[at]!;
    const place = (at * 7 + 3) % 2;

    await tabTo(page, ".guess input");
    await page.keyboard.type(String(-part!.values![place]!));
    await press(page, "Enter");
    expect(await text(page, ".verdict")).toMatch(
      /^Not quite\. It is [−\d.e]+\.\s?The sign is the other way round\./,
    );
    expect(await text(page, ".score")).toBe("1 of 2 right");
    expect(await numbers(page, ".verdict table")).toEqual(part!.values!.map(String));
    await press(page, "Enter");
    expect(await text(page, ".scrubber output")).toBe(`${at + 1} of ${document.events.length}`);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test("why: the first cause of a NaN in plain words, and of a leaf that nothing uses", async () => {
    const document = inspect((x: Tensor) => x.relu().log().mean(), [tensor([1, -1]), tensor([2])]);
    const { page, troubles } = await opened(browser, document);
    expect(await text(page, ".alarm")).toBe("2 findings");
    await tabTo(page, ".alarm");
    await press(page, "Enter");
    const sentences = await page.$$eval(".sentence", (found) => found.map((one) => one.textContent));
    expect(sentences.map((one) => one.toLowerCase())).toEqual(
      findings(document).map(({ sentence }) => sentence.toLowerCase()),
    );
    expect(await page.$$eval(".trail .cause", (found) => found.length)).toBe(2);
    await tabTo(page, ".trail .link");
    await press(page, "Enter", "1");
    expect(await text(page, ".details h2")).toBe("log #3");
    expect(troubles).toEqual([]);
    await page.close();
  });

  test("graph: groups open and close, arrow keys go through the grid of time steps, details hold the value", async () => {
    const { page, troubles } = await opened(browser, gru);
    await press(page, "1", "g");
    const boxes = (): Promise<number> => page.$$eval(".box", (found) => found.length);
    const open = await boxes();
    for (
      let i = 0;
      i < 12 && !(await page.evaluate(() => document.activeElement!.matches(".cells-area")));
      i++
    )
      await press(page, "ArrowUp");
    const shown = async (): Promise<number> => Number((await text(page, ".details h2")).split("#")[1]);
    const first = await shown();
    expect(gru.nodes[first]).toMatchObject({ time: 5 });
    await press(page, "ArrowLeft");
    const before = await shown();
    expect(gru.nodes[before]).toMatchObject({ time: 4, op: gru.nodes[first]!.op });
    expect(await numbers(page, ".details .large .figures")).toContain(String(gru.nodes[before]!.value.norm));
    await press(page, "c");
    expect(await page.$$eval(".box.grid", (found) => found.length)).toBe(0);
    expect(await boxes()).toBe(open);
    await tabTo(page, ".box.group");
    await press(page, "Enter");
    expect(await page.$$eval(".box.grid", (found) => found.length)).toBe(1);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test("through time: arrow keys move, and every number is the library's", async () => {
    const { page, troubles } = await opened(browser, gru);
    await press(page, "6");
    await tabTo(page, ".plot-area");
    await press(page, "ArrowLeft", "ArrowLeft");
    const { norm, gradient, gain, gates } = throughTime(gru)[0]!.steps[3]!;
    const of = ({ mean, range }: { mean: unknown; range: readonly unknown[] | null }): unknown[] => [
      mean,
      ...range!,
    ];
    expect(await numbers(page, "[data-time='3']")).toEqual(
      [norm, gradient, gain, ...[gates!.update, gates!.reset, gates!.candidate].flatMap(of)].map(String),
    );
    expect(troubles).toEqual([]);
    await page.close();
  });

  test("attention: arrow keys go over the map, whose weights are the library's, for each head", async () => {
    const { page, troubles } = await opened(browser, transformer);
    await press(page, "6");
    const [map] = attentionMaps(transformer);
    await tabTo(page, ".map-area");
    await press(page, "ArrowDown", "ArrowDown", "ArrowRight");
    expect(await numbers(page, "[data-weight=shown]")).toEqual([String(map!.weights![0]![0]![2]![1])]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    expect(await page.evaluate(() => document.activeElement!.parentElement!.textContent)).toMatch(/^head/);
    await page.keyboard.type("1");
    expect(await numbers(page, "[data-weight=shown]")).toEqual([String(map!.weights![0]![1]![2]![1])]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test("check: the rule beside differences of every step size, as the library has them", async () => {
    const document = recorded([1, -2]);
    const { page, troubles } = await opened(browser, document);
    await press(page, "6");
    const { value, rule, steps, best, sentence } = differencesOf(document, 0, [0]);
    const shown = (at: number): string[] => {
      const { step, slope, left, right, error } = steps[at]!;
      return [value, rule, step, slope, left, right, error].map(String);
    };
    expect(await text(page, ".verdict")).toBe(
      `They agree${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`,
    );
    expect(await numbers(page, "[data-check=step]")).toEqual(shown(best));
    await tabTo(page, ".plot-area");
    await press(page, "Home");
    expect(await numbers(page, "[data-check=step]")).toEqual(shown(0));
    await tabTo(page, "[role=tab]");
    expect(troubles).toEqual([]);
    await page.close();
  });

  test("nothing is wider than the page at 400 px, in dark and light, in any view", async () => {
    const backgrounds = new Set<string>();
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, troubles } = await opened(browser, colorScheme === "light" ? gru : transformer, {
        width: 400,
        colorScheme,
      });
      for (const key of ["1", "2", "3", "4", "5", "6", "7"]) {
        await press(page, key);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
      }
      backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      expect(troubles).toEqual([]);
      await page.close();
    }
    expect(backgrounds.size).toBe(2);
  });
});
