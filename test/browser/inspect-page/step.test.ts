import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import { inspect, stepsOf, type InspectDocument } from "../../../src/inspect/index.js";
import { hasBrowser, launch, opened } from "./opened-page.js";

/** h is used twice, w in two places. */
const loss = (x: Tensor, w: Tensor): Tensor => {
  const h = x.mul(w).tanh();
  return h.mul(h.sigmoid()).sum().add(w.square().sum());
};
const document = inspect(loss, [tensor([1, -2]), tensor([0.5, 0.25])], { names: ["x", "w"] });
const steps = stepsOf(document);

/** What the page shows at a moment: terms of the equation and the states of the leaves. */
interface Shown {
  readonly moment: string;
  readonly terms: Record<string, string[]>;
  readonly leaves: Record<string, { readonly state: string; readonly numbers: string[] }>;
}

function readPage(): Shown {
  const numbers = (within: Element): string[] =>
    [...within.querySelectorAll("data")].map((one) => (one as HTMLDataElement).value);
  const terms = [...globalThis.document.querySelectorAll<HTMLElement>("[data-term]")];
  const leaves = [...globalThis.document.querySelectorAll<HTMLElement>("[data-leaf]")];
  return {
    moment: globalThis.document.querySelector(".scrubber output")!.textContent,
    terms: Object.fromEntries(terms.map((term) => [term.dataset.term!, numbers(term)])),
    leaves: Object.fromEntries(
      leaves.map((leaf) => [
        leaf.dataset.leaf!,
        { state: leaf.querySelector(".chip")!.textContent, numbers: numbers(leaf) },
      ]),
    ),
  };
}

/** What it ought to show, from the document alone. */
function expectedAt({ events, nodes }: InspectDocument, moment: number): Shown {
  const texts = (values: readonly unknown[] | undefined): string[] => (values ?? []).map(String);
  const event = events[moment - 1];
  const terms: Record<string, string[]> = {};
  if (event?.part) {
    if (event.from !== null)
      terms.upstream = texts(steps.gradientAt(event.from, moment - 1).gradient!.values);
    if (event.local) terms.local = texts(event.local.values);
    terms.part = texts(event.part.values);
    if (event.sum) {
      terms.before = texts(steps.gradientAt(event.to, moment - 1).gradient!.values);
      terms.added = terms.part;
      terms.sum = texts(event.sum.values);
    }
  }
  const words = ({ status, received, expected }: ReturnType<typeof steps.gradientAt>): string =>
    status === "not yet"
      ? "not yet computed"
      : status === "partial"
        ? `${received} of ${expected} parts in`
        : status === "never"
          ? "never computed"
          : expected === 1
            ? "complete"
            : `complete: ${expected} parts`;
  return {
    moment: `${moment} of ${events.length}`,
    terms,
    leaves: Object.fromEntries(
      nodes
        .filter(({ kind }) => kind === "leaf")
        .map(({ id }) => {
          const state = steps.gradientAt(id, moment);
          return [id, { state: words(state), numbers: state.gradient ? [String(state.gradient.norm)] : [] }];
        }),
    ),
  };
}

describe.skipIf(!hasBrowser)("stepping through a backward pass in the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test("by keys alone, forwards and backwards, every moment shows what the library computed", async () => {
    const { page, troubles } = await opened(browser, document);
    const last = document.events.length;
    expect(last).toBeGreaterThan(12);
    await page.keyboard.press("2");
    for (let moment = 0; moment <= last; moment++) {
      expect(await page.evaluate(readPage)).toEqual(expectedAt(document, moment));
      await page.keyboard.press("ArrowRight");
    }
    for (let moment = last - 1; moment >= 0; moment--) {
      await page.keyboard.press("ArrowLeft");
      expect(await page.evaluate(readPage)).toEqual(expectedAt(document, moment));
    }
    expect(troubles).toEqual([]);
    await page.close();
  });

  test("with all digits, the printed text reads back as the same float32 numbers", async () => {
    const { page } = await opened(browser, document);
    for (const key of ["2", "End", "d"]) await page.keyboard.press(key);
    const [part] = document.events.slice(-1).map((event) => event.part!.values!);
    const texts = await page.$$eval("[data-term=part] data", (found) =>
      found.map(({ textContent }) => textContent),
    );
    expect(texts.map((text) => Math.fround(Number(text.replace("−", "-"))))).toEqual(part);
    await page.close();
  });
});
