import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import type { CodeLine } from "../../inspect/document.js";
import { lineText } from "../../inspect/why/reader.js";
import type { Recording } from "../state/recording.js";
import { useSession } from "../state/session.js";

/** A line of the user's code in its surroundings: each line that made operations selects the next of them. */
export function SourceView({ at }: { at: CodeLine | undefined }): JSX.Element | null {
  const session = useSession();
  const recording = session.shown.value;
  const file = at?.file ?? Object.keys(session.sources)[0];
  const current = useRef<HTMLLIElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const line = at?.line;
  useEffect(() => {
    if (!current.current || !list.current) return;
    const [row, room] = [current.current, list.current];
    room.scrollTop = row.offsetTop - room.clientHeight / 2 + row.clientHeight;
  }, [file, line]);
  const text = file === undefined ? undefined : session.sources[file];
  if (text === undefined) return at ? <p class="faint mono">{`${lineText(at)}:${at.column}`}</p> : null;
  const made = operationsByLine(recording, file!);
  return (
    <figure class="source">
      <figcaption class="mono">
        {file!.split(/[\\/]/).at(-1)}
        {line !== undefined && `:${line}`}
      </figcaption>
      <ol ref={list} tabIndex={0} aria-label="source">
        {text.split(/\r?\n/).map((code, i) => {
          const nodes = made.get(i + 1);
          const here = i + 1 === line;
          return (
            <li key={i} ref={here ? current : undefined} class={here ? "here" : undefined}>
              {nodes ? (
                <button
                  type="button"
                  class="link number"
                  title={`${nodes.length} operations of this line`}
                  onClick={() => session.reveal(after(nodes, session.selected.value))}
                >
                  {i + 1}
                </button>
              ) : (
                <span class="number">{i + 1}</span>
              )}
              <code>{code || " "}</code>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

function operationsByLine({ document }: Recording, file: string): Map<number, number[]> {
  const made = new Map<number, number[]>();
  for (const { id, source } of document.nodes)
    if (source?.file === file) made.set(source.line, [...(made.get(source.line) ?? []), id]);
  return made;
}

/** The next of a line's operations, so that pressing again goes through all. */
function after(nodes: readonly number[], selected: number): number {
  return nodes.find((id) => id > selected) ?? nodes[0]!;
}
