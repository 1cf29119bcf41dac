import { signal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { JSX } from "preact";
import type { AttentionMap, PerPair } from "../../inspect/attention/attention-map.js";
import { attentionMaps } from "../../inspect/attention/attention-maps.js";
import { hiddenRowsSentence } from "../../inspect/why/birth-sentence.js";
import { Figure } from "../parts/figure.js";
import { NodeLink } from "../parts/node-link.js";
import { useSession } from "../state/session.js";

interface Looked {
  readonly map: number;
  readonly example: number;
  readonly head: number;
  readonly query: number;
  readonly key: number;
}

const looked = signal<Looked>({ map: 0, example: 0, head: 0, query: 0, key: 0 });

/** Where each head of each attention looks. */
export function AttentionView(): JSX.Element {
  const { document } = useSession().shown.value;
  const maps = useMemo(() => attentionMaps(document), [document]);
  const chosen = looked.value;
  const map = maps[chosen.map] ?? maps[0];
  if (!map)
    return (
      <article class="panel">
        <h2>Attention</h2>
        <p>There is no attention here.</p>
      </article>
    );
  const set = (change: Partial<Looked>): void => void (looked.value = { ...chosen, ...change });
  const [example, head] = [Math.min(chosen.example, map.examples - 1), Math.min(chosen.head, map.heads - 1)];
  return (
    <article class="panel attention">
      <header>
        <h2>Where it looks</h2>
        <p>
          <NodeLink id={map.node} /> <span class="faint">{map.path}</span>
          {map.kind === "pivoted" && (
            <span class="faint"> through a pivoted factor of its kernel, beside the exact weights</span>
          )}
        </p>
        <div class="choices">
          <Choice
            label="attention"
            value={maps.indexOf(map)}
            names={maps.map(({ path, node }) => path || `#${node}`)}
            onChoose={(one) => set({ map: one, query: 0, key: 0 })}
          />
          <Choice
            label="head"
            value={head}
            names={numbered(map.heads)}
            onChoose={(one) => set({ head: one })}
          />
          <Choice
            label="example"
            value={example}
            names={numbered(map.examples)}
            onChoose={(one) => set({ example: one })}
          />
        </div>
      </header>
      {map.notFinite.length > 0 && (
        <p class="note bad">NaN or infinities come from {map.notFinite.join(" and ")}.</p>
      )}
      {map.hiddenRows && (
        <p class="note bad">{hiddenRowsSentence(document.nodes[map.node]!, map.hiddenRows)}</p>
      )}
      {map.weights ? (
        <Maps map={map} example={example} head={head} chosen={chosen} set={set} />
      ) : (
        <p>The document does not hold the queries and keys that the weights are computed of.</p>
      )}
      {map.batch > map.examples && (
        <p class="faint">
          The first {map.examples} of {map.batch} examples.
        </p>
      )}
    </article>
  );
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));

function Choice({
  label,
  value,
  names,
  onChoose,
}: {
  label: string;
  value: number;
  names: readonly string[];
  onChoose: (at: number) => void;
}): JSX.Element | null {
  if (names.length < 2) return null;
  return (
    <label>
      <span class="faint">{label} </span>
      <select value={value} onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}>
        {names.map((name, i) => (
          <option key={i} value={i}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface MapsProps {
  readonly map: AttentionMap;
  readonly example: number;
  readonly head: number;
  readonly chosen: Looked;
  readonly set: (change: Partial<Looked>) => void;
}

function Maps({ map, example, head, chosen, set }: MapsProps): JSX.Element {
  const of = <T,>(all: PerPair<T> | undefined): readonly (readonly T[])[] | undefined =>
    all?.[example]?.[head];
  const [weights, exact, hidden] = [of(map.weights)!, of(map.exact), of(map.hidden)];
  const [query, key] = [Math.min(chosen.query, map.queries - 1), Math.min(chosen.key, map.keys - 1)];
  const pivots = map.pivots?.[example]?.[head] ?? [];
  const shared = {
    hidden,
    query,
    keyAt: key,
    onMove: (q: number, k: number) => set({ query: q, key: k }),
    pivots,
  };
  return (
    <>
      <WeightMap title={exact ? "approximate weights" : "weights"} weights={weights} {...shared} />
      {exact && <WeightMap title="exact weights" weights={exact} {...shared} />}
      <section>
        <h3>
          Query {query}, key {key}
        </h3>
        <dl class="figures">
          <dt>weight</dt>
          <dd data-weight="shown">
            {hidden?.[query]?.[key] ? "hidden by the mask" : <Figure of={weights[query]![key]!} />}
          </dd>
          {exact && (
            <>
              <dt>exact</dt>
              <dd data-weight="exact">
                <Figure of={exact[query]![key]!} />
              </dd>
            </>
          )}
          <dt>strongest of query {query}</dt>
          <dd>
            {strongest(weights[query]!)
              .map(([at, weight]) => `${at} (${(weight * 100).toFixed(1)} %)`)
              .join(", ")}
          </dd>
          {pivots.length > 0 && (
            <>
              <dt>pivots, in order</dt>
              <dd>{pivots.map(({ kind, row }) => `${kind} ${row}`).join(", ")}</dd>
            </>
          )}
        </dl>
      </section>
    </>
  );
}

function strongest(row: readonly number[]): [number, number][] {
  return row
    .map((weight, at): [number, number] => [at, weight])
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4);
}

interface WeightMapProps {
  readonly title: string;
  readonly weights: readonly (readonly number[])[];
  readonly hidden: readonly (readonly boolean[])[] | undefined;
  readonly query: number;
  readonly keyAt: number;
  readonly pivots: readonly { readonly kind: "query" | "key"; readonly row: number }[];
  readonly onMove: (query: number, key: number) => void;
}

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Queries from top to bottom, keys from left to right, the darker the more; arrow keys move. */
function WeightMap({ title, weights, hidden, query, keyAt, pivots, onMove }: WeightMapProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [rows, columns] = [weights.length, weights[0]?.length ?? 0];
  const cell = Math.max(3, Math.min(22, Math.floor(340 / Math.max(columns, rows, 1))));
  useLayoutEffect(
    () => paint(canvas.current!, weights, hidden, cell),
    [weights, hidden, cell, matchMedia("(prefers-color-scheme:dark)").matches],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const far = event.shiftKey ? 8 : 1;
    onMove(
      Math.min(Math.max(query + move[0] * far, 0), rows - 1),
      Math.min(Math.max(keyAt + move[1] * far, 0), columns - 1),
    );
  };
  return (
    <figure class="map">
      <figcaption>
        <b>{title}</b> <span class="faint">queries ↓, keys →</span>
      </figcaption>
      <div
        class="map-area"
        role="application"
        aria-roledescription="map of attention weights"
        aria-label={`${title}: query ${query}, key ${keyAt}`}
        tabIndex={0}
        style={`width:${cell * columns}px;height:${cell * rows}px`}
        onKeyDown={onKeyDown}
        onClick={({ clientX, clientY, currentTarget }) => {
          const { left, top, width, height } = currentTarget.getBoundingClientRect();
          onMove(
            Math.floor(((clientY - top) / height) * rows),
            Math.floor(((clientX - left) / width) * columns),
          );
        }}
      >
        <canvas ref={canvas} style={`width:${cell * columns}px;height:${cell * rows}px`} />
        {pivots.map(({ kind, row }) => (
          <i
            key={`${kind}${row}`}
            class={`pivot ${kind}`}
            style={kind === "query" ? `top:${(row + 0.5) * cell}px` : `left:${(row + 0.5) * cell}px`}
          />
        ))}
        <span
          class="cursor"
          style={`left:${keyAt * cell - 1}px;top:${query * cell - 1}px;width:${cell + 2}px;height:${cell + 2}px`}
        />
      </div>
    </figure>
  );
}

function paint(
  canvas: HTMLCanvasElement,
  weights: readonly (readonly number[])[],
  hidden: readonly (readonly boolean[])[] | undefined,
  cell: number,
): void {
  const ratio = Math.max(window.devicePixelRatio, 1);
  canvas.width = cell * (weights[0]?.length ?? 0) * ratio;
  canvas.height = cell * weights.length * ratio;
  const pen = canvas.getContext("2d")!;
  pen.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const [plus, minus, bad, rule] = ["--gradient", "--forward", "--bad", "--rule"].map(colour) as [
    string,
    string,
    string,
    string,
  ];
  const most = Math.max(...weights.flat().filter(Number.isFinite).map(Math.abs), 1e-30);
  const gap = cell > 6 ? 1 : 0;
  weights.forEach((row, q) =>
    row.forEach((weight, k) => {
      const isHidden = hidden?.[q]?.[k];
      pen.fillStyle = isHidden ? rule : !Number.isFinite(weight) ? bad : weight < 0 ? minus : plus;
      pen.globalAlpha = isHidden ? 0.35 : Number.isFinite(weight) ? Math.min(Math.abs(weight) / most, 1) : 1;
      pen.fillRect(k * cell, q * cell, cell - gap, cell - gap);
    }),
  );
}
