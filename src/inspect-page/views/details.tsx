import type { JSX } from "preact";
import type { InspectNode } from "../../inspect/document.js";
import { birthSentence, hiddenRowsSentence } from "../../inspect/why/birth-sentence.js";
import { isZero } from "../../inspect/why/reader.js";
import { ArrayView } from "../parts/array-view.js";
import { GradientChip } from "../parts/gradient-chip.js";
import { NodeLink } from "../parts/node-link.js";
import { letterOf, shapeText } from "../parts/number-text.js";
import { SourceView } from "../parts/source-view.js";
import { useSession } from "../state/session.js";
import { ruleOf } from "./rule-of.js";

/** The selected node: what it is, its value, its gradient, the rules that it applies, its line of code. */
export function Details(): JSX.Element {
  const session = useSession();
  const recording = session.shown.value;
  const node = recording.node(session.selected.value);
  const { id, kind, shape, dtype, value, source, op, name, birth, hiddenRows } = node;
  const text = op === undefined ? undefined : recording.document.operations[op];
  const around = kind === "operation" ? recording.around(id) : [];
  return (
    <article class="panel details">
      <header aria-live="polite">
        <h2>
          <span class="mono">{name ?? op ?? "constant"}</span> <span class="faint mono">#{id}</span>
        </h2>
        <p class="faint">
          {kind === "leaf"
            ? "leaf: an input or a parameter"
            : kind === "constant"
              ? "no operation made it, no gradient"
              : text?.formula}
        </p>
        {around.length > 0 && (
          <p class="path">
            {around
              .filter(({ kind: one }) => one !== "steps")
              .map((group, i) => (
                <span key={i}>
                  {i > 0 && " › "}
                  {group.title}
                </span>
              ))}
          </p>
        )}
      </header>
      {birth && <p class="note bad">{birthSentence(node, birth)}</p>}
      {hiddenRows && <p class="note bad">{hiddenRowsSentence(node, hiddenRows)}</p>}
      <section>
        <h3>
          Value <span class="faint mono">{`${shapeText(shape)} ${dtype}`}</span>
        </h3>
        <ArrayView of={value} shape={shape} dtype={dtype} />
      </section>
      <GradientOf node={node} />
      {op !== undefined && node.inputs!.length > 0 && <Inputs node={node} />}
      <Uses id={id} />
      {node.attributes && <Attributes of={node.attributes} />}
      {(source ?? Object.keys(session.sources).length > 0) && (
        <section>
          <h3>Source</h3>
          <SourceView at={source} />
        </section>
      )}
    </article>
  );
}

function GradientOf({ node: { id, shape, dtype, requiresGrad } }: { node: InspectNode }): JSX.Element {
  const session = useSession();
  const recording = session.shown.value;
  const state = recording.gradient(id, recording.steps.last);
  const { gradient } = state;
  const events = recording.steps.eventsTo(id).filter((at) => recording.document.events[at]!.part);
  return (
    <section>
      <h3>
        Gradient{" "}
        {requiresGrad ? <GradientChip state={state} /> : <span class="chip none">none asked for</span>}
      </h3>
      {gradient && <ArrayView of={gradient} shape={shape} dtype={dtype} />}
      {requiresGrad && (!gradient || isZero(gradient)) && (
        <p>
          <button
            type="button"
            class="link"
            onClick={() => {
              session.go("why");
            }}
          >
            {gradient ? "Why is it 0?" : "Why was it not computed?"}
          </button>
        </p>
      )}
      {events.length > 0 && (
        <p class="contributions">
          <span class="faint">arrived in step </span>
          {events.slice(0, 12).map((at, i) => (
            <span key={at}>
              {i > 0 && ", "}
              <button type="button" class="link" onClick={() => session.showEvent(at)}>
                {at + 1}
              </button>
            </span>
          ))}
          {events.length > 12 && <span class="faint"> and {events.length - 12} more</span>}
        </p>
      )}
    </section>
  );
}

function Inputs({ node }: { node: InspectNode }): JSX.Element {
  const recording = useSession().shown.value;
  const inputs = node.inputs!;
  return (
    <section>
      <h3>Inputs and their rules</h3>
      <table class="plain">
        <tbody>
          {inputs.slice(0, 12).map((input, i) => (
            <tr key={i}>
              <th scope="row" class="mono">
                {letterOf(i)}
              </th>
              <td>
                <NodeLink id={input} />{" "}
                <span class="faint mono">{shapeText(recording.node(input).shape)}</span>
              </td>
              <td>
                {recording.node(input).requiresGrad ? (
                  <span class="rule">{ruleOf(recording, node, i)}</span>
                ) : (
                  <span class="faint">no gradient</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {inputs.length > 12 && <p class="faint">and {inputs.length - 12} more</p>}
    </section>
  );
}

function Uses({ id }: { id: number }): JSX.Element | null {
  const recording = useSession().shown.value;
  const users = recording.steps.usersOf(id);
  if (users.length === 0)
    return id === recording.document.output ? (
      <p class="faint">This is the output: gradients are of it.</p>
    ) : null;
  return (
    <section>
      <h3>Used by</h3>
      <p class="uses">
        {users.slice(0, 8).map((user) => (
          <NodeLink key={user} id={user} />
        ))}
        {users.length > 8 && <span class="faint">and {users.length - 8} more</span>}
      </p>
    </section>
  );
}

function Attributes({ of }: { of: NonNullable<InspectNode["attributes"]> }): JSX.Element {
  return (
    <section>
      <h3>Settings</h3>
      <dl class="figures">
        {Object.entries(of).map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd class="mono">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
