import type { JSX } from "preact";
import type { JsonNumber, Summary } from "../../inspect/document.js";
import { fromJson } from "../../inspect/json-number.js";
import type { DType } from "../../tensor/index.js";
import { Figure } from "./figure.js";
import { shapeWords, shortText } from "./number-text.js";

interface ArrayViewProps {
  readonly of: Summary;
  readonly shape: readonly number[];
  readonly dtype: DType;
  /** A flat place to be marked. */
  readonly chosen?: number | undefined;
  readonly onChoose?: ((place: number) => void) | undefined;
}

/** What is known of an array: all of it, or what the document keeps of a larger one. */
export function ArrayView({ of, shape, dtype, chosen, onChoose }: ArrayViewProps): JSX.Element {
  const { values } = of;
  if (!values) return <LargeArray of={of} shape={shape} dtype={dtype} />;
  if (values.length === 0) return <p class="array faint">no elements</p>;
  if (shape.length === 0)
    return (
      <p class="array single">
        <Figure of={values[0]!} dtype={dtype} />
      </p>
    );
  const columns = shape.at(-1)!;
  const rows = Array.from({ length: values.length / columns }, (_, row) =>
    values.slice(row * columns, (row + 1) * columns),
  );
  return (
    <Cells
      rows={rows}
      dtype={dtype}
      block={shape.length > 2 ? shape.at(-2)! : rows.length}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

interface CellsProps extends Pick<ArrayViewProps, "dtype" | "chosen" | "onChoose"> {
  readonly rows: readonly (readonly JsonNumber[])[];
  /** Rows of one matrix; the next matrix follows after a gap. */
  readonly block: number;
  readonly more?: boolean;
}

function Cells({ rows, dtype, block, chosen, onChoose, more = false }: CellsProps): JSX.Element {
  const largest = Math.max(
    ...rows
      .flat()
      .map((x) => Math.abs(fromJson(x)))
      .filter(Number.isFinite),
    0,
  );
  const columns = rows[0]?.length ?? 0;
  return (
    <div class="array scroll">
      <table class="cells">
        <tbody>
          {rows.map((row, i) => (
            <tr class={i > 0 && i % block === 0 ? "next" : undefined}>
              {row.map((x, j) => {
                const place = i * columns + j;
                return (
                  <td
                    class={place === chosen ? "chosen" : undefined}
                    style={tint(fromJson(x), largest)}
                    onClick={onChoose && (() => onChoose(place))}
                  >
                    <Figure of={x} dtype={dtype} />
                  </td>
                );
              })}
              {more && <td class="faint">…</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A wash of the sign's colour, stronger for larger magnitudes. */
function tint(value: number, largest: number): string | undefined {
  if (!Number.isFinite(value) || value === 0 || largest === 0) return undefined;
  const strength = Math.round((Math.abs(value) / largest) * 30);
  return `background:color-mix(in srgb,var(${value > 0 ? "--plus" : "--minus"}) ${strength}%,transparent)`;
}

function LargeArray({ of, shape, dtype }: Pick<ArrayViewProps, "of" | "shape" | "dtype">): JSX.Element {
  const { range, mean, norm, zeros, nan = 0, inf = 0, negInf = 0, histogram, corner } = of;
  return (
    <div class="array large">
      {histogram && range && <Histogram counts={histogram} range={range} />}
      <dl class="figures">
        {range && (
          <>
            <dt>range</dt>
            <dd>
              <Figure of={range[0]} dtype={dtype} /> … <Figure of={range[1]} dtype={dtype} />
            </dd>
          </>
        )}
        <dt>norm</dt>
        <dd>
          <Figure of={norm} />
        </dd>
        {mean !== null && (
          <>
            <dt>mean</dt>
            <dd>
              <Figure of={mean} />
            </dd>
          </>
        )}
        {zeros > 0 && (
          <>
            <dt>exactly 0</dt>
            <dd>
              {zeros.toLocaleString("en")} of {shape.reduce((a, b) => a * b, 1).toLocaleString("en")}
            </dd>
          </>
        )}
        {nan + inf + negInf > 0 && (
          <>
            <dt class="bad">not finite</dt>
            <dd class="bad">
              {[nan && `${nan} NaN`, inf && `${inf} +∞`, negInf && `${negInf} −∞`].filter(Boolean).join(", ")}
            </dd>
          </>
        )}
      </dl>
      {corner && (
        <details>
          <summary>first rows and columns of {shapeWords(shape)}</summary>
          <Cells
            rows={corner}
            dtype={dtype}
            block={corner.length}
            more={(shape.at(-1) ?? 1) > corner[0]!.length}
          />
        </details>
      )}
    </div>
  );
}

/** Counts of elements over their range; the mark stands at 0. */
function Histogram({
  counts,
  range,
}: {
  counts: readonly number[];
  range: readonly [JsonNumber, JsonNumber];
}): JSX.Element {
  const most = Math.max(...counts, 1);
  const [low, high] = range.map(fromJson) as [number, number];
  const zero = low < 0 && high > 0 ? (-low / (high - low)) * counts.length : undefined;
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${counts.length * 10} 40`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`histogram from ${shortText(range[0])} to ${shortText(range[1])}`}
    >
      {counts.map((count, i) => {
        const height = count === 0 ? 0 : Math.max((count / most) * 38, 1);
        return <rect x={i * 10 + 0.5} y={40 - height} width={9} height={height} />;
      })}
      {zero !== undefined && <line class="zero" x1={zero * 10} x2={zero * 10} y1={0} y2={40} />}
    </svg>
  );
}
