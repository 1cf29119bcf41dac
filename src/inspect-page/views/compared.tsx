import type { JSX } from "preact";
import type { Summary } from "../../inspect/document.js";
import type { DType } from "../../tensor/index.js";
import { Figure } from "../parts/figure.js";
import { NodeLink } from "../parts/node-link.js";
import { useSession } from "../state/session.js";

/** The output and the gradients of the leaves, as recorded and after the edit. */
export function Compared(): JSX.Element {
  const session = useSession();
  const [before, after] = [session.recorded, session.shown.value];
  const { output, nodes } = before.document;
  const took = session.edits.took.value;
  const gradient = (recording: typeof before, id: number): Summary | undefined =>
    recording.gradient(id, recording.steps.last).gradient;
  return (
    <section class="compared">
      <h3>
        What came of it{" "}
        {took !== undefined && (
          <span class="faint">in {Math.max(took, 0.1).toFixed(took < 10 ? 1 : 0)} ms</span>
        )}
      </h3>
      <table class="plain">
        <thead>
          <tr>
            <td />
            <th scope="col">recorded</th>
            <th scope="col">now</th>
          </tr>
        </thead>
        <tbody>
          <tr data-compared="output">
            <th scope="row">
              <NodeLink id={output} /> <span class="faint">the output</span>
            </th>
            <Cell of={before.node(output).value} dtype={before.node(output).dtype} />
            <Cell of={after.node(output).value} dtype={after.node(output).dtype} />
          </tr>
          {nodes
            .filter(({ kind }) => kind === "leaf")
            .map(({ id, dtype }) => (
              <tr key={id} data-compared={id}>
                <th scope="row">
                  <NodeLink id={id} /> <span class="faint">gradient</span>
                </th>
                <Cell of={gradient(before, id)} dtype={dtype} />
                <Cell of={gradient(after, id)} dtype={dtype} />
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ of, dtype }: { of: Summary | undefined; dtype: DType }): JSX.Element {
  const only = of?.values?.length === 1 ? of.values[0] : undefined;
  return (
    <td class="number mono">
      {!of ? (
        <span class="faint">never</span>
      ) : only === undefined ? (
        <>
          ‖<Figure of={of.norm} />‖
        </>
      ) : (
        <Figure of={only} dtype={dtype} />
      )}
    </td>
  );
}
