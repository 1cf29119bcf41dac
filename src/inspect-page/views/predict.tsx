import { signal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { JSX } from "preact";
import type { BackwardEvent } from "../../inspect/document.js";
import { ArrayView } from "../parts/array-view.js";
import { Equation, type TermOf } from "../parts/equation.js";
import { Figure } from "../parts/figure.js";
import { letterOf, shapeText } from "../parts/number-text.js";
import {
  hintFor,
  isRight,
  questionAbout,
  readGuess,
  type Asked,
  type ChoiceQuestion,
  type NumberQuestion,
} from "../predict/question.js";
import type { Recording } from "../state/recording.js";
import { useSession } from "../state/session.js";
import { sameShape } from "../../tensor/index.js";
import { ruleOf } from "./rule-of.js";

interface Answer {
  readonly event: number;
  readonly asked: Asked;
  readonly guess: number | string;
  readonly right: boolean;
}

const asked = signal<Asked>("contribution");
const answer = signal<Answer | undefined>(undefined);
const score = signal({ right: 0, of: 0 });

/** The learner guesses what the next step of the backward pass brings, then sees it. */
export function PredictView(): JSX.Element {
  const session = useSession();
  const recording = session.shown.value;
  const index = session.moment.value;
  const event = recording.document.events[index];
  const { right, of } = score.value;
  return (
    <article class="panel predict">
      <header>
        <h2>What comes next?</h2>
        <div class="choices" role="radiogroup" aria-label="what to guess">
          {(["contribution", "gradient"] as const).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="asked"
                checked={asked.value === one}
                onChange={() => (asked.value = one)}
              />
              {one === "contribution" ? "the next contribution" : "the gradient after it"}
            </label>
          ))}
          {of > 0 && (
            <span class="score">
              {right} of {of} right
            </span>
          )}
        </div>
      </header>
      {event ? (
        <Exercise key={`${index} ${asked.value}`} recording={recording} event={event} index={index} />
      ) : (
        <p>
          The backward pass is complete.{" "}
          <button type="button" class="link" onClick={() => session.goTo(0)}>
            Begin again
          </button>
        </p>
      )}
    </article>
  );
}

interface ExerciseProps {
  readonly recording: Recording;
  readonly event: BackwardEvent;
  readonly index: number;
}

function Exercise({ recording, event, index }: ExerciseProps): JSX.Element {
  const session = useSession();
  const what = asked.value;
  const question = useMemo(() => questionAbout(recording, index, what), [recording, index, what]);
  const given = answer.value?.event === index && answer.value.asked === what ? answer.value : undefined;
  const next = useRef<HTMLButtonElement>(null);
  const give = (guess: number | string): void => {
    if (given) return;
    const right =
      question.kind === "number" ? isRight(Number(guess), question.truth) : guess === question.truth;
    answer.value = { event: index, asked: what, guess, right };
    score.value = { right: score.value.right + Number(right), of: score.value.of + 1 };
  };
  useLayoutEffect(() => {
    if (given) next.current?.focus();
  }, [given]);
  const of = recording.label(event.to);
  return (
    <section>
      <Given
        recording={recording}
        event={event}
        index={index}
        place={question.kind === "number" ? question.place : undefined}
      />
      {question.kind === "number" ? (
        <NumberGuess question={question} of={of} given={given} give={give} />
      ) : (
        <ShapeGuess question={question} of={of} given={given} give={give} />
      )}
      {given && (
        <div class={`verdict ${given.right ? "good" : "poor"}`} role="status">
          <Verdict recording={recording} event={event} question={question} given={given} />
          <p>
            <button ref={next} type="button" onClick={() => session.goTo(index + 1)}>
              Next
            </button>
          </p>
        </div>
      )}
    </section>
  );
}

/** What is known before the step: the rule, what comes in, and the values that the rule may need. */
function Given({
  recording,
  event,
  index,
  place,
}: ExerciseProps & { place: number | undefined }): JSX.Element {
  const { from, to, input } = event;
  if (from === null)
    return (
      <p>
        The backward pass starts at the output <span class="mono">{recording.label(to)}</span>: its gradient
        in itself.
      </p>
    );
  const node = recording.node(from);
  const upstream = recording.gradient(from, index).gradient;
  const before = recording.gradient(to, index).gradient;
  const rule = ruleOf(recording, node, input);
  const terms: TermOf[] = [
    ...(upstream
      ? [{ name: "g", note: "comes in from upstream", of: upstream, shape: node.shape, dtype: node.dtype }]
      : []),
    ...namesIn(rule, node.inputs!.length).map((name): TermOf => {
      const id = name === "y" ? from : node.inputs![name.charCodeAt(0) - 97]!;
      const { value, shape, dtype } = recording.node(id);
      const note = name === "y" ? "the result" : recording.label(id);
      return { name, role: "local", note, of: value, shape, dtype };
    }),
  ];
  const { shape, dtype } = recording.node(to);
  const alike = terms.every((term) => sameShape(term.shape, shape));
  if (asked.value === "gradient" && before)
    terms.push({ name: "before", note: `has arrived at ${recording.label(to)}`, of: before, shape, dtype });
  return (
    <>
      <p>
        <span class="mono">{recording.label(from)}</span> computed y ={" "}
        <span class="rule">{recording.document.operations[node.op!]!.formula}</span>. Its rule for{" "}
        {letterOf(input)}, <span class="mono">{recording.label(to)}</span>, is{" "}
        <span class="rule">{rule}</span>.
      </p>
      <Equation terms={terms} chosen={alike ? place : undefined} />
    </>
  );
}

/** Which of a, b, c … and y a rule speaks of; of one that names none, and does more than hand g on, all. */
function namesIn(rule: string, inputs: number): string[] {
  const names = [...Array.from({ length: Math.min(inputs, 4) }, (_, i) => letterOf(i)), "y"];
  const named = names.filter((name) => new RegExp(String.raw`(?<![a-z])${name}(?![a-z])`, "i").test(rule));
  return named.length > 0 || /^−?g(?![^,]*\bof\b)/.test(rule) ? named : names;
}

interface GuessProps<Q> {
  readonly question: Q;
  readonly of: string;
  readonly given: Answer | undefined;
  readonly give: (guess: number | string) => void;
}

function wordsOf(of: string, element: readonly number[]): JSX.Element {
  const what = asked.value === "contribution" ? "flows to" : "is then the gradient of";
  return (
    <>
      What {what} <span class="mono">{of}</span>
      {element.length > 0 && (
        <>
          {" "}
          at element <span class="mono">[{element.join(",")}]</span>
        </>
      )}
      ?
    </>
  );
}

function NumberGuess({ question, of, given, give }: GuessProps<NumberQuestion>): JSX.Element {
  const session = useSession();
  const field = useRef<HTMLInputElement>(null);
  const complaint = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => field.current!.focus({ preventScroll: true }), []);
  return (
    <form
      class="guess"
      onSubmit={(event) => {
        event.preventDefault();
        const guess = readGuess(field.current!.value);
        complaint.current!.hidden = guess !== undefined;
        if (guess !== undefined) give(guess);
      }}
    >
      <label>
        <b>{wordsOf(of, question.element)}</b>
        <span class="faint"> A number, or a product such as 0.5×0.25</span>
        <input
          ref={field}
          type="text"
          inputMode="text"
          autocomplete="off"
          spellcheck={false}
          disabled={given !== undefined}
          onKeyDown={(event) => {
            const by = { "]": 1, "[": -1 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            session.goTo(session.moment.value + by);
          }}
        />
      </label>
      <button type="submit" disabled={given !== undefined}>
        Check
      </button>
      <p ref={complaint} class="bad" hidden>
        Not a number: write 0.25, −3e−4, 1/3 or 0.5×0.25.
      </p>
    </form>
  );
}

function ShapeGuess({ question, of, given, give }: GuessProps<ChoiceQuestion>): JSX.Element {
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current!.focus({ preventScroll: true }), []);
  return (
    <div class="guess" role="group" aria-label="choices">
      <p>
        <b>{wordsOf(of, [])}</b> <span class="faint">It is large: choose its shape.</span>
      </p>
      <p class="buttons">
        {question.choices.map((choice, i) => (
          <button
            key={choice}
            ref={i === 0 ? first : undefined}
            type="button"
            class="mono"
            aria-pressed={given?.guess === choice}
            disabled={given !== undefined}
            onClick={() => give(choice)}
          >
            {choice === "[]" ? "scalar" : choice}
          </button>
        ))}
      </p>
    </div>
  );
}

function Verdict({
  recording,
  event: { to, part, sum },
  question,
  given,
}: Omit<ExerciseProps, "index"> & { question: NumberQuestion | ChoiceQuestion; given: Answer }): JSX.Element {
  const { dtype, shape } = recording.node(to);
  const shown = given.asked === "gradient" ? (sum ?? part) : part;
  const hint =
    question.kind === "number" && !given.right ? hintFor(question, Number(given.guess)) : undefined;
  return (
    <>
      <p>
        <b>{given.right ? "Right." : "Not quite."}</b>{" "}
        {question.kind === "number" ? (
          <>
            It is <Figure of={shown!.values![question.place]!} dtype={dtype} />.
          </>
        ) : question.truth === "nothing flows" ? (
          "Nothing flows here, which is not a contribution of 0."
        ) : (
          <>A gradient has the shape of what it belongs to, {shapeText(shape)}.</>
        )}
      </p>
      {hint && <p>{hint}</p>}
      {shown && (
        <ArrayView
          of={shown}
          shape={shape}
          dtype={dtype}
          chosen={question.kind === "number" ? question.place : undefined}
        />
      )}
    </>
  );
}
