/** How often tokens follow one context. */
interface Followers {
  /** Occurrences by token. */
  readonly counts: Map<number, number>;
  total: number;
}

/**
 * Probabilities of the next token by how often tokens followed the last `order` − 1 ones, smoothed by Witten and Bell (IEEE
 * Trans. Inf. Theory 37 (1991) 1085): with n(h) occurrences of the context h and t(h) different tokens after it,
 * p(c | h) = (n(hc) + t(h) p(c | h'))/(n(h) + t(h)), where h' is h without its first token, and 1/vocabulary below the empty context. A
 * context that was never seen gives p(c | h').
 */
export class NGram {
  /** By the length of the context, then by the context as a number. */
  readonly #contexts: readonly Map<number, Followers>[];

  constructor(
    readonly order: number,
    readonly vocabulary: number,
  ) {
    this.#contexts = Array.from({ length: order }, () => new Map<number, Followers>());
  }

  /** Counts what follows each token of a text, which begins with one that nothing predicts. */
  count(text: ArrayLike<number>): void {
    for (let at = 1; at < text.length; at++) {
      for (let length = 0; length < this.order && length <= at; length++) {
        const contexts = this.#contexts[length]!;
        const name = this.#name(text, at, length);
        const followers = contexts.get(name) ?? { counts: new Map<number, number>(), total: 0 };
        followers.counts.set(text[at]!, (followers.counts.get(text[at]!) ?? 0) + 1);
        followers.total += 1;
        contexts.set(name, followers);
      }
    }
  }

  /** p(text[at] | what stands before it in the text). */
  probability(text: ArrayLike<number>, at: number): number {
    let probability = 1 / this.vocabulary;
    for (let length = 0; length < this.order && length <= at; length++) {
      const followers = this.#contexts[length]!.get(this.#name(text, at, length));
      if (!followers) break;
      const different = followers.counts.size;
      const seen = followers.counts.get(text[at]!) ?? 0;
      probability = (seen + different * probability) / (followers.total + different);
    }
    return probability;
  }

  /** The `length` tokens before a place as one number. */
  #name(text: ArrayLike<number>, at: number, length: number): number {
    let name = 0;
    for (let from = at - length; from < at; from++) name = name * this.vocabulary + text[from]!;
    return name;
  }
}
