import type { JSX } from "preact";
import { useSession } from "../state/session.js";

/** Where the backward pass stands, and the way to go on and back. */
export function Scrubber(): JSX.Element {
  const session = useSession();
  const moment = session.moment.value;
  const { last } = session;
  const button = (title: string, sign: string, to: number): JSX.Element => (
    <button
      type="button"
      title={title}
      aria-label={title}
      disabled={to < 0 || to > last || to === moment}
      onClick={() => session.goTo(to)}
    >
      {sign}
    </button>
  );
  return (
    <div class="scrubber" role="group" aria-label="backward pass">
      {button("to the start (Home)", "⇤", 0)}
      {button("one back (←)", "←", moment - 1)}
      {button("one on (→)", "→", moment + 1)}
      {button("to the end (End)", "⇥", last)}
      <input
        type="range"
        min={0}
        max={last}
        value={moment}
        aria-label="contributions made"
        aria-valuetext={`${moment} of ${last}`}
        onInput={({ currentTarget }) => session.goTo(Number(currentTarget.value))}
      />
      <output>
        {moment} <span class="faint">of {last}</span>
      </output>
    </div>
  );
}
