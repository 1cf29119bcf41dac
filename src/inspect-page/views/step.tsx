import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { BackwardEvent } from "../../inspect/document.js";
import { partSentence } from "../../inspect/why/birth-sentence.js";
import { Equation, type TermOf } from "../parts/equation.js";
import { Figure } from "../parts/figure.js";
import { GradientChip } from "../parts/gradient-chip.js";
import { NodeLink } from "../parts/node-link.js";
import { counted, letterOf } from "../parts/number-text.js";
import { SourceView } from "../parts/source-view.js";
import type { Recording } from "../state/recording.js";
import { useSession } from "../state/session.js";
import { Leaves } from "./leaves.js";
import { ruleOf } from "./rule-of.js";

/** The contribution that has just been made: upstream × local = part, and the sum that it was added to. */
export function StepView(): JSX.Element {
  const session = useSession();
  const recording = session.shown.value;
  const moment = session.moment.value;
  const event = recording.document.events[moment - 1];
  return (
    <article class="panel step">
      {event ? (
        <Contribution recording={recording} event={event} moment={moment} />
      ) : (
        <Beginning recording={recording} />
      )}
      <Leaves moment={moment} />
    </article>
  );
}

function Beginning({ recording: { document } }: { recording: Recording }): JSX.Element {
  return (
    <section>
      <h2>Before the first step</h2>
      {document.events.length === 0 ? (
        <p>The output depends on no leaf with a gradient: there is no backward pass.</p>
      ) : (
        <>
          <p>
            The values are computed; no gradient is. The backward pass makes{" "}
            {counted(document.events.length, "contribution")}, from the output{" "}
            <NodeLink id={document.output} /> back to the leaves.
          </p>
          <p class="faint">
            <kbd>→</kbd> goes one contribution on, <kbd>←</kbd> one back.
          </p>
        </>
      )}
    </section>
  );
}

interface ContributionProps {
  readonly recording: Recording;
  readonly event: BackwardEvent;
  /** How many events have happened, this one included. */
  readonly moment: number;
}

function Contribution({ recording, event, moment }: ContributionProps): JSX.Element {
  const { from, to, input, part, birth } = event;
  const target = recording.node(to);
  if (from === null)
    return (
      <section>
        <h2>The pass starts</h2>
        <p>
          The gradient of the output <NodeLink id={to} /> in itself
          {recording.document.start === "given" ? " is the given cotangent." : " is 1 everywhere."}
        </p>
        {part && <Equation terms={[{ name: "part", of: part, shape: target.shape, dtype: target.dtype }]} />}
      </section>
    );
  const node = recording.node(from);
  const rule = ruleOf(recording, node, input);
  return (
    <section>
      <h2>
        <span class="mono">{recording.label(from)}</span> <span class="arrow">→</span>{" "}
        <span class="mono">{recording.label(to)}</span>
      </h2>
      <p>
        <NodeLink id={from} /> computed{" "}
        <span class="rule">{recording.document.operations[node.op!]!.formula}</span>.{" "}
        {part ? (
          <>
            Its rule for {letterOf(input)}, <NodeLink id={to} />, is <span class="rule">{rule}</span>.
          </>
        ) : (
          <>
            Its rule lets nothing flow to <NodeLink id={to} />: that is no contribution, not one of 0.
          </>
        )}
      </p>
      {birth && <p class="note bad">{partSentence(node, birth)}</p>}
      {part && <Product recording={recording} event={event} moment={moment} />}
      {part && <Sum recording={recording} event={event} moment={moment} />}
      {node.source && <SourceView at={node.source} />}
    </section>
  );
}

/** The element that is looked at, by event, so that it is forgotten when another is shown. */
const chosen = signal<{ readonly event: BackwardEvent; readonly place: number } | undefined>(undefined);

function Product({ recording, event, moment }: ContributionProps): JSX.Element {
  const { from, to, local } = event;
  const part = event.part!;
  const upstream = recording.gradient(from!, moment - 1).gradient;
  const [out, target] = [recording.node(from!), recording.node(to)];
  const aligned = upstream?.values && local?.values && part.values?.length === upstream.values.length;
  const place = aligned && chosen.value?.event === event ? chosen.value.place : undefined;
  const choose = (at: number): void => void (chosen.value = { event, place: at });
  const localShape = local?.values?.length === out.value.values?.length ? out.shape : target.shape;
  const terms: TermOf[] = [
    ...(upstream
      ? [
          {
            name: "upstream",
            note: `g of ${recording.label(from!)}`,
            of: upstream,
            shape: out.shape,
            dtype: out.dtype,
          },
        ]
      : []),
    ...(local
      ? [
          {
            sign: "×",
            name: "local",
            role: "local",
            note: "derivative",
            of: local,
            shape: localShape,
            dtype: target.dtype,
          } as const,
        ]
      : []),
    {
      sign: local ? "=" : "→",
      name: "part",
      note: local && !aligned ? "summed over what was broadcast" : `flows to ${recording.label(to)}`,
      of: part,
      shape: target.shape,
      dtype: target.dtype,
    },
  ];
  return (
    <>
      <Equation
        terms={terms}
        chosen={place}
        onChoose={aligned && part.values!.length > 1 ? choose : undefined}
      />
      {aligned && place !== undefined && (
        <p class="worked mono" aria-live="polite">
          <Figure of={upstream.values[place]!} dtype={out.dtype} /> ×{" "}
          <Figure of={local.values[place]!} dtype={target.dtype} /> ={" "}
          <Figure of={part.values![place]!} dtype={target.dtype} />
        </p>
      )}
    </>
  );
}

function Sum({ recording, event: { to, part, sum }, moment }: ContributionProps): JSX.Element {
  const before = recording.gradient(to, moment - 1);
  const after = recording.gradient(to, moment);
  const { shape, dtype } = recording.node(to);
  return (
    <div class="sum">
      <h3>
        Gradient of <span class="mono">{recording.label(to)}</span> <GradientChip state={after} />
      </h3>
      {sum && before.gradient ? (
        <Equation
          terms={[
            { name: "before", note: "what had arrived", of: before.gradient, shape, dtype },
            ...(part!.values
              ? [{ sign: "+=", name: "added", note: "this part", of: part!, shape, dtype } as const]
              : []),
            {
              sign: part!.values ? "=" : "+=",
              name: "sum",
              note: part!.values ? "so far" : "with this part",
              of: sum,
              shape,
              dtype,
            },
          ]}
        />
      ) : (
        <p class="faint">
          {after.expected > 1
            ? `The first of ${after.expected} parts: it fans out, and what flows back is added up.`
            : "Used once: this part is the whole gradient."}
        </p>
      )}
    </div>
  );
}
