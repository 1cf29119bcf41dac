import type { BackwardEvent } from "../../inspect/document.js";
import { fromJson } from "../../inspect/json-number.js";
import { indexOf } from "../../inspect/record/element.js";
import type { Recording } from "../state/recording.js";

/** What the learner guesses: what flows in the next step, or the gradient that it leads to. */
export type Asked = "contribution" | "gradient";

/** A number is asked for, of one element. */
export interface NumberQuestion {
  readonly kind: "number";
  readonly place: number;
  readonly element: readonly number[];
  readonly truth: number;
  /** What a guess may have been taken for: a mistake's name and its number. */
  readonly mistakes: readonly (readonly [sentence: string, value: number])[];
}

/** Of a large array its shape is asked for, or whether anything flows at all. */
export interface ChoiceQuestion {
  readonly kind: "choice";
  readonly choices: readonly string[];
  readonly truth: string;
}

export type Question = NumberQuestion | ChoiceQuestion;

/** What a choice says of a rule that gives no contribution. */
export const nothingFlows = "nothing flows";

/** The question about an event that has not happened yet. */
export function questionAbout(recording: Recording, index: number, asked: Asked): Question {
  const event = recording.document.events[index]!;
  const shown = asked === "gradient" ? (event.sum ?? event.part) : event.part;
  if (!shown?.values) return shapeQuestion(recording, event);
  const { shape } = recording.node(event.to);
  const place = shown.values.length === 0 ? 0 : (index * 7 + 3) % shown.values.length;
  return {
    kind: "number",
    place,
    element: indexOf(place, shape),
    truth: fromJson(shown.values[place]!),
    mistakes: mistakesOf(recording, event, index, place, asked),
  };
}

function shapeQuestion(recording: Recording, { from, to, part }: BackwardEvent): ChoiceQuestion {
  const text = (shape: readonly number[]): string => `[${shape.join(",")}]`;
  const own = recording.node(to).shape;
  const others = [
    own,
    own.toReversed(),
    from === null ? [] : recording.node(from).shape,
    [...own, 1],
    [],
  ].map(text);
  const shapes = [...new Set(others)].slice(0, 3).sort();
  return { kind: "choice", choices: [...shapes, nothingFlows], truth: part ? text(own) : nothingFlows };
}

function mistakesOf(
  recording: Recording,
  { from, to, part, local }: BackwardEvent,
  index: number,
  place: number,
  asked: Asked,
): [string, number][] {
  const at = (values: readonly unknown[] | undefined): number => Number(values?.[place] ?? NaN);
  const upstream = from === null ? NaN : at(recording.gradient(from, index).gradient?.values);
  const before = at(recording.gradient(to, index).gradient?.values);
  const own = at(part?.values);
  const found: [string, number][] = [
    [
      "That is the derivative of the operation alone: multiply it by what comes in from upstream.",
      at(local?.values),
    ],
    ["That is what comes in from upstream, passed on as it is: multiply it by the derivative.", upstream],
    ["The sign is the other way round.", -own],
  ];
  if (asked === "gradient" && !Number.isNaN(before))
    found.unshift(
      ["That is this part alone: it is added to what had arrived before.", own],
      ["That is what had arrived before: this part is added to it.", before],
    );
  return found.filter(([, value]) => !Number.isNaN(value));
}

/** Whether a guess is as good as the number: within a hundredth. */
export function isRight(guess: number, truth: number): boolean {
  if (!Number.isFinite(truth) || !Number.isFinite(guess)) return Object.is(guess, truth);
  return Math.abs(guess - truth) <= Math.max(Math.abs(truth) / 100, 1e-12);
}

/** What a wrong guess looks like; undefined where nothing comes to mind. */
export function hintFor({ truth, mistakes }: NumberQuestion, guess: number): string | undefined {
  if (truth === 0) return "Nothing comes through here: the contribution is exactly 0.";
  const known = mistakes.find(([, value]) => isRight(guess, value));
  if (known) return known[0];
  if (isRight(guess * 2, truth)) return "Half of it: something is used twice.";
  if (isRight(guess / 2, truth)) return "Twice as much as it is.";
  return undefined;
}

/** A guess as it was typed: a number, or numbers joined by × and /; undefined where it is neither. */
export function readGuess(text: string): number | undefined {
  const plain = text.trim().replaceAll("−", "-").replaceAll(/[·×]/g, "*").replaceAll(",", ".");
  const number = String.raw`-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
  if (/^[+-]?(?:∞|inf(?:inity)?)$/i.test(plain)) return plain.startsWith("-") ? -Infinity : Infinity;
  if (/^nan$/i.test(plain)) return NaN;
  if (!new RegExp(String.raw`^${number}(?:\s*[*/]\s*${number})*$`, "i").test(plain)) return undefined;
  const [first, ...rest] = [...plain.matchAll(new RegExp(String.raw`([*/]?)\s*(${number})`, "gi"))];
  return rest.reduce(
    (value, [, sign, factor]) => (sign === "/" ? value / Number(factor) : value * Number(factor)),
    Number(first![2]),
  );
}
