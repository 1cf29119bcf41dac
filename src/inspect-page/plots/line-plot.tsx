import type { JSX } from "preact";
import { linear, logarithmic, tickText, type Scale } from "./scale.js";

/** A line of a plot; NaN where it has no point. */
export interface Line {
  readonly name: string;
  readonly y: readonly number[];
  /** `first`, `second` …: the colour and the dashes. */
  readonly style: "first" | "second" | "third" | "fourth";
  /** A range around each point. */
  readonly band?: readonly (readonly [low: number, high: number])[];
  readonly dots?: boolean;
}

interface LinePlotProps {
  readonly title: string;
  readonly x: readonly number[];
  readonly xTitle: string;
  readonly lines: readonly Line[];
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** A level that is drawn across. */
  readonly level?: number;
  /** The place in x that is looked at. */
  readonly cursor?: number | undefined;
  readonly onCursor?: (at: number) => void;
  /** What stands at the cursor, read aloud. */
  readonly said?: string;
}

const [width, height, left, right, top, bottom] = [420, 150, 46, 10, 8, 30];

/** Lines over one axis, with a cursor that arrow keys and the pointer move. */
export function LinePlot(props: LinePlotProps): JSX.Element {
  const { title, x, xTitle, lines, logX = false, logY = false, level, cursor, onCursor, said } = props;
  const xs = (logX ? logarithmic : linear)(x, 7);
  const shown = lines.flatMap(({ y, band }) => [...y, ...(band ?? []).flat()]);
  const ys = (logY ? logarithmic : linear)(level === undefined ? shown : [...shown, level], 4);
  const placeX = (value: number): number => left + xs.at(value) * (width - left - right);
  const placeY = (value: number): number => height - bottom - ys.at(value) * (height - top - bottom);
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined || !onCursor) return;
    event.preventDefault();
    event.stopPropagation();
    onCursor(Math.min(Math.max((cursor ?? 0) + by, 0), x.length - 1));
  };
  const point = (event: MouseEvent & { currentTarget: HTMLElement }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width;
    const distances = x.map((value) => Math.abs(placeX(value) - at));
    onCursor?.(distances.indexOf(Math.min(...distances)));
  };
  return (
    <figure class="plot">
      <figcaption>
        <b>{title}</b>
        {lines.length > 1 &&
          lines.map(({ name, style }) => (
            <span key={name} class="key">
              <svg width="22" height="8" aria-hidden="true">
                <line class={`line ${style}`} x1="0" x2="22" y1="4" y2="4" />
              </svg>
              {name}
            </span>
          ))}
      </figcaption>
      <div
        class="plot-area"
        {...(onCursor && {
          role: "slider",
          tabIndex: 0,
          "aria-label": title,
          "aria-valuemin": 0,
          "aria-valuemax": x.length - 1,
          "aria-valuenow": cursor ?? 0,
          "aria-valuetext": said ?? "",
        })}
        onKeyDown={move}
        onClick={point}
      >
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
          <Axes xs={xs} ys={ys} placeX={placeX} placeY={placeY} logX={logX} logY={logY} xTitle={xTitle} />
          {level !== undefined && (
            <line class="level" x1={left} x2={width - right} y1={placeY(level)} y2={placeY(level)} />
          )}
          {cursor !== undefined && (
            <line
              class="cursor-line"
              x1={placeX(x[cursor]!)}
              x2={placeX(x[cursor]!)}
              y1={top}
              y2={height - bottom}
            />
          )}
          {lines.map(({ name, y, style, band, dots }) => (
            <g key={name} class={style}>
              {band && <path class="band" d={bandPath(x, band, placeX, placeY)} />}
              <path class={`line ${style}`} d={linePath(x, y, placeX, placeY)} />
              {x.map(
                (value, i) =>
                  (dots === true || i === cursor) &&
                  Number.isFinite(placeY(y[i]!)) && (
                    <circle key={i} cx={placeX(value)} cy={placeY(y[i]!)} r={i === cursor ? 3.6 : 2.2} />
                  ),
              )}
            </g>
          ))}
        </svg>
      </div>
    </figure>
  );
}

interface AxesProps {
  readonly xs: Scale;
  readonly ys: Scale;
  readonly placeX: (value: number) => number;
  readonly placeY: (value: number) => number;
  readonly logX: boolean;
  readonly logY: boolean;
  readonly xTitle: string;
}

function Axes({ xs, ys, placeX, placeY, logX, logY, xTitle }: AxesProps): JSX.Element {
  return (
    <g class="axes">
      {ys.ticks.map((tick) => (
        <g key={tick}>
          <line class="grid-line" x1={left} x2={width - right} y1={placeY(tick)} y2={placeY(tick)} />
          <text x={left - 6} y={placeY(tick) + 3.5} text-anchor="end">
            {tickText(tick, logY)}
          </text>
        </g>
      ))}
      <line class="axis" x1={left} x2={width - right} y1={height - bottom} y2={height - bottom} />
      {xs.ticks.map((tick) => (
        <text key={tick} x={placeX(tick)} y={height - bottom + 13} text-anchor="middle">
          {tickText(tick, logX)}
        </text>
      ))}
      <text x={width - right} y={height - 3} text-anchor="end">
        {xTitle}
      </text>
    </g>
  );
}

type Place = (value: number) => number;

/** A line with gaps where there is no point. */
function linePath(x: readonly number[], y: readonly number[], placeX: Place, placeY: Place): string {
  let [d, drawing] = ["", false];
  x.forEach((value, i) => {
    const at = placeY(y[i]!);
    if (!Number.isFinite(at)) drawing = false;
    else {
      d += `${drawing ? "L" : "M"}${placeX(value).toFixed(1)} ${at.toFixed(1)}`;
      drawing = true;
    }
  });
  return d;
}

function bandPath(
  x: readonly number[],
  band: readonly (readonly [number, number])[],
  placeX: Place,
  placeY: Place,
): string {
  const point = (i: number, end: 0 | 1): string =>
    `${placeX(x[i]!).toFixed(1)} ${placeY(band[i]![end]).toFixed(1)}`;
  const places = x.map((_, i) => i).filter((i) => band[i]!.every((value) => Number.isFinite(placeY(value))));
  if (places.length < 2) return "";
  const back = places.toReversed();
  return `M${places.map((i) => point(i, 1)).join("L")}L${back.map((i) => point(i, 0)).join("L")}Z`;
}
