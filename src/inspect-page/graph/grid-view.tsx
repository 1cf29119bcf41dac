import { useLayoutEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import { isNonFinite, isZero } from "../../inspect/why/reader.js";
import { fromJson } from "../../inspect/json-number.js";
import type { Recording } from "../state/recording.js";
import { useSession } from "../state/session.js";
import { gridMeasures, type PlacedBox } from "./drawing.js";

interface GridViewProps {
  readonly recording: Recording;
  readonly placed: PlacedBox;
  readonly moment: number;
  /** Nodes to be framed: the ends of the contribution that flows now. */
  readonly flowing: readonly number[];
  readonly tabbable: boolean;
  readonly onFocus: () => void;
}

/** A row of time steps: a column a step, a row an operation, a cell as strong as the logarithm of its gradient's norm. */
export function GridView({
  recording,
  placed,
  moment,
  flowing,
  tabbable,
  onFocus,
}: GridViewProps): JSX.Element {
  const session = useSession();
  const canvas = useRef<HTMLCanvasElement>(null);
  const grid = placed.grid!;
  const { cell, row, labels, head } = gridMeasures(grid);
  const group = placed.box.group!;
  const selected = session.selected.value;
  const place = placeOf(grid.cells, selected);
  const scale = scaleOf(recording, grid.cells);
  const [width, height] = [cell * grid.columns.length, row * grid.rows.length];
  useLayoutEffect(() => {
    paint(canvas.current!, recording, {
      cells: grid.cells,
      cell,
      row,
      width,
      height,
      moment,
      scale,
      flowing,
    });
  });
  const choose = (at: number, column: number): void => {
    const node = grid.cells[at]?.[column];
    if (node !== undefined) session.select(node);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [at, column] = place ?? [0, 0];
    const moves: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const move = moves[event.key];
    if (!move) return;
    const next = nextCell(grid.cells, place ? at : -move[0], place ? column : -move[1], move);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    choose(...next);
  };
  const every = Math.max(1, Math.ceil(30 / cell));
  const named = place && grid.cells[place[0]]![place[1]] !== undefined;
  return (
    <div
      class={`box grid${tabbable ? "" : " away"}`}
      style={`left:${placed.x}px;top:${placed.y}px;width:${placed.width}px;height:${placed.height}px`}
      data-key={placed.box.key}
    >
      <button type="button" class="hull-name" aria-expanded="true" onClick={() => session.toggle(group)}>
        <span class="sign">▾</span> {group.title}
      </button>
      <span class="legend">
        ‖g‖ {powerText(scale.low)} <i aria-hidden="true" /> {powerText(scale.high)}
      </span>
      <ol class="ticks" style={`left:${labels}px`} aria-hidden="true">
        {grid.columns.map(
          (title, at) =>
            at % every === 0 && <li style={`left:${at * cell + cell / 2}px`}>{title.replace("t = ", "")}</li>,
        )}
      </ol>
      <ol class="rows" style={`top:${head}px`} aria-hidden="true">
        {grid.rows.map((name) => (
          <li style={`height:${row}px`}>{name}</li>
        ))}
      </ol>
      <div
        class="cells-area"
        style={`left:${labels}px;top:${head}px;width:${width}px;height:${height}px`}
        role="application"
        aria-roledescription="grid of time steps"
        aria-label={
          named
            ? `${recording.label(selected)}, ${grid.columns[place[1]]}`
            : `${group.title}: arrow keys move from operation to operation and from step to step`
        }
        tabIndex={tabbable ? 0 : -1}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onClick={({ clientX, clientY, currentTarget }) => {
          const { left, top, right, bottom } = currentTarget.getBoundingClientRect();
          choose(
            Math.floor(((clientY - top) / (bottom - top)) * grid.rows.length),
            Math.floor(((clientX - left) / (right - left)) * grid.columns.length),
          );
        }}
      >
        <canvas ref={canvas} style={`width:${width}px;height:${height}px`} />
        {place && (
          <span
            class="cursor"
            style={`left:${place[1] * cell}px;top:${place[0] * row}px;width:${cell}px;height:${row}px`}
          />
        )}
      </div>
    </div>
  );
}

type CellsOf = PlacedBox["grid"] extends infer G ? (G extends { cells: infer C } ? C : never) : never;

function placeOf(cells: CellsOf, node: number): [number, number] | undefined {
  for (const [at, line] of cells.entries()) {
    const column = line.indexOf(node);
    if (column >= 0) return [at, column];
  }
  return undefined;
}

/** The next cell in a direction that holds an operation. */
function nextCell(
  cells: CellsOf,
  at: number,
  column: number,
  [down, right]: [number, number],
): [number, number] | undefined {
  for (;;) {
    at += down;
    column += right;
    if (at < 0 || column < 0 || at >= cells.length || column >= (cells[0]?.length ?? 0)) return undefined;
    if (cells[at]![column] !== undefined) return [at, column];
  }
}

interface Scale {
  readonly low: number;
  readonly high: number;
}

const scales = new WeakMap<Recording, WeakMap<CellsOf & object, Scale>>();

const powerText = (value: number): string => value.toExponential(0).replace("-", "−").replace("+", "");

/** The least and the greatest norm of a gradient at the end, so that colours mean the same at every moment. */
function scaleOf(recording: Recording, cells: CellsOf): Scale {
  const known = scales.get(recording) ?? new WeakMap<CellsOf & object, Scale>();
  scales.set(recording, known);
  const before = known.get(cells);
  if (before) return before;
  const norms = cells
    .flat()
    .filter((id) => id !== undefined)
    .map((id) => fromJson(recording.gradient(id, recording.steps.last).gradient?.norm ?? 0))
    .filter((norm) => norm > 0 && Number.isFinite(norm));
  const scale =
    norms.length === 0 ? { low: 1, high: 1 } : { low: Math.min(...norms), high: Math.max(...norms) };
  known.set(cells, scale);
  return scale;
}

function paint(
  canvas: HTMLCanvasElement,
  recording: Recording,
  what: {
    readonly cells: CellsOf;
    readonly cell: number;
    readonly row: number;
    readonly width: number;
    readonly height: number;
    readonly moment: number;
    readonly scale: Scale;
    readonly flowing: readonly number[];
  },
): void {
  const { cells, cell, row, width, height, moment, scale, flowing } = what;
  const ratio = Math.max(window.devicePixelRatio, 1);
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d")!;
  pen.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const [gradient, rule, bad, zero, ink] = ["--gradient", "--rule", "--bad", "--zero", "--ink"].map(
    colour,
  ) as [string, string, string, string, string];
  const [low, high] = [Math.log(scale.low), Math.log(scale.high)];
  pen.strokeStyle = rule;
  cells.forEach((line, at) =>
    line.forEach((id, column) => {
      if (id === undefined) return;
      const [x, y] = [column * cell + 0.5, at * row + 0.5];
      const [w, h] = [cell - 1, row - 1];
      const state = recording.gradient(id, moment);
      const sum = state.gradient;
      if (isNonFinite(recording.node(id).value) || (sum && isNonFinite(sum))) {
        pen.fillStyle = bad;
        pen.fillRect(x, y, w, h);
      } else if (!sum) {
        pen.fillStyle = rule;
        if (state.status === "never") pen.fillRect(x + w / 2 - 1, y + h / 2 - 1, 2, 2);
        else pen.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
      } else if (isZero(sum)) {
        pen.fillStyle = zero;
        pen.fillRect(x, y + h / 2 - 1, w, 2);
      } else {
        const strength = high > low ? (Math.log(fromJson(sum.norm)) - low) / (high - low) : 1;
        pen.fillStyle = gradient;
        pen.globalAlpha = 0.12 + 0.88 * Math.min(Math.max(strength, 0), 1);
        pen.fillRect(x, y, w, state.status === "partial" ? h / 2 : h);
        pen.globalAlpha = 1;
      }
      if (flowing.includes(id)) {
        pen.strokeStyle = ink;
        pen.lineWidth = 2;
        pen.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
        pen.lineWidth = 1;
        pen.strokeStyle = rule;
      }
    }),
  );
}
