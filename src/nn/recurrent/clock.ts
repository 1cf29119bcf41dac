let time: number | undefined;

/** The step that a recurrent layer is at; undefined outside of one. For whoever observes operations. */
export function currentTime(): number | undefined {
  return time;
}

/** Runs one step after another, each at its time; afterwards it is again the time that it was before, also when one throws. */
export function atEachStep(steps: number, step: (time: number) => void): void {
  const before = time;
  try {
    for (let t = 0; t < steps; t++) {
      time = t;
      step(t);
    }
  } finally {
    time = before;
  }
}
