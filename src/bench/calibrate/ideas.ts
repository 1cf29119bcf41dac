import type { Claim, Idea, Signature, TrainedModel } from "../../ideas/index.js";

const named = (name: string, title: string): Pick<Idea, "name" | "title" | "source" | "track" | "model"> => ({
  name,
  title,
  source: "calibration of the bench",
  track: "dynamics",
  model: "rnn_small",
});

/** What an idea without a mechanism has to say of it. */
const nothingMeasured: Pick<Idea, "checks" | "measure" | "summarize"> = {
  checks: () => [],
  measure: () => ({ claims: [], confirmed: false, figures: {} }),
  summarize: () => ({
    mechanism: { predicted: null, observed: null, confirmed: false },
    mathematics: { passed: true },
    confirmed: false,
  }),
};

/** A layer that hands on what it gets. */
export const nothing: Idea = {
  ...named("calibration-nothing", "A layer that changes nothing"),
  ...nothingMeasured,
  summary: "h ← h after every step",
  options: {},
  change: () => ({ hidden: (hidden) => hidden }),
};

/** A recurrent model of another width. */
export const width: Idea = {
  ...named("calibration-width", "A model of another width"),
  ...nothingMeasured,
  summary: "as many hidden units as the option says",
  options: { units: 64 },
  change: ({ units }) => ({ width: Number(units) }),
};

/** The largest mean of a hidden state in units of its spread, over the units: 0 for a layer that centres its states. */
function offCentre(trained: TrainedModel): number {
  let largest = 0;
  for (const states of trained.hiddenStates()) {
    const [batch, units] = states.shape as [number, number];
    const values = states.values();
    for (let row = 0; row < batch; row++) {
      const state = Array.from({ length: units }, (_, i) => values[row * units + i]!);
      const mean = state.reduce((sum, value) => sum + value, 0) / units;
      const spread = Math.hypot(...state) / Math.sqrt(units);
      if (spread > 0) largest = Math.max(largest, Math.abs(mean) / spread);
    }
  }
  return largest;
}

/** A claim of one trained model as an idea's signature and as its summary. */
function claimed(claim: (trained: TrainedModel) => Claim): Pick<Idea, "checks" | "measure" | "summarize"> {
  return {
    checks: () => [],
    measure: (trained): Signature => {
      const made = claim(trained);
      return { claims: [made], confirmed: made.held && made.control.refuted, figures: {} };
    },
    summarize: (_, signatures) => {
      const claims = signatures.flatMap(({ signature }) => signature.claims);
      const confirmed = claims.length > 0 && claims.every(({ held, control }) => held && control.refuted);
      const observed = claims.length === 0 ? null : Math.max(...claims.map((made) => made.observed));
      const mechanism = { predicted: 0, observed, confirmed };
      return { mechanism, mathematics: { passed: true }, confirmed };
    },
  };
}

const centred = {
  quantity: "mean of a hidden state",
  where: "trained model",
  predicted: 0,
  tolerance: 1e-6,
} as const;

/** Says that it centres the hidden states, and does nothing: the claim does not hold. */
export const fake: Idea = {
  ...named("calibration-fake", "A faked mechanism"),
  summary: "h ← h, said to be h ← h − mean(h)",
  options: {},
  change: () => ({ hidden: (hidden) => hidden }),
  ...claimed((trained) => {
    const observed = offCentre(trained);
    const control = { what: "the states as the model leaves them", observed, refuted: observed > 1e-6 };
    return { ...centred, statement: "|mean(h)|/rms(h) = 0", observed, held: observed <= 1e-6, control };
  }),
};

/** Claims what holds for every model, so that its negative control cannot fail. */
export const empty: Idea = {
  ...named("calibration-empty", "A claim that says nothing"),
  summary: "h ← h, and a claim that every hidden state keeps",
  options: {},
  change: () => ({ hidden: (hidden) => hidden }),
  ...claimed((trained) => {
    const observed = Math.max(0, offCentre(trained) - 1);
    const control = { what: "the baseline's states", observed, refuted: observed > 1e-6 };
    return { ...centred, statement: "|mean(h)| ≤ rms(h)", observed, held: observed <= 1e-6, control };
  }),
};

/** The ideas of the calibration by name: workers know them beside the built-in ones, and no command lists them. */
export const calibrationIdeas: ReadonlyMap<string, Idea> = new Map(
  [nothing, width, fake, empty].map((idea) => [idea.name, idea]),
);
