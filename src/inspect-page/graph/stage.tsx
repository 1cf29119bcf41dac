import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { BackwardEvent } from "../../inspect/document.js";
import type { VisibleGraph } from "../../inspect/view/visible-graph.js";
import type { Recording } from "../state/recording.js";
import { useSession } from "../state/session.js";
import { BoxView } from "./box-view.js";
import { draw, type PlacedBox } from "./drawing.js";
import { GridView } from "./grid-view.js";
import { neighbour, type Direction } from "./neighbour.js";

/** The graph: boxes that open and close, the gradient of each at the moment that is looked at, the contribution that flows. */
export function Stage(): JSX.Element {
  const session = useSession();
  const recording = session.shown.value;
  const open = session.open.value;
  const drawing = useMemo(() => draw(recording, open), [recording, open]);
  const pane = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const moment = session.graphMoment.value;
  const stepping = session.view.value === "step" || session.view.value === "predict";
  const event = stepping ? recording.document.events[eventAt(session.view.value, moment)] : undefined;
  const flowing = event ? [event.to, ...(event.from === null ? [] : [event.from])] : [];
  const ends = event && endsOf(recording, drawing.graph, event);
  const selectedKey = keyOf(recording, drawing.graph, session.selected.value);
  const trail = session.view.value === "why" ? session.trail.value : [];
  const trailKeys = new Set(trail.map((id) => keyOf(recording, drawing.graph, id)));
  const current = drawing.boxes.some(({ box }) => box.key === selectedKey)
    ? selectedKey
    : drawing.boxes.at(-1)?.box.key;

  useLayoutEffect(() => {
    const room = pane.current!.clientWidth;
    if (drawing.width > room) setZoom(Math.max(0.62, Math.min(1, room / drawing.width)));
  }, []);
  const followed = ends?.to ?? selectedKey;
  useEffect(() => {
    const box = pane.current!.querySelector<HTMLElement>(`[data-key="${followed}"]`);
    if (box) bringIntoView(pane.current!, box);
  }, [followed, drawing, zoom]);

  const marksOf = ({ box }: PlacedBox): string =>
    [
      !stepping && box.key === selectedKey && " selected",
      ends?.from === box.key && " giving",
      ends?.to === box.key && " receiving",
      trailKeys.has(box.key) && " on-trail",
    ]
      .filter(Boolean)
      .join("");
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "+" || event.key === "=") return setZoom((before) => Math.min(before * 1.15, 2.5));
    if (event.key === "-") return setZoom((before) => Math.max(before / 1.15, 0.2));
    if (!event.key.startsWith("Arrow") || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey)
      return;
    const here = drawing.boxes.find(({ box }) => box.key === current);
    const next = here && neighbour(drawing.boxes, here, event.key as Direction);
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    session.select(next.box.node);
    const target = pane.current!.querySelector<HTMLElement>(`[data-key="${next.box.key}"]`);
    (target?.querySelector<HTMLElement>(".cells-area") ?? target)?.focus({ preventScroll: true });
  };
  return (
    <section class="stage" aria-label="graph">
      <div class="stage-pane" ref={pane} onKeyDown={onKeyDown}>
        <div class="drawing" style={`width:${drawing.width}px;height:${drawing.height}px;zoom:${zoom}`}>
          {drawing.hulls.map((hull) => (
            <div
              key={`${hull.group.kind}${hull.group.first}${hull.group.title}`}
              class="hull"
              style={`left:${hull.x}px;top:${hull.y}px;width:${hull.width}px;height:${hull.height}px`}
            >
              <button
                type="button"
                class="hull-name"
                style={`left:${hull.nameX - hull.x}px`}
                tabIndex={-1}
                title="close (key c)"
                onClick={() => session.toggle(hull.group)}
              >
                <span class="sign">▾</span> {hull.group.title}
              </button>
            </div>
          ))}
          <svg width={drawing.width} height={drawing.height} aria-hidden="true">
            <defs>
              {["tip", "flow-tip", "trail-tip"].map((id) => (
                <marker
                  key={id}
                  id={id}
                  viewBox="0 0 8 8"
                  refX="7"
                  refY="4"
                  markerUnits="userSpaceOnUse"
                  markerWidth={id === "tip" ? 8 : 13}
                  markerHeight={id === "tip" ? 8 : 13}
                  orient="auto-start-reverse"
                >
                  <path d="M0 0.5L8 4L0 7.5z" />
                </marker>
              ))}
            </defs>
            {drawing.edges.map(({ from, to, d }) => {
              const flows = ends !== undefined && ends.to === from && ends.from === to;
              const marked = trailKeys.has(from) && trailKeys.has(to);
              return (
                <path
                  key={`${from} ${to}`}
                  d={d}
                  class={flows ? "edge flow" : marked ? "edge on-trail" : "edge"}
                  marker-start={flows ? "url(#flow-tip)" : undefined}
                  marker-end={flows ? undefined : `url(#${marked ? "trail-tip" : "tip"})`}
                />
              );
            })}
          </svg>
          {drawing.boxes.map((placed) =>
            placed.grid ? (
              <GridView
                key={placed.box.key}
                recording={recording}
                placed={placed}
                moment={moment}
                flowing={flowing}
                tabbable={placed.box.key === current}
                onFocus={() => undefined}
              />
            ) : (
              <BoxView
                key={placed.box.key}
                recording={recording}
                placed={placed}
                moment={moment}
                marks={marksOf(placed)}
                tabbable={placed.box.key === current}
                onPress={() => {
                  session.select(placed.box.node);
                  if (placed.box.group) session.toggle(placed.box.group);
                }}
                onFocus={() => session.select(placed.box.node)}
              />
            ),
          )}
        </div>
      </div>
    </section>
  );
}

/** The event that a view shows: the last that happened, or the one that is to be foretold. */
function eventAt(view: string, moment: number): number {
  return view === "predict" ? moment : moment - 1;
}

/** The boxes between which a contribution flows. */
function endsOf(
  recording: Recording,
  graph: VisibleGraph,
  { from, to, input }: BackwardEvent,
): { from: string | undefined; to: string | undefined } {
  const giving = from === null ? undefined : graph.boxOf.get(from)?.key;
  const own = graph.boxOf.get(to)?.key;
  return { from: giving, to: own ?? giving ?? keyOf(recording, graph, input) };
}

/** The box that shows a node: its own, or the closed group that a leaf or constant is inside with its user. */
function keyOf(recording: Recording, graph: VisibleGraph, node: number): string | undefined {
  const own = graph.boxOf.get(node);
  if (own) return own.key;
  const [user] = recording.steps.usersOf(node);
  return user === undefined ? undefined : graph.boxOf.get(user)?.key;
}

/** Scrolls so that the box has a fifth of the pane around it. */
function bringIntoView(pane: HTMLElement, box: HTMLElement): void {
  const [outer, inner] = [pane.getBoundingClientRect(), box.getBoundingClientRect()];
  const shift = (start: number, end: number, low: number, high: number): number => {
    const margin = (high - low) / 5;
    return end - start > high - low - 2 * margin || start < low + margin
      ? start - low - margin
      : end > high - margin
        ? end - high + margin
        : 0;
  };
  pane.scrollBy({
    left: shift(inner.left, inner.right, outer.left, outer.right),
    top: shift(inner.top, inner.bottom, outer.top, outer.bottom),
    behavior: "instant",
  });
}
