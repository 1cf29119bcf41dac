import { tensor, type Tensor } from "../../../../src/autograd/index.js";
import type { Settings } from "../../../../src/ideas/moment-rank2/index.js";

/**
 * An 8×8 state of which all is known: H = (mass·1/√8 + momentum·p1)·1ᵀ/√8 + Σ_t s_t c_{2t+2} c_{2t+1}ᵀ with cosines
 * c_k[i] = cos(π(2i + 1)k/16)/2. Those of even k ≥ 2 are orthogonal to 1 and to p1, all of k ≥ 1 to 1. So each term is a
 * singular triple, the first of value √(mass² + momentum²), and the first alone has moments: mass and momentum.
 */
export interface KnownState {
  readonly mass: number;
  readonly momentum: number;
  /** Up to three singular values without moments. */
  readonly s: readonly number[];
}

const momentum = [-7, -5, -3, -1, 1, 3, 5, 7].map((v) => v / Math.sqrt(168));

function entry({ mass, momentum: along, s }: KnownState, i: number, j: number): number {
  const cosine = (k: number, at: number): number => Math.cos((Math.PI * (2 * at + 1) * k) / 16) / 2;
  const moments = (mass / Math.sqrt(8) + along * momentum[i]!) / Math.sqrt(8);
  return s.reduce((sum, value, t) => sum + value * cosine(2 * t + 2, i) * cosine(2 * t + 1, j), moments);
}

/** The states of one step as the model shows them, `[batch, 64]` in float32. */
export function hiddenStates(states: readonly KnownState[]): Tensor {
  return tensor(
    states.map((state) => Array.from({ length: 64 }, (_, at) => entry(state, at >> 3, at & 7))),
    { dtype: "float32" },
  );
}

/** What the compression and plain truncation do to one state. */
export interface KnownFigures {
  readonly norm: number;
  readonly moments: number;
  /** ‖H − C(H)‖² */
  readonly error: number;
  /** ‖H − T_r(H)‖² */
  readonly plain: number;
  /** The largest moment that T_r loses. */
  readonly drift: number;
  readonly rank: number;
  readonly clipped: boolean;
}

/** From the singular values alone. */
export function figuresOf({ mass, momentum: along, s }: KnownState, settings: Settings): KnownFigures {
  const moments = mass ** 2 + along ** 2;
  const all = [...s, Math.sqrt(moments)].filter((x) => x > 0).sort((a, b) => b - a);
  const squares = (values: readonly number[]): number => values.reduce((sum, x) => sum + x * x, 0);
  const cut = settings.form === "B" ? [...s].sort((a, b) => b - a) : all;
  const lost = all.indexOf(Math.sqrt(moments)) >= settings.rank;
  const without = cut.slice(settings.rank).filter((x) => x !== Math.sqrt(moments));
  const [kept, next] = [cut[settings.rank - 1] ?? 0, cut[settings.rank] ?? 0];
  return {
    norm: squares(all),
    moments,
    error: squares(without),
    plain: squares(all.slice(settings.rank)),
    drift: lost ? Math.max(Math.abs(mass), Math.abs(along)) : 0,
    rank: all.length - without.length,
    clipped: next > 0 && kept / (kept - next) >= settings.bound,
  };
}
