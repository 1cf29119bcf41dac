import type { JSX } from "preact";
import type { Summary } from "../../inspect/document.js";
import type { DType } from "../../tensor/index.js";
import { ArrayView } from "./array-view.js";
import { shapeText } from "./number-text.js";

/** One array of an equation, with the sign before it. */
export interface TermOf {
  readonly sign?: "×" | "=" | "+=" | "→";
  readonly name: string;
  readonly role?: "gradient" | "local";
  readonly note?: string;
  readonly of: Summary;
  readonly shape: readonly number[];
  readonly dtype: DType;
  /** Not to be seen yet. */
  readonly hidden?: boolean;
}

interface EquationProps {
  readonly terms: readonly TermOf[];
  /** The flat place of an element that is marked in every term. */
  readonly chosen?: number | undefined;
  readonly onChoose?: ((place: number) => void) | undefined;
}

/** Columns up to which the terms of an equation stand side by side. */
const fewColumns = 1;

/** Arrays joined by signs: side by side when they are narrow, else one below the other. */
export function Equation({ terms, chosen, onChoose }: EquationProps): JSX.Element {
  const narrow = terms.every(({ of, shape }) => of.values && (shape.at(-1) ?? 1) <= fewColumns);
  return (
    <div class={`equation ${narrow ? "beside" : "stacked"}`}>
      {terms.map((term) => (
        <Term key={term.name} term={term} chosen={chosen} onChoose={onChoose} />
      ))}
    </div>
  );
}

function Term({
  term,
  chosen,
  onChoose,
}: { term: TermOf } & Pick<EquationProps, "chosen" | "onChoose">): JSX.Element {
  const { sign, name, role = "gradient", note, of, shape, dtype, hidden } = term;
  return (
    <div class="operand">
      <span class="operator">{sign ?? ""}</span>
      <figure class={`term ${role}`} data-term={name}>
        <figcaption>
          <b>{name}</b> <span class="faint mono">{shapeText(shape)}</span>
          {note && <span class="faint note-of">{note}</span>}
        </figcaption>
        {hidden ? (
          <p class="array single faint">?</p>
        ) : (
          <ArrayView of={of} shape={shape} dtype={dtype} chosen={chosen} onChoose={onChoose} />
        )}
      </figure>
    </div>
  );
}
