import type { JSX } from "preact";
import type { GradientState } from "../../inspect/steps.js";
import { isNonFinite, isZero } from "../../inspect/why/reader.js";
import { shapeText, shortText } from "../parts/number-text.js";
import type { Recording } from "../state/recording.js";
import type { PlacedBox } from "./drawing.js";

/** What a reader must see of a gradient at a glance. */
export function stateClass({ status, gradient }: GradientState, requiresGrad: boolean): string {
  if (!gradient) return status === "never" ? (requiresGrad ? "never" : "none") : "not-yet";
  const quality = isNonFinite(gradient) ? " bad" : isZero(gradient) ? " zero" : "";
  return `${status}${quality}`;
}

/** `‖g‖ 0.398`, or what there is instead of it. */
export function gradientWords(state: GradientState, requiresGrad: boolean, scalar: boolean): string {
  const { gradient, status } = state;
  if (!gradient) return status === "not yet" ? "g not yet" : requiresGrad ? "g never" : "";
  if (isNonFinite(gradient)) return "g not finite";
  return scalar && gradient.values
    ? `g ${shortText(gradient.values[0]!)}`
    : `‖g‖ ${shortText(gradient.norm)}`;
}

interface BoxViewProps {
  readonly recording: Recording;
  readonly placed: PlacedBox;
  readonly moment: number;
  readonly marks: string;
  readonly tabbable: boolean;
  readonly onPress: () => void;
  readonly onFocus: () => void;
}

/** A node or a closed group: its name, its shape (of a scalar its value) and its gradient. */
export function BoxView(props: BoxViewProps): JSX.Element {
  const { recording, placed, moment, marks, tabbable, onPress, onFocus } = props;
  const { box, title, x, y, width, height } = placed;
  const { shape, value, requiresGrad, op } = recording.node(box.node);
  const state = recording.gradient(box.node, moment);
  const scalar = shape.length === 0 && value.values !== undefined;
  const shown = scalar ? shortText(value.values![0]!) : shapeText(shape);
  const spoilt = isNonFinite(value) ? " spoilt" : "";
  const counts = op === "gruTurnstile" && state.gradient;
  return (
    <button
      type="button"
      class={`box ${box.kind} ${stateClass(state, requiresGrad)}${spoilt}${marks}`}
      style={`left:${x}px;top:${y}px;width:${width}px;height:${height}px`}
      tabIndex={tabbable ? 0 : -1}
      data-key={box.key}
      aria-expanded={box.group ? false : undefined}
      onClick={onPress}
      onFocus={onFocus}
    >
      <span class="name">
        {box.group && <span class="sign">▸ </span>}
        {title}
        {state.status === "partial" && (
          <span class="parts">
            {state.received}/{state.expected}
          </span>
        )}
      </span>
      <span class="below">
        <span>{shown}</span>
        <span class="g">
          {counts ? `${shortText(counts.norm)} steps` : gradientWords(state, requiresGrad, scalar)}
        </span>
      </span>
    </button>
  );
}
