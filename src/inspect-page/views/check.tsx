import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { JSX } from "preact";
import { differencesOf, type Differences } from "../../inspect/differences/differences-of.js";
import { toJson } from "../../inspect/json-number.js";
import { readIndex } from "../parts/element-index.js";
import { Figure } from "../parts/figure.js";
import { shapeText } from "../parts/number-text.js";
import { LinePlot } from "../plots/line-plot.js";
import { useSession } from "../state/session.js";

const element = signal("");
const best = signal<number | undefined>(undefined);

/** A gradient rule beside finite differences: the error against the size of the step. */
export function CheckView(): JSX.Element {
  const session = useSession();
  const recording = session.shown.value;
  const leaves = recording.document.nodes.filter(({ kind }) => kind === "leaf");
  const leaf = leaves.find(({ id }) => id === session.selected.value) ?? leaves[0];
  const index = leaf && readIndex(element.value, leaf.shape);
  const found = useMemo(
    () => leaf && index && compared(recording.document, leaf.id, index),
    [recording, leaf?.id, index?.join()],
  );
  return (
    <article class="panel check">
      <header>
        <h2>Is the gradient right?</h2>
        <p class="faint">
          One element is moved by a small step in both directions, and the change of the output is compared
          with the rule, in float64. Large steps err by curvature, small ones by rounding: between them lies
          the truth.
        </p>
      </header>
      {!leaf ? (
        <p>There is no leaf to check.</p>
      ) : (
        <div class="one-element">
          <label>
            <span class="faint">leaf</span>
            <select
              value={leaf.id}
              onChange={({ currentTarget }) => session.reveal(Number(currentTarget.value))}
            >
              {leaves.map(({ id, shape }) => (
                <option key={id} value={id}>
                  {recording.label(id)} {shapeText(shape)}
                </option>
              ))}
            </select>
          </label>
          {leaf.shape.length > 0 && (
            <label>
              <span class="faint">element</span>
              <input
                type="text"
                autocomplete="off"
                placeholder={leaf.shape.map(() => "0").join(",")}
                value={element.value}
                onInput={({ currentTarget }) => (element.value = currentTarget.value)}
              />
            </label>
          )}
        </div>
      )}
      {leaf && !index && (
        <p class="bad">There is no such element: write {leaf.shape.length} whole numbers.</p>
      )}
      {typeof found === "string" && <p class="note bad">{found}</p>}
      {typeof found === "object" && <Found of={found} />}
    </article>
  );
}

/** The differences, or why there are none. */
function compared(
  document: Parameters<typeof differencesOf>[0],
  leaf: number,
  index: readonly number[],
): Differences | string {
  try {
    return differencesOf(document, leaf, index);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function Found({
  of: { rule, steps, best: nearest, verdict, sentence, value },
}: {
  of: Differences;
}): JSX.Element {
  const at = Math.min(best.value ?? nearest, steps.length - 1);
  const { step, slope, left, right, error } = steps[at]!;
  const told = verdict === "agrees" ? "good" : "poor";
  return (
    <>
      <div class={`verdict ${told}`} role="status">
        <p>
          <b>
            {
              {
                agrees: "They agree",
                disagrees: "They disagree",
                kink: "A kink",
                "not finite": "Not finite",
                "not computed": "Not computed",
              }[verdict]
            }
          </b>
        </p>
        <p>{sentence.slice(0, 1).toUpperCase() + sentence.slice(1)}.</p>
      </div>
      <LinePlot
        title="error of the differences"
        x={steps.map((one) => one.step)}
        xTitle="step size"
        logX
        logY
        lines={[
          { name: "error", style: "first", y: steps.map((one) => Math.max(one.error, 1e-17)), dots: true },
        ]}
        cursor={at}
        onCursor={(place) => (best.value = place)}
        said={`step ${step}, error ${error}`}
      />
      <dl class="figures" data-check="step">
        <dt>value</dt>
        <dd>
          <Figure of={toJson(value)} />
        </dd>
        <dt>by the rule</dt>
        <dd>{rule === null ? "not computed" : <Figure of={toJson(rule)} />}</dd>
        <dt>step</dt>
        <dd>
          <Figure of={step} />
        </dd>
        <dt>by differences</dt>
        <dd>
          <Figure of={toJson(slope)} />
        </dd>
        <dt>from the left, from the right</dt>
        <dd>
          <Figure of={toJson(left)} />, <Figure of={toJson(right)} />
        </dd>
        <dt>error</dt>
        <dd>
          <Figure of={toJson(error)} />
        </dd>
      </dl>
    </>
  );
}
