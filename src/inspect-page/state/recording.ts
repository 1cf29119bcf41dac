import type { InspectDocument, InspectNode } from "../../inspect/document.js";
import type { GradientState, Steps } from "../../inspect/steps.js";
import { outlineOf, type Group } from "../../inspect/view/outline.js";
import { findings, type Finding } from "../../inspect/why/findings.js";
import { Reader } from "../../inspect/why/reader.js";

/** A document with what the views ask of it again and again. */
export class Recording {
  readonly reader: Reader;
  #findings: readonly Finding[] | undefined;

  /** @param root the outline of a document of the same structure, where there is one already */
  constructor(
    readonly document: InspectDocument,
    readonly root: Group = outlineOf(document),
  ) {
    this.reader = new Reader(document);
  }

  get steps(): Steps {
    return this.reader.steps;
  }

  get findings(): readonly Finding[] {
    return (this.#findings ??= findings(this.document));
  }

  node(id: number): InspectNode {
    return this.document.nodes[id]!;
  }

  gradient(id: number, moment: number): GradientState {
    return this.steps.gradientAt(id, moment);
  }

  /** `tanh #97`, `gru.weight_hh_l0`: short enough for a button. */
  label(id: number): string {
    const { op, name, kind } = this.node(id);
    return name ?? `${op ?? kind} #${id}`;
  }

  /** The name of a leaf as seen from the module that uses it, where that is one. */
  shortLabel(id: number): string {
    const { nodes, calls } = this.document;
    const paths = new Set(this.steps.usersOf(id).map((user) => calls[nodes[user]!.call ?? -1]?.path ?? ""));
    const [path = ""] = paths;
    const name = this.label(id);
    return paths.size === 1 && path !== "" && name.startsWith(`${path}.`)
      ? name.slice(path.length + 1)
      : name;
  }

  /** The groups that hold an operation, outermost first, without the outermost of all. */
  around(id: number): readonly Group[] {
    const path: Group[] = [];
    let at: Group | undefined = this.root;
    while (at) {
      const inside: Group | undefined = at.children.find(
        (child): child is Group => typeof child !== "number" && child.first <= id && id <= child.last,
      );
      if (inside) path.push(inside);
      at = inside;
    }
    return path;
  }
}
