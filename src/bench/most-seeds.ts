/** The most paired seeds that a run may have and a report is verified with. */
export const MOST_SEEDS = 1000;
