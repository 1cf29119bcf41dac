import type { JSX } from "preact";
import { isNonFinite, isZero } from "../../inspect/why/reader.js";
import { Figure } from "../parts/figure.js";
import { GradientChip } from "../parts/gradient-chip.js";
import { NodeLink } from "../parts/node-link.js";
import { shapeText } from "../parts/number-text.js";
import { useSession } from "../state/session.js";

/** The leaves with what has arrived at each. */
export function Leaves({ moment }: { moment: number }): JSX.Element | null {
  const recording = useSession().shown.value;
  const leaves = recording.document.nodes.filter(({ kind }) => kind === "leaf");
  if (leaves.length === 0) return null;
  return (
    <section class="leaves">
      <h3>Gradients of the leaves at this moment</h3>
      <table class="plain">
        <tbody>
          {leaves.map(({ id, shape, dtype }) => {
            const state = recording.gradient(id, moment);
            const { gradient } = state;
            const only = gradient?.values?.length === 1 ? gradient.values[0] : undefined;
            const mark = gradient && (isNonFinite(gradient) ? "bad" : isZero(gradient) ? "zero" : undefined);
            return (
              <tr key={id} data-leaf={id}>
                <th scope="row">
                  <NodeLink id={id} /> <span class="faint mono">{shapeText(shape)}</span>
                </th>
                <td>
                  <GradientChip state={state} />
                </td>
                <td class={`number mono ${mark ?? ""}`}>
                  {gradient &&
                    (only === undefined ? (
                      <>
                        ‖<Figure of={gradient.norm} />‖
                      </>
                    ) : (
                      <Figure of={only} dtype={dtype} />
                    ))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
