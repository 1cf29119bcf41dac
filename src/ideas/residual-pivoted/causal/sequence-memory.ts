import { allocate, type FloatDType, type Floats } from "../../../tensor/index.js";
import type { PivotSource } from "../kernel/choose-pivots.js";
import { beginPrefix, scaledRows } from "./begin-prefix.js";
import { absorb, type CausalPlan, type Prefix, type RowSpace, type Tokens } from "./prefix.js";
import type { CausalSettings } from "./schedule.js";

/** What one head of one sequence remembers of its tokens: the prefix, the chunk at hand and, where pivots are chosen again, all. */
export class SequenceMemory {
  prefix: Prefix | undefined;
  readonly chunk: Tokens;
  readonly #plan: CausalPlan;
  readonly #settings: CausalSettings;
  #past: { q: Floats; k: Floats; v: Floats } | undefined;
  #length = 0;

  constructor(plan: CausalPlan, settings: CausalSettings) {
    const { width, channels } = plan;
    const { chunk } = settings;
    this.#plan = plan;
    this.#settings = settings;
    this.chunk = {
      length: chunk,
      queries: new Float64Array(chunk * width),
      keys: new Float64Array(chunk * width),
      values: allocate(this.#dtype, chunk * channels),
    };
    this.#past = { q: this.#rows(chunk, width), k: this.#rows(chunk, width), v: this.#rows(chunk, channels) };
  }

  /** The bytes in use. */
  get bytes(): number {
    const { width, channels, single, rank } = this.#plan;
    const element = single ? 4 : 8;
    const within = this.#length % this.#settings.chunk;
    const chunk = within * (2 * width * 8 + channels * element);
    const past = this.#past ? this.#length * (2 * width + channels) * element : 0;
    const sums = 2 * rank * (channels + 1) + rank * (rank + width + 1) + 2 * width + 2 * channels;
    return chunk + past + (this.prefix ? 8 * sums : 0);
  }

  /** Writes the next token, number `within` of its chunk. */
  put(within: number, q: Floats, k: Floats, v: Floats): void {
    const { width, channels } = this.#plan;
    this.chunk.queries.set(scaledRows(q, 0, 1, this.#plan), within * width);
    this.chunk.keys.set(scaledRows(k, 0, 1, this.#plan, this.prefix?.centre), within * width);
    this.chunk.values.set(v, within * channels);
    this.#remember(q, k, v);
    this.#length++;
  }

  /** Takes the full chunk into the sums. */
  absorbChunk(space: RowSpace): void {
    if (this.prefix) absorb(this.prefix, this.chunk, space);
  }

  /** Chooses pivots from all tokens so far. */
  choose(source: PivotSource, space: RowSpace): void {
    const past = { length: this.#length, ...this.#past! };
    this.prefix = beginPrefix(this.#plan, past, source, new Int32Array(this.#plan.rank), space);
    if (this.#settings.refresh === "once") this.#past = undefined;
  }

  get #dtype(): FloatDType {
    return this.#plan.single ? "float32" : "float64";
  }

  #rows(count: number, columns: number): Floats {
    return allocate(this.#dtype, count * columns);
  }

  #remember(q: Floats, k: Floats, v: Floats): void {
    if (!this.#past) return;
    const { width, channels } = this.#plan;
    if ((this.#length + 1) * width > this.#past.q.length) {
      const grown = (rows: Floats, columns: number): Floats => {
        const wider = this.#rows(2 * this.#length, columns);
        wider.set(rows);
        return wider;
      };
      const { q, k, v } = this.#past;
      this.#past = { q: grown(q, width), k: grown(k, width), v: grown(v, channels) };
    }
    this.#past.q.set(q, this.#length * width);
    this.#past.k.set(k, this.#length * width);
    this.#past.v.set(v, this.#length * channels);
  }
}
