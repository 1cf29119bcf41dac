import type { Session } from "./state/session.js";

/** Where keys belong to the field that has the focus. */
const typing = "input:not([type=range]),textarea,select,[contenteditable]";

/** The keys of the page, as the help shows them. */
export const keyHelp: readonly (readonly [keys: string, does: string])[] = [
  ["← →", "one contribution back or on (with Shift: ten)"],
  ["[ ]", "the same, from inside the graph too"],
  ["Home End", "to the start or the end of the backward pass"],
  ["1 2 3 …", "a view, by the place of its tab"],
  ["g", "into the graph; arrow keys move there, Enter opens a group, c closes the one around"],
  ["+ −", "in the graph: larger, smaller"],
  ["d", "all digits of every number, or four"],
  ["?", "this list"],
];

/** Listens to the keys that work everywhere. */
export function listenToKeys(session: Session): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.matches(typing)) return;
    if (press(session, event, target)) event.preventDefault();
  });
}

function press(session: Session, { key, shiftKey }: KeyboardEvent, target: Element | undefined): boolean {
  const step = (by: number): boolean => {
    if (session.view.value !== "step" && session.view.value !== "predict") session.go("step");
    else session.goTo(session.moment.value + by);
    return true;
  };
  const arrows = !target?.closest("[role=tablist],input[type=range]");
  switch (key) {
    case "ArrowRight":
      return arrows && step(shiftKey ? 10 : 1);
    case "ArrowLeft":
      return arrows && step(shiftKey ? -10 : -1);
    case "]":
      return step(1);
    case "[":
      return step(-1);
    case "Home":
    case "End":
      if (!arrows || session.view.value !== "step") return false;
      session.goTo(key === "Home" ? 0 : session.last);
      return true;
    case "g":
      document.querySelector<HTMLElement>(".stage [tabindex='0']")?.focus();
      return true;
    case "c":
      session.closeAround();
      return true;
    case "d":
      session.wholeNumbers.value = !session.wholeNumbers.value;
      return true;
    case "?":
      session.help.value = !session.help.value;
      return true;
    case "Escape":
      if (!session.help.value) return false;
      session.help.value = false;
      return true;
  }
  const view = session.views[Number(key) - 1];
  if (view === undefined) return false;
  session.go(view);
  return true;
}
