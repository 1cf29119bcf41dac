/** Letters to insert, delete, replace or swap with their neighbour to turn one word into the other. */
export function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, rows[i - 1][j] + 1, rows[i][j - 1] + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, rows[i - 2][j - 2] + 1);
      rows[i][j] = least;
    }
  }
  return rows[a.length][b.length];
}

/** The word of a list that a mistyped one was most likely meant to be; undefined when none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 2));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `did you mean 'x'? ` when a near word exists, then the list of all: the end of an error about an unknown word. */
export function suggestion(word: string, known: Iterable<string>): string {
  const words = [...known];
  const near = nearest(word, words);
  return `${near === undefined ? "" : `did you mean '${near}'? `}known: ${words.join(", ") || "none"}`;
}
