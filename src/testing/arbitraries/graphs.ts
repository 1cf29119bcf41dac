import fc from "fast-check";
import type { Tensor } from "../../autograd/index.js";
import type { Draft, Factor } from "./draft.js";
import { Drafts, type Frame } from "./drafts.js";
import { graphOps, largestSize, type Bounds, type GraphAxis, type GraphOp } from "./graph-ops.js";
import { domains } from "./numbers.js";

/** A random program: a function of its inputs, which reads as text. */
export interface DrawnGraph {
  readonly f: (...inputs: Tensor[]) => Tensor;
  readonly inputs: readonly Tensor[];
  /** The program as lines that can be pasted. */
  toString(): string;
}

/** Options of {@link graphs}. */
export interface GraphsOptions {
  /** The most inputs. Default 3. */
  readonly maxInputs?: number;
  /** The most operations, at most 20. Default 6. */
  readonly maxSteps?: number;
  /** Use operations whose derivative jumps (relu, abs, maximum, minimum) as well. Default false. */
  readonly kinks?: boolean;
}

/** Operations on the inputs and on what came before, by place. The last one is the result. */
interface Program {
  readonly inputs: readonly Bounds[];
  readonly steps: readonly Step[];
}

interface Step {
  readonly op: GraphOp;
  readonly operands: readonly number[];
}

/** What a graph shrinks from. */
interface Origin {
  readonly program: Program;
  readonly draft: Draft;
}

/**
 * Random graphs of the package's operations on float64 matrices, with values used several times, broadcasting, and operands in the
 * domain where an operation is smooth. A failure shrinks to the fewest operations, then to the fewest slices, then to simple numbers.
 */
export function graphs(options: GraphsOptions = {}): fc.Arbitrary<DrawnGraph> {
  return new Graphs(options.maxInputs ?? 3, Math.min(20, options.maxSteps ?? 6), options.kinks ?? false);
}

class Graphs extends fc.Arbitrary<DrawnGraph> {
  private readonly ops: readonly GraphOp[];

  constructor(
    private readonly maxInputs: number,
    private readonly maxSteps: number,
    kinks: boolean,
  ) {
    super();
    this.ops = graphOps.filter((op) => kinks || !op.kinked);
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<DrawnGraph> {
    const program = this.program(random);
    return graphValue(program, draftsOf(program).generate(random, bias));
  }

  override canShrinkWithoutContext(value: unknown): value is DrawnGraph {
    return value === undefined;
  }

  override shrink(_: DrawnGraph, context?: unknown): fc.Stream<fc.Value<DrawnGraph>> {
    return fc.stream(smaller(context as Origin));
  }

  private program(random: fc.Random): Program {
    const axis = (name: GraphAxis): GraphAxis => (random.nextInt(0, 3) === 0 ? 1 : name);
    const inputs = Array.from({ length: random.nextInt(1, this.maxInputs) }, (): Bounds => {
      const [low, high] = random.nextInt(0, 2) === 0 ? [0.4, 3] : [-3, 3];
      return { rows: axis("m"), columns: axis("n"), low, high };
    });
    const known = [...inputs];
    const steps: Step[] = [];
    const wanted = random.nextInt(1, this.maxSteps);
    while (steps.length < wanted) {
      const op = this.ops[random.nextInt(0, this.ops.length - 1)]!;
      const newest = known.length - 1;
      const first = random.nextInt(0, 2) > 0 ? newest : random.nextInt(0, newest);
      const operands = op.arity === 1 ? [first] : [first, random.nextInt(0, newest)];
      const bounds = op.bounds(known[operands[0]!]!, known[operands.at(-1)!]!);
      if (!bounds) continue;
      known.push(bounds);
      steps.push({ op, operands });
    }
    return withoutUnused({ inputs, steps }).program;
  }
}

function graphValue(program: Program, inputs: fc.Value<Tensor[]>): fc.Value<DrawnGraph> {
  const graph: DrawnGraph = {
    f: (...xs) => run(program, xs),
    inputs: inputs.value,
    toString: () => programText(program, inputs.value),
  };
  return new fc.Value(graph, { program, draft: inputs.context as Draft } satisfies Origin);
}

function* smaller({ program, draft }: Origin): IterableIterator<fc.Value<DrawnGraph>> {
  for (const { program: shorter, kept } of withoutOneStep(program)) {
    const tensors = kept.map((input) => draft.tensors[input]!);
    yield graphValue(shorter, draftsOf(shorter).from({ dimensions: draft.dimensions, tensors }));
  }
  for (const inputs of draftsOf(program).shrinkDraft(draft)) yield graphValue(program, inputs);
}

/** The programs in which an operand takes the place of the step that it is given to. */
function* withoutOneStep(program: Program): IterableIterator<ReturnType<typeof withoutUnused>> {
  if (program.steps.length === 1) return;
  const { length: inputs } = program.inputs;
  for (let at = program.steps.length - 1; at >= 0; at--) {
    const gone = inputs + at;
    for (const operand of new Set(program.steps[at]!.operands)) {
      const renamed = (place: number): number =>
        place === gone ? operand : place > gone ? place - 1 : place;
      const steps = program.steps
        .filter((_, i) => i !== at)
        .map(({ op, operands }) => ({ op, operands: operands.map(renamed) }));
      // The result stays the last step, or becomes the operand of the one that was.
      const upTo = at === program.steps.length - 1 ? operand - inputs + 1 : steps.length;
      if (upTo < 1) continue;
      const shorter = { inputs: program.inputs, steps: steps.slice(0, upTo) };
      if (isAllowed(shorter)) yield withoutUnused(shorter);
    }
  }
}

/** Whether every step has operands in its domain. */
function isAllowed({ inputs, steps }: Program): boolean {
  const known: Bounds[] = [...inputs];
  return steps.every(({ op, operands }) => {
    const bounds = op.bounds(known[operands[0]!]!, known[operands.at(-1)!]!);
    if (bounds) known.push(bounds);
    return bounds !== undefined;
  });
}

/** The steps and inputs that the result depends on; `kept` says which inputs. */
function withoutUnused({ inputs, steps }: Program): { program: Program; kept: readonly number[] } {
  const used = new Set([inputs.length + steps.length - 1]);
  for (let at = steps.length - 1; at >= 0; at--)
    if (used.has(inputs.length + at)) for (const operand of steps[at]!.operands) used.add(operand);
  const order = [...used].sort((a, b) => a - b);
  const place = new Map(order.map((old, now) => [old, now]));
  const kept = order.filter((old) => old < inputs.length);
  const program = {
    inputs: kept.map((input) => inputs[input]!),
    steps: order
      .filter((old) => old >= inputs.length)
      .map((old) => steps[old - inputs.length]!)
      .map(({ op, operands }) => ({ op, operands: operands.map((operand) => place.get(operand)!) })),
  };
  return { program, kept };
}

/** The inputs of a program: matrices that share m and n. */
function draftsOf({ inputs }: Program): Drafts {
  const fillings = inputs.map(({ low }) => ({
    dtype: "float64" as const,
    elements: low > 0 ? domains.positive : domains.real,
    apart: 0,
  }));
  const factor = (axis: GraphAxis): Factor[] => [axis === 1 ? 1 : { dimension: axis, broadcast: false }];
  const frame = (random: fc.Random): Frame => ({
    dimensions: new Map(
      ["m", "n"].map((name) => [name, { size: random.nextInt(1, largestSize), least: 1, removable: false }]),
    ),
    axes: inputs.map(({ rows, columns }) => [factor(rows), factor(columns)]),
  });
  return new Drafts(frame, fillings);
}

function run({ steps }: Program, inputs: readonly Tensor[]): Tensor {
  const values = [...inputs];
  for (const { op, operands } of steps)
    values.push(op.apply(values[operands[0]!]!, values[operands.at(-1)!]!));
  return values.at(-1)!;
}

/** One line for each input and step; the last name is the result. */
function programText({ steps }: Program, inputs: readonly Tensor[]): string {
  const name = (place: number): string => String.fromCharCode("a".charCodeAt(0) + place);
  const lines = [
    ...inputs.map((x) => `tensor(${JSON.stringify(x.toArray())}, { dtype: "float64" })`),
    ...steps.map(({ op, operands }) => op.text(name(operands[0]!), name(operands.at(-1)!))),
  ];
  return lines.map((line, place) => `const ${name(place)} = ${line};`).join("\n");
}
