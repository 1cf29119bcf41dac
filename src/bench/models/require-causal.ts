import { noGrad, scope, tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import type { ModelChange } from "../../ideas/index.js";
import { generator } from "../../random/index.js";

const SHAPE = [1, 2, 96, 4] as const;
const [, HEADS, TOKENS, WIDTH] = SHAPE;

/**
 * Tries whether a change of attention is causal where it has to be: on random tokens, of which the later half is replaced, no
 * output of the earlier half may move by one bit.
 *
 * @param makeChange makes the change anew, drawing the same numbers each time
 * @param by what asks for the change, for the message
 * @throws E_IDEA when an output moves; what the change itself throws where it has no causal form
 */
export function requireCausal(makeChange: () => ModelChange, by = "the change"): void {
  if (makeChange().attention === undefined) return;
  const [first, second] = [outputs(makeChange(), 0), outputs(makeChange(), 1)];
  const moved = first.findIndex((value, at) => isEarly(at) && !Object.is(value, second[at]));
  if (moved >= 0)
    fail(
      "E_IDEA",
      `${by} changes attention, and on text its output of token ${tokenOf(moved)} of ${TOKENS} moves when later tokens change: ` +
        "each position would see what it has to predict. Choose another track, or heed site.causal in the change",
    );
}

const tokenOf = (at: number): number => Math.floor(at / WIDTH) % TOKENS;
const isEarly = (at: number): boolean => tokenOf(at) < TOKENS / 2;

/** The outputs for tokens whose later half depends on `variant`. */
function outputs({ attention }: ModelChange, variant: number): Float32Array {
  const rng = generator(0).stream("causality");
  const [early, late] = [rng.stream("early"), rng.stream(`late ${variant}`)];
  const input = () =>
    tensor(
      Float32Array.from({ length: HEADS * TOKENS * WIDTH }, (_, at) => (isEarly(at) ? early : late).normal()),
      { shape: [...SHAPE] },
    );
  return noGrad(() =>
    scope(() =>
      Float32Array.from(attention!(input(), input(), input(), { layer: 0, causal: true }).values()),
    ),
  );
}
