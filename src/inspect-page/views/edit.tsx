import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { JSX } from "preact";
import { indexOf, placeOf } from "../../inspect/record/element.js";
import { toJson } from "../../inspect/json-number.js";
import { recordedValues } from "../edit/edits.js";
import { readIndex } from "../parts/element-index.js";
import { shapeText, wholeText } from "../parts/number-text.js";
import { readGuess } from "../predict/question.js";
import type { Recording } from "../state/recording.js";
import { useSession } from "../state/session.js";
import { Compared } from "./compared.js";

/** Arrays of at most so many elements are edited as a table. */
const mostCells = 48;

/** Other values of a leaf or a constant, and everything computed again from them. */
export function EditView(): JSX.Element {
  const session = useSession();
  const { recorded, edits } = session;
  const editable = recorded.document.nodes.filter(
    ({ kind, name, dtype }) =>
      kind === "leaf" || (kind === "constant" && (name !== undefined || dtype !== "bool")),
  );
  const selected = editable.some(({ id }) => id === session.selected.value)
    ? session.selected.value
    : editable[0]?.id;
  const refusal = edits.refusal.value ?? recorded.document.recording?.refusal;
  return (
    <article class="panel edit">
      <header>
        <h2>What if it were another number?</h2>
        <p class="faint">
          The recorded operations are carried out again, forwards and backwards, by the same library in this
          page. What your code decided by looking at values is frozen: branches taken, numbers of steps,
          numbers that it read.
        </p>
      </header>
      {selected === undefined ? (
        <p>There is no leaf to change.</p>
      ) : (
        <>
          <label class="pick">
            <span>Change</span>
            <select
              value={selected}
              onChange={({ currentTarget }) => session.reveal(Number(currentTarget.value))}
            >
              {editable.map(({ id, shape }) => (
                <option key={id} value={id}>
                  {recorded.label(id)} {shapeText(shape)}
                  {edits.values.value.has(id) ? " (changed)" : ""}
                </option>
              ))}
            </select>
          </label>
          <Editor key={selected} recording={recorded} node={selected} />
        </>
      )}
      {refusal !== undefined && (
        <p class="note bad" role="alert">
          {refusal}
        </p>
      )}
      {edits.values.value.size > 0 && <Compared />}
    </article>
  );
}

function Editor({ recording, node }: { recording: Recording; node: number }): JSX.Element {
  const { edits } = useSession();
  const { shape, dtype } = recording.node(node);
  const original = recordedValues(recording.document, node);
  if (!original)
    return (
      <p class="note">
        This page does not hold its values whole, so that nothing can be computed again. Write it with --html
        from a computation that can be replayed.
      </p>
    );
  const values = edits.values.value.get(node) ?? original;
  const set = (place: number, value: number): void => {
    if (Object.is(values[place], value)) return;
    edits.change(node, values.with(place, value));
  };
  const columns = shape.at(-1) ?? 1;
  return (
    <section>
      {values.length <= mostCells ? (
        <div class="scroll">
          <table class="cells editable">
            <tbody>
              {Array.from({ length: values.length / columns }, (_, row) => (
                <tr key={row}>
                  {Array.from(values.subarray(row * columns, (row + 1) * columns), (value, column) => {
                    const place = row * columns + column;
                    return (
                      <td key={column} class={Object.is(value, original[place]) ? undefined : "changed"}>
                        <NumberField
                          label={`element [${indexOf(place, shape).join(",")}]`}
                          text={wholeText(toJson(value), dtype)}
                          onNumber={(number) => set(place, number)}
                        />
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <OneElement shape={shape} dtype={dtype} values={values} set={set} />
      )}
      <div class="buttons">
        {(
          [
            ["all × 2", 2],
            ["all × −1", -1],
            ["all × 0", 0],
          ] as const
        ).map(([title, factor]) => (
          <button
            key={title}
            type="button"
            onClick={() =>
              edits.change(
                node,
                values.map((x) => x * factor),
              )
            }
          >
            {title}
          </button>
        ))}
        {edits.values.value.size > 0 && (
          <button type="button" onClick={() => edits.reset()}>
            Back to the recording
          </button>
        )}
      </div>
    </section>
  );
}

const element = signal("");

interface OneElementProps {
  readonly shape: readonly number[];
  readonly dtype: Recording["document"]["nodes"][number]["dtype"];
  readonly values: Float64Array;
  readonly set: (place: number, value: number) => void;
}

/** Of a large array one element is changed, which is named by its index. */
function OneElement({ shape, dtype, values, set }: OneElementProps): JSX.Element {
  const index = readIndex(element.value, shape);
  const place = index && placeOf(index, shape);
  return (
    <div class="one-element">
      <label>
        <span class="faint">element of {shapeText(shape)}</span>
        <input
          type="text"
          autocomplete="off"
          placeholder={shape.map(() => "0").join(",")}
          value={element.value}
          onInput={({ currentTarget }) => (element.value = currentTarget.value)}
        />
      </label>
      {place === undefined ? (
        <p class="bad">
          There is no such element: write {shape.length} whole numbers, such as{" "}
          {shape.map((n) => n - 1).join(",")}.
        </p>
      ) : (
        <label>
          <span class="faint">value</span>
          <NumberField
            key={place}
            label={`element [${index!.join(",")}]`}
            text={wholeText(toJson(values[place]!), dtype)}
            onNumber={(number) => set(place, number)}
          />
        </label>
      )}
    </div>
  );
}

/** A number that takes effect with Enter or when it is left. */
function NumberField({
  label,
  text,
  onNumber,
}: {
  label: string;
  text: string;
  onNumber: (value: number) => void;
}): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  return (
    <input
      ref={field}
      type="text"
      class="number-field"
      aria-label={label}
      autocomplete="off"
      spellcheck={false}
      value={text}
      size={Math.max(text.length, 6)}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.value = text;
      }}
      onChange={({ currentTarget }) => {
        const number = readGuess(currentTarget.value);
        currentTarget.setAttribute("aria-invalid", String(number === undefined));
        if (number !== undefined) onNumber(number);
      }}
    />
  );
}
