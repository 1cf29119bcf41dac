import { Tensor } from "../../../autograd/index.js";
import { fail } from "../../../errors/index.js";
import { checkToken } from "../../../nn/attention/attention-decoder.js";
import type { AttentionDecoder } from "../../../nn/index.js";
import type { Generator } from "../../../random/index.js";
import { NDArray, reserve, type FloatDType, type Floats } from "../../../tensor/index.js";
import type { PivotSource } from "../kernel/choose-pivots.js";
import { completeSettings, type PivotLaw, type Settings } from "../settings.js";
import { attendRow, emptyRow, type Row } from "./attend-row.js";
import type { CausalPlan } from "./prefix.js";
import { choosesBefore, completeCausalSettings, type CausalSettings, type Refresh } from "./schedule.js";
import { SequenceMemory } from "./sequence-memory.js";

/** Options of {@link PivotedAttentionDecoder}, as those of `residualPivotedAttention`. */
export interface PivotedDecoderOptions {
  readonly rank?: number;
  readonly pivots?: PivotLaw;
  readonly ridge?: number;
  readonly chunk?: number;
  readonly refresh?: Refresh;
  /** Where pivots are drawn from: what the full pass draws, in its order. Not needed for `greedy`. */
  readonly rng?: Generator;
}

/**
 * Causal attention through pivots a token at a time: the same bits as `residualPivotedAttention` with `causal: true` and the same
 * options over all tokens, since it does the same operations in the same order. A token costs O(r (r + d + channels) + chunk
 * (d + channels)) time, and choosing pivots O(m r (r + d)) for m tokens so far: as much again for each token on average with
 * `refresh: "doubling"`. It remembers pivots and sums, O(r (r + d + channels)), the tokens of the chunk and, unless
 * `refresh` is `once`, all q, k and v before, from which pivots are chosen again.
 */
export class PivotedAttentionDecoder implements AttentionDecoder {
  readonly #settings: Settings;
  readonly #causal: CausalSettings;
  readonly #rng: Generator | undefined;
  readonly #problems: SequenceMemory[] = [];
  #plan: CausalPlan | undefined;
  #row: Row | undefined;
  #tokens = 0;

  /** @throws E_VALUE for options that are none, and when pivots are to be drawn without a generator */
  constructor(options: PivotedDecoderOptions = {}) {
    this.#settings = completeSettings(options);
    this.#causal = completeCausalSettings({ ...options, causal: true });
    this.#rng = options.rng;
    if (!options.rng && this.#settings.pivots !== "greedy") {
      fail(
        "E_VALUE",
        `PivotedAttentionDecoder: pivots "${this.#settings.pivots}" are drawn; pass a generator as rng`,
      );
    }
  }

  get tokens(): number {
    return this.#tokens;
  }

  get bytes(): number {
    return this.#problems.reduce((sum, problem) => sum + problem.bytes, 0);
  }

  /**
   * q, k `[batch, heads, 1, d]`, v `[batch, heads, 1, channels]` → `[batch, heads, 1, channels]`.
   *
   * @throws E_SHAPE, E_DTYPE unless they are one token of the sizes and type of those before
   */
  step(q: Tensor, k: Tensor, v: Tensor): Tensor {
    const [batch, heads] = checkToken("PivotedAttentionDecoder", q, k, v);
    const plan = this.#planFor(q, v, batch * heads);
    const { chunk, refresh } = this.#causal;
    const { width, channels, rank } = plan;
    const row = (this.#row ??= emptyRow(rank, channels, chunk));
    const out = reserve(q.dtype as FloatDType, batch * heads * channels);
    const [at, within] = [Math.floor(this.#tokens / chunk), this.#tokens % chunk];
    const chooses = within === 0 && choosesBefore(at, refresh);
    const uniforms = chooses ? this.#uniforms(batch * heads * rank) : undefined;
    const part = (x: Tensor, p: number, each: number): Floats =>
      (x.array.data as Floats).subarray(p * each, (p + 1) * each);
    this.#problems.forEach((problem, p) => {
      if (uniforms) {
        problem.choose(this.#source(uniforms.subarray(p * rank, (p + 1) * rank)), row);
      } else if (within === 0 && at > 0) {
        problem.absorbChunk(row);
      }
      problem.put(within, part(q, p, width), part(k, p, width), part(v, p, channels));
      attendRow(problem.prefix, problem.chunk, within, row, plan.single);
      out.set(row.output, p * channels);
    });
    this.#tokens++;
    return new Tensor(new NDArray([batch, heads, 1, channels], q.dtype, out));
  }

  #planFor(q: Tensor, v: Tensor, problems: number): CausalPlan {
    const [width, channels, single] = [q.shape[3]!, v.shape[3]!, q.dtype === "float32"];
    const { rank, ridge } = this.#settings;
    if (!this.#plan) {
      this.#plan = { width, channels, rank, ridge, single };
      for (let p = 0; p < problems; p++) this.#problems.push(new SequenceMemory(this.#plan, this.#causal));
    }
    const plan = this.#plan;
    const same = plan.width === width && plan.channels === channels && plan.single === single;
    if (!same || this.#problems.length !== problems) {
      fail(
        "E_SHAPE",
        `PivotedAttentionDecoder: expected ${this.#problems.length} heads of ${plan.width} and ${plan.channels} as before, got ` +
          `${problems} of ${width} and ${channels} in ${q.dtype}; use a new decoder for another batch`,
      );
    }
    return plan;
  }

  #uniforms(count: number): Float64Array {
    return this.#settings.pivots === "greedy" ? new Float64Array(count) : this.#rng!.uniforms(count);
  }

  #source(uniforms: Float64Array): PivotSource {
    return { law: this.#settings.pivots, uniforms };
  }
}
