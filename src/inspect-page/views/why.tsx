import { useLayoutEffect } from "preact/hooks";
import type { JSX } from "preact";
import type { CodeLine } from "../../inspect/document.js";
import { isNonFinite, isZero } from "../../inspect/why/reader.js";
import { whyNaN } from "../../inspect/why/why-nan.js";
import { whyZero } from "../../inspect/why/why-zero.js";
import { NodeLink } from "../parts/node-link.js";
import { shortText } from "../parts/number-text.js";
import { SourceView } from "../parts/source-view.js";
import type { Recording } from "../state/recording.js";
import { useSession } from "../state/session.js";

interface Answer {
  readonly title: string;
  readonly sentence: string;
  readonly node: number;
  readonly source?: CodeLine | undefined;
  readonly trail: readonly number[];
}

/** Why something is NaN, infinite, 0 or not computed: the first cause, its line, and the way from there. */
export function WhyView(): JSX.Element {
  const session = useSession();
  const recording = session.shown.value;
  const answers = answersOf(recording, session.selected.value);
  const marked = answers[0]?.trail;
  const marks = (marked ?? []).join();
  useLayoutEffect(() => {
    session.trail.value = marked ?? [];
  }, [marks]);
  return (
    <article class="panel why">
      <h2>Why is it NaN, zero, or missing?</h2>
      {answers.length === 0 && (
        <p>Nothing to explain: all is finite, and every leaf has a gradient that is not 0.</p>
      )}
      {answers.map((answer) => (
        <section key={`${answer.title}${answer.node}${answer.sentence}`} class="answer">
          <h3>{answer.title}</h3>
          <p class="sentence">{sentenceCase(answer.sentence)}</p>
          <Trail recording={recording} trail={answer.trail} cause={answer.node} />
          {answer.source && <SourceView at={answer.source} />}
        </section>
      ))}
      <Asked />
    </article>
  );
}

function answersOf(recording: Recording, selected: number): Answer[] {
  const { document } = recording;
  const titles = {
    "not finite": "Not finite",
    "zero gradient": "Zero gradient",
    "no gradient": "Gradient not computed",
    "hidden rows": "Hidden rows",
    "dead units": "Dead units",
  };
  const answers = recording.findings.map(({ kind, node, sentence, source, leaves }): Answer => {
    const trail =
      kind === "not finite"
        ? whyNaN(document)?.trail
        : leaves[0] === undefined
          ? undefined
          : whyZero(document, leaves[0]).trail;
    const of = leaves.length > 1 ? ` (${leaves.length} leaves)` : "";
    return { title: `${titles[kind]}${of}`, sentence, node, source, trail: trail ?? [node] };
  });
  const own = recording.gradient(selected, recording.steps.last).gradient;
  const asked = recording.node(selected);
  const concerned = recording.findings.some(({ leaves }) => leaves.includes(selected));
  if (!concerned && asked.requiresGrad && (!own || isZero(own))) {
    const { sentence, source, cause, trail } = whyZero(document, selected);
    answers.unshift({
      title: `The selected ${recording.label(selected)}`,
      sentence,
      node: cause ?? selected,
      source,
      trail,
    });
  }
  return answers;
}

/** The nodes from the cause on, each with what it holds. */
function Trail({
  recording,
  trail,
  cause,
}: {
  recording: Recording;
  trail: readonly number[];
  cause: number;
}): JSX.Element {
  const shown = trail.length > 9 ? [...trail.slice(0, 5), undefined, ...trail.slice(-3)] : trail;
  return (
    <ol class="trail">
      {shown.map((id) =>
        id === undefined ? (
          <li key="gap" class="faint">
            … {trail.length - 8} more
          </li>
        ) : (
          <li key={id} class={id === cause ? "cause" : undefined}>
            <NodeLink id={id} /> <span class="faint">{stateWords(recording, id)}</span>
          </li>
        ),
      )}
    </ol>
  );
}

function stateWords(recording: Recording, id: number): string {
  const { value, requiresGrad } = recording.node(id);
  const { gradient } = recording.gradient(id, recording.steps.last);
  const shown = isNonFinite(value) ? "value not finite" : "value finite";
  if (!requiresGrad) return shown;
  const found = !gradient
    ? "gradient not computed"
    : isNonFinite(gradient)
      ? "gradient not finite"
      : isZero(gradient)
        ? "gradient 0"
        : `‖g‖ ${shortText(gradient.norm)}`;
  return `${shown}, ${found}`;
}

/** What holds of every leaf, so that one can be asked about. */
function Asked(): JSX.Element | null {
  const session = useSession();
  const recording = session.shown.value;
  const leaves = recording.document.nodes.filter(({ kind }) => kind === "leaf");
  if (leaves.length === 0) return null;
  return (
    <section>
      <h3>Ask about</h3>
      <ul class="asked">
        {leaves.map(({ id }) => (
          <li key={id}>
            <NodeLink id={id} /> <span class="faint">{stateWords(recording, id)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const sentenceCase = (sentence: string): string => sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
