import type { JSX } from "preact";
import type { JsonNumber } from "../../inspect/document.js";
import { fromJson } from "../../inspect/json-number.js";
import type { DType } from "../../tensor/index.js";
import { useSession } from "../state/session.js";
import { shortText, wholeText } from "./number-text.js";

/** A number: shortened for reading or whole, as the reader chose; the element's value is always whole. */
export function Figure({ of, dtype = "float64" }: { of: JsonNumber; dtype?: DType }): JSX.Element {
  const { wholeNumbers } = useSession();
  const whole = wholeText(of, dtype);
  const value = fromJson(of);
  return (
    <data value={String(of)} title={whole} class={Number.isFinite(value) ? undefined : "bad"}>
      {wholeNumbers.value ? whole : shortText(of)}
    </data>
  );
}
