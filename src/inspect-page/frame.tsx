import { useLayoutEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import { Stage } from "./graph/stage.js";
import { keyHelp } from "./keys.js";
import { counted } from "./parts/number-text.js";
import { Scrubber } from "./parts/scrubber.js";
import { useSession, type ViewName } from "./state/session.js";
import { AttentionView } from "./views/attention.js";
import { CheckView } from "./views/check.js";
import { Details } from "./views/details.js";
import { EditView } from "./views/edit.js";
import { PredictView } from "./views/predict.js";
import { StepView } from "./views/step.js";
import { TimeView } from "./views/time.js";
import { WhyView } from "./views/why.js";

interface View {
  readonly title: string;
  readonly show: () => JSX.Element;
}

const views: Readonly<Record<ViewName, View>> = {
  graph: { title: "Graph", show: Details },
  step: { title: "Step", show: StepView },
  why: { title: "Why", show: WhyView },
  predict: { title: "Predict", show: PredictView },
  edit: { title: "Edit", show: EditView },
  time: { title: "Time", show: TimeView },
  attention: { title: "Attention", show: AttentionView },
  check: { title: "Check", show: CheckView },
};

/** The whole page: what was recorded, the views, the graph beside the panel of the view. */
export function Frame(): JSX.Element {
  const session = useSession();
  const view = session.view.value;
  const { show: Panel } = views[view];
  return (
    <>
      <Masthead />
      <main class="with-stage">
        <div class="left">
          <Stage />
          {(view === "step" || view === "predict") && <Scrubber />}
        </div>
        <div class="right" id="view" role="tabpanel" aria-labelledby={`tab-${view}`} tabIndex={-1}>
          <Panel />
        </div>
      </main>
      <Help />
    </>
  );
}

function Masthead(): JSX.Element {
  const session = useSession();
  const { document, findings, root } = session.shown.value;
  const [first] = findings;
  return (
    <header class="masthead">
      <div class="title">
        <h1>{document.subject}</h1>
        <p class="faint">
          {counted(root.size, "operation")}, {counted(document.events.length, "contribution")} to gradients
          {document.unfused && ", unfused"}
          {session.shown.value !== session.recorded && (
            <>
              {" · "}
              <button type="button" class="link edited" onClick={() => session.go("edit")}>
                edited
              </button>
            </>
          )}
          {first && (
            <>
              {" · "}
              <button type="button" class="link alarm" onClick={() => session.go("why")}>
                {findings.length === 1 ? first.kind : counted(findings.length, "finding")}
              </button>
            </>
          )}
        </p>
      </div>
      <Tabs />
    </header>
  );
}

function Tabs(): JSX.Element {
  const session = useSession();
  const current = session.view.value;
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = session.views.at((session.views.indexOf(current) + move) % session.views.length)!;
    session.go(next);
    window.document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <nav>
      <div role="tablist" aria-label="views" onKeyDown={onKeyDown}>
        {session.views.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === current}
            aria-controls="view"
            tabIndex={name === current ? 0 : -1}
            onClick={() => session.go(name)}
          >
            {views[name].title}
          </button>
        ))}
      </div>
      <div class="tools">
        <button
          type="button"
          aria-pressed={session.wholeNumbers.value}
          title="all digits of every number (d)"
          onClick={() => (session.wholeNumbers.value = !session.wholeNumbers.value)}
        >
          all digits
        </button>
        <button type="button" title="keys (?)" aria-label="keys" onClick={() => (session.help.value = true)}>
          ?
        </button>
      </div>
    </nav>
  );
}

function Help(): JSX.Element {
  const session = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const open = session.help.value;
  useLayoutEffect(() => {
    if (open) dialog.current!.showModal();
    else dialog.current!.close();
  }, [open]);
  return (
    <dialog ref={dialog} aria-label="keys" onClose={() => (session.help.value = false)}>
      <h2>Keys</h2>
      <dl class="keys">
        {keyHelp.map(([keys, does]) => (
          <>
            <dt>{keys.split(" ").map((key) => (key === "…" ? " … " : <kbd>{key}</kbd>))}</dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <p>
        <button type="button" onClick={() => (session.help.value = false)}>
          Close
        </button>
      </p>
    </dialog>
  );
}
