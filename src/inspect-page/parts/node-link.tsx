import type { JSX } from "preact";
import { useSession } from "../state/session.js";

/** A node's name as a button that selects it. */
export function NodeLink({ id }: { id: number }): JSX.Element {
  const session = useSession();
  const recording = session.shown.value;
  return (
    <button type="button" class="link mono" onClick={() => session.reveal(id)}>
      {recording.label(id)}
    </button>
  );
}
