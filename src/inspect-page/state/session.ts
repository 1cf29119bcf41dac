import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { composedAttention } from "../../inspect/attention/composed-attention.js";
import type { InspectDocument, InspectNode } from "../../inspect/document.js";
import { sequencesIn } from "../../inspect/through-time/fused-sequence.js";
import { recurrentSteps } from "../../inspect/through-time/recurrent-steps.js";
import { expandedGroups } from "../../inspect/view/expanded.js";
import type { Group } from "../../inspect/view/outline.js";
import type { PageData } from "../page-data.js";
import { Edits } from "../edit/edits.js";
import { Recording } from "./recording.js";

/** The views, in the order of their tabs and keys. */
export type ViewName = "graph" | "step" | "why" | "predict" | "edit" | "time" | "attention" | "check";

/** Boxes that are open at the start. */
const mostAtStart = 24;

/** What the reader looks at. Views read it and change it through its methods; nothing else is shared. */
export class Session {
  /** Those that have something to show, in the order of their tabs and keys. */
  readonly views: readonly ViewName[];
  /** As it was recorded. */
  readonly recorded: Recording;
  readonly sources: PageData["sources"];
  /** What is shown: the recording, or what came out of it after an edit. */
  readonly shown: Signal<Recording>;
  readonly view = signal<ViewName>("graph");
  /** How many events of the backward pass have happened, for the views that step. */
  readonly moment = signal(0);
  readonly selected: Signal<number>;
  readonly open: Signal<ReadonlySet<Group>>;
  /** Nodes to be marked in the graph, from a cause to what was asked about. */
  readonly trail = signal<readonly number[]>([]);
  /** Whether numbers are shown with every digit. */
  readonly wholeNumbers = signal(false);
  readonly help = signal(false);
  readonly edits = new Edits(this);
  /** The moment that the graph shows: that of the step, or the end. */
  readonly graphMoment: ReadonlySignal<number> = computed(() =>
    this.view.value === "step" || this.view.value === "predict" ? this.moment.value : this.last,
  );

  constructor({ document, sources }: PageData) {
    this.recorded = new Recording(document);
    this.sources = sources;
    this.views = [
      ...(["graph", "step", "why", "predict", "edit"] as const),
      ...(goesThroughTime(document) ? (["time"] as const) : []),
      ...(document.nodes.some((node) => isAttention(document, node)) ? (["attention"] as const) : []),
      ...(document.events.length > 0 ? (["check"] as const) : []),
    ];
    this.shown = signal(this.recorded);
    this.selected = signal(document.output);
    const steps = (group: Group): Group[] =>
      group.children.flatMap((child) =>
        typeof child === "number" ? [] : child.kind === "steps" ? [child] : steps(child),
      );
    const open = expandedGroups(this.recorded.root, mostAtStart);
    this.open = signal(new Set([...open, ...steps(this.recorded.root)]));
  }

  get last(): number {
    return this.shown.value.steps.last;
  }

  go(view: ViewName): void {
    this.view.value = view;
  }

  goTo(moment: number): void {
    this.moment.value = Math.min(Math.max(moment, 0), this.last);
  }

  /** Shows the contribution of an event: the moment right after it. */
  showEvent(event: number): void {
    batch(() => {
      this.goTo(event + 1);
      this.go("step");
    });
  }

  select(node: number): void {
    this.selected.value = node;
  }

  /** Selects a node and opens what it lies in, so that the graph shows it. */
  reveal(node: number): void {
    batch(() => {
      this.select(node);
      const around = this.shown.value.around(node);
      const steps = around.findIndex(({ kind }) => kind === "steps");
      const needed = steps < 0 ? around : around.slice(0, steps + 1);
      if (
        this.shown.value.node(node).kind === "operation" &&
        needed.some((group) => !this.open.value.has(group))
      )
        this.open.value = new Set([...this.open.value, ...needed]);
    });
  }

  toggle(group: Group): void {
    const open = new Set(this.open.value);
    if (!open.delete(group)) open.add(group);
    this.open.value = open;
  }

  /** Closes the innermost open group around the selected node. */
  closeAround(): void {
    const group = this.shown.value.around(this.selected.value).findLast((one) => this.open.value.has(one));
    if (group) this.toggle(group);
  }
}

const isAttention = (document: InspectDocument, node: InspectNode): boolean =>
  /attention$/i.test(node.op ?? "") || composedAttention(document, node) !== undefined;

const goesThroughTime = (document: InspectDocument): boolean =>
  sequencesIn(document).length > 0 || recurrentSteps(document).length > 0;

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  return useContext(SessionContext)!;
}
