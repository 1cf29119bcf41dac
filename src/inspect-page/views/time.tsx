import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { JSX } from "preact";
import { fromJson } from "../../inspect/json-number.js";
import type { GateSummary } from "../../inspect/through-time/gates.js";
import { throughTime, type RecurrentLayer, type TimeStep } from "../../inspect/through-time/through-time.js";
import { Figure } from "../parts/figure.js";
import { NodeLink } from "../parts/node-link.js";
import { LinePlot, type Line } from "../plots/line-plot.js";
import { useSession } from "../state/session.js";

const at = signal<number | undefined>(undefined);

const styles = ["first", "second", "third", "fourth"] as const;

/** What happens to the gradient on its way back through the steps of recurrent layers, and what the gates let through. */
export function TimeView(): JSX.Element {
  const session = useSession();
  const { document } = session.shown.value;
  const layers = useMemo(() => throughTime(document).filter(({ steps }) => steps.length > 0), [document]);
  const length = Math.max(...layers.map(({ steps }) => steps.length), 0);
  const cursor = Math.min(at.value ?? length - 1, length - 1);
  const move = (time: number): void => {
    at.value = time;
    const state = layers[0]?.steps[time]?.state;
    if (state !== undefined) session.select(state);
  };
  if (layers.length === 0)
    return (
      <article class="panel">
        <h2>Through time</h2>
        <p>Nothing here goes through time, or the document does not hold what is needed to open its steps.</p>
      </article>
    );
  const x = Array.from({ length }, (_, time) => time);
  const line = (layer: RecurrentLayer, i: number, of: (step: TimeStep) => number): Line => ({
    name: titleOf(layer),
    style: styles[i % styles.length]!,
    y: x.map((time) => (layer.steps[time] ? of(layer.steps[time]) : NaN)),
  });
  const number = (value: TimeStep["gradient"]): number => (value === null ? NaN : fromJson(value));
  const said = layers
    .map(
      (layer) => `${titleOf(layer)}: t = ${cursor}, gradient norm ${layer.steps[cursor]?.gradient ?? "none"}`,
    )
    .join("; ");
  const shared = { x, xTitle: "time step t", cursor, onCursor: move, said };
  return (
    <article class="panel time">
      <header>
        <h2>Through time</h2>
        <p class="faint">
          How large the gradient is that arrives at each state, and what each step on the way back does to it.
          Arrow keys move through time.
        </p>
      </header>
      <LinePlot
        {...shared}
        title="‖∂L/∂hₜ‖"
        logY
        lines={layers.map((one, i) => line(one, i, (step) => number(step.gradient)))}
      />
      <LinePlot
        {...shared}
        title="gain ‖∂L/∂hₜ₋₁‖ / ‖∂L/∂hₜ‖"
        logY
        level={1}
        lines={layers.map((one, i) => line(one, i, (step) => number(step.gain)))}
      />
      {layers.map(
        (layer, i) =>
          layer.steps.some(({ gates }) => gates) && (
            <LinePlot
              key={`${layer.path}${i}`}
              {...shared}
              title={`gates of ${titleOf(layer)}: mean and range`}
              lines={[
                gate(layer, x, "update z", "second", ({ gates }) => gates?.update),
                gate(layer, x, "reset r", "third", ({ gates }) => gates?.reset),
              ]}
            />
          ),
      )}
      <AtStep layers={layers} time={cursor} />
    </article>
  );
}

function gate(
  { steps }: RecurrentLayer,
  x: readonly number[],
  name: string,
  style: Line["style"],
  of: (step: TimeStep) => GateSummary | undefined,
): Line {
  const found = x.map((time) => (steps[time] ? of(steps[time]) : undefined));
  return {
    name,
    style,
    y: found.map((summary) => fromJson(summary?.mean ?? "NaN")),
    band: found.map((summary) => {
      const [low, high] = summary?.range ?? [NaN, NaN];
      return [Number(low), Number(high)];
    }),
  };
}

function AtStep({ layers, time }: { layers: readonly RecurrentLayer[]; time: number }): JSX.Element {
  return (
    <section>
      <h3>At t = {time}</h3>
      {layers.map((layer, i) => {
        const step = layer.steps[time];
        if (!step) return null;
        const { state, norm, gradient, gain, gates } = step;
        return (
          <dl class="figures" key={`${layer.path}${i}`} data-layer={layer.path} data-time={time}>
            <dt>layer</dt>
            <dd>
              {titleOf(layer)}
              {state !== undefined && (
                <>
                  , state <NodeLink id={state} />
                </>
              )}
            </dd>
            <dt>‖h‖</dt>
            <dd>
              <Figure of={norm} />
            </dd>
            <dt>‖∂L/∂h‖</dt>
            <dd>{gradient === null ? "not computed" : <Figure of={gradient} />}</dd>
            <dt>gain</dt>
            <dd>{gain === null ? "–" : <Figure of={gain} />}</dd>
            {gates && (
              <>
                <dt>update z</dt>
                <dd>
                  <GateWords of={gates.update} />
                </dd>
                <dt>reset r</dt>
                <dd>
                  <GateWords of={gates.reset} />
                </dd>
                <dt>candidate n</dt>
                <dd>
                  <GateWords of={gates.candidate} />
                </dd>
              </>
            )}
          </dl>
        );
      })}
    </section>
  );
}

function GateWords({ of: { mean, range } }: { of: GateSummary }): JSX.Element {
  if (mean === null || range === null) return <>not finite</>;
  return (
    <>
      <Figure of={mean} /> ({<Figure of={range[0]} />} … {<Figure of={range[1]} />})
    </>
  );
}

const titleOf = ({ path, type }: RecurrentLayer): string =>
  [path, type].filter(Boolean).join(" ") || "recurrent layer";
