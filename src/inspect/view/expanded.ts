import type { Group } from "./outline.js";

/** Time steps in a row that may be shown one by one. */
const mostSteps = 8;

/**
 * The groups to show open, so that at most `most` operations and closed groups are seen: from the outside in, those with
 * the fewest parts first. The outermost is always open. A row of more than 8 time steps stays closed.
 */
export function expandedGroups(root: Group, most: number): ReadonlySet<Group> {
  const open = new Set<Group>([root]);
  let seen = root.children.length;
  const closed = groupsIn(root);
  for (;;) {
    closed.sort((a, b) => a.children.length - b.children.length);
    const next = closed.shift();
    if (!next || seen - 1 + next.children.length > most) return open;
    open.add(next);
    seen += next.children.length - 1;
    closed.push(...groupsIn(next));
  }
}

function groupsIn({ children }: Group): Group[] {
  return children
    .filter((child) => typeof child !== "number")
    .filter(({ kind, children: parts }) => kind !== "steps" || parts.length <= mostSteps);
}
