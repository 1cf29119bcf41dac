import { expect } from "vitest";
import {
  concat,
  gradients,
  hvp,
  jvp,
  keep,
  mapTree,
  noGrad,
  ones,
  rules,
  scope,
  stack,
  tensor,
  Tensor,
  vjp,
  where,
  withoutGradient,
  zeros,
  type Tree,
} from "../../src/autograd/index.js";
import { builtInIdeas } from "../../src/ideas/index.js";
import {
  Adam,
  AdamW,
  attention,
  clipGradNorm,
  crossEntropy,
  Dropout,
  GRU,
  huberLoss,
  LayerNorm,
  Linear,
  mseLoss,
  Module,
  Sequential,
  SGD,
  TransformerBlock,
  type Layer,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { stackTop } from "../../src/tensor/memory/index.js";
import { expectFlatMemory } from "../../src/testing/index.js";
import { expectSame, leafOf, numbers, once, oncePerKernels, type Kind, type Place } from "./place.js";
import { uses } from "./uses.js";

/** `KINDS_DEPTH=100000` is the depth at which other libraries failed; a walk that recurses fails at this one, see below. */
const depth = Number(process.env.KINDS_DEPTH ?? 12_500);

/** How many recorded operations lie one behind the other on the longest way to a tensor. */
const recordedDepth = ({ node }: Tensor): number =>
  node ? 1 + Math.max(0, ...(node.inputs ?? []).map(recordedDepth)) : 0;

/** A chain of one operation that is {@link depth} records deep, and a pass back through it. */
function deep(step: (y: Tensor, x: Tensor) => Tensor, shape: readonly number[] = []): () => void {
  return () => {
    const x = ones(shape, { requiresGrad: true });
    const ofOne = recordedDepth(step(x, x));
    expect(ofOne).toBeGreaterThan(0);
    let y: Tensor = x;
    for (let length = 0; length < depth; length += ofOne) y = step(y, x);
    y.sum().backward();
    expect(x.grad!.shape).toEqual(shape);
  };
}

const elementwise = ["neg", "abs", "sign", "square", "sqrt", "reciprocal", "exp", "log", "log1p", "expm1", "sin", "cos", "tanh", "sigmoid", "relu", "softplus", "erf", "gelu"] as const; // prettier-ignore
const binary = ["add", "sub", "mul", "div", "scale", "pow", "maximum", "minimum"] as const;
const along = ["cumsum", "cumprod", "softmax", "logSoftmax", "flip"] as const;
const reducing = ["sum", "mean", "max", "min", "prod", "norm", "logsumexp"] as const;

/** Assigning to any leaf between the passes is refused, or leaves the gradient as it was. */
function assigned(f: (...xs: Tensor[]) => Tensor, inputs: readonly Tensor[]): void {
  const leaves = (): Tensor[] => inputs.map((x) => new Tensor(x.array, true));
  const first = leaves();
  const before = f(...first);
  if (!before.requiresGrad) return;
  const cotangent = numbers("cotangent", before.shape, "float64").cast(before.dtype);
  const right = gradients(before, first, { cotangents: [cotangent] });
  inputs.forEach((_, i) => {
    const xs = leaves();
    const y = f(...xs);
    xs[i]!.assign(xs[i]!.detach().mul(0).add(0.77).cast(xs[i]!.dtype));
    let found: (Tensor | undefined)[];
    try {
      found = gradients(y, xs, { cotangents: [cotangent] });
    } catch (error) {
      expect((error as { code?: string }).code).toBe("E_STALE");
      return;
    }
    found.forEach((g, j) => expect(g?.toArray()).toEqual(right[j]?.toArray()));
  });
}

/** A list or typed array that was handed over may be overwritten afterwards: the gradient stays. */
function handedOver(
  use: (x: Tensor, attribute: number[] & { pairs?: never }) => Tensor,
  attribute: number[],
): () => void {
  return () => {
    const x = leafOf("handed over", [3, 4]);
    const [g] = gradients(use(x, [...attribute] as never), [x], {
      cotangents: [ones(use(x, [...attribute] as never).shape, { dtype: "float64" })],
    });
    const mine = [...attribute];
    const y = use(x, mine as never);
    mine.fill(0);
    mine.push(7);
    expectSame(gradients(y, [x], { cotangents: [ones(y.shape, { dtype: "float64" })] })[0], g, 0);
  };
}

const rng = (): ReturnType<typeof generator> => generator("graphs");

/** A step of an optimizer, a loaded state or a change of type between the passes of a model is refused. */
function staleModel(make: () => Layer, shape: readonly number[]): () => void {
  return () => {
    const changes: ((model: Layer) => void)[] = [
      (model) => {
        for (const p of model.parameters()) p.grad = ones(p.shape);
        new SGD(model.parameters(), { lr: 0.1 }).step();
      },
      (model) => model.loadStateDict(make().stateDict()),
      (model) => model.to("float64"),
    ];
    for (const change of changes) {
      const model = make();
      const x = numbers("x", shape, "float32");
      const loss = model.forward(model.forward(x)).square().sum();
      change(model);
      expect(() => loss.backward()).toThrow(/E_STALE/);
    }
  };
}

const gru = (): Layer => {
  const layer = new GRU(4, 4, { rng: rng() });
  return Object.assign(Object.create(layer) as Layer, {
    parameters: () => layer.parameters(),
    forward: (x: Tensor) => layer.forward(x).output,
    loadStateDict: (state: never) => layer.loadStateDict(state),
    stateDict: () => layer.stateDict(),
    to: (dtype: never) => layer.to(dtype),
  });
};

const steps = 800;
/** Memory of the heap and of scopes stays as it is over many steps. */
function flat(step: (at: number) => void, slack = 600_000): () => void {
  return () => {
    // The first use of linear memory lays out what lasts below the stack.
    step(0);
    const top = stackTop();
    expectFlatMemory(step, { steps, slack });
    expect(stackTop()).toBe(top);
  };
}

/** Training steps of a model, by hand and as a function of the optimizer. */
function trains(
  make: (parameters: Tensor[]) => { step(loss?: () => Tensor): unknown; zeroGrad(): void },
): () => void {
  return () => {
    const model = new Sequential([
      new Linear(8, 16, { rng: rng() }),
      new LayerNorm(16),
      (x) => x.gelu(),
      new Linear(16, 8, { rng: rng() }),
    ]);
    const optimizer = make(model.parameters());
    const x = numbers("x", [16, 8], "float32");
    flat((at) => {
      if (at % 2 === 0) optimizer.step(() => mseLoss(model.forward(x), x));
      else {
        optimizer.zeroGrad();
        mseLoss(model.forward(x), x).backward();
        clipGradNorm(model.parameters(), 1);
        optimizer.step();
      }
    })();
  };
}

const sixtyFour = (): Tensor => numbers("h", [4, 64], "float32");

export const graphs: Readonly<Record<string, Kind>> = {
  "deep-graph": {
    kind: "walks over graphs, trees and lists of any depth or width: iterative, or refused, never out of stack",
    places: once,
    subjects: {
      "a walk that recurses": () => {
        let y: Tensor = ones([], { requiresGrad: true });
        for (let i = 0; i < depth; i++) y = y.neg();
        expect(() => recordedDepth(y)).toThrow(RangeError);
      },
      ...Object.fromEntries(elementwise.map((name) => [name, deep((y) => y[name]())])),
      "tanh gelu": deep((y) => y.gelu({ approximate: "tanh" })),
      ...Object.fromEntries(binary.map((name) => [name, deep((y, x) => y[name](x))])),
      ...Object.fromEntries(binary.map((name) => [`${name}, other side`, deep((y, x) => x[name](y))])),
      ...Object.fromEntries(along.map((name) => [name, deep((y) => y[name](0), [2])])),
      ...Object.fromEntries(reducing.map((name) => [name, deep((y) => y[name](0, { keepDims: true }), [1])])),
      normalize: deep((y) => y.normalize(), [2]),
      variance: deep((y) => y.variance(0, { keepDims: true, correction: 0 }), [1]),
      where: deep((y, x) => where(true, y, x)),
      clip: deep((y) => y.clip(-9, 9)),
      cast: deep((y) => y.cast(y.dtype === "float32" ? "float64" : "float32")),
      reshape: deep((y) => y.reshape(y.rank === 1 ? [2, 1] : [2]), [2]),
      permute: deep((y) => y.transpose(), [2, 2]),
      expand: deep((y) => y.unsqueeze(0).expand([1, 2]).squeeze(0), [2]),
      slice: deep((y) => y.slice([[0, 2]]), [2]),
      gather: deep((y) => y.gather([1, 0]), [2]),
      takeAlongAxis: deep((y) => y.takeAlongAxis([1, 0]), [2]),
      scatterAdd: deep((y, x) => y.scatterAdd([1, 0], x), [2]),
      concat: deep((y, x) => concat([y, x]).slice([[0, 2]]), [2]),
      stack: deep((y, x) => stack([y, x]).slice([0]), [2]),
      split: deep((y) => y.split(2)[0]!.expand([2]), [2]),
      pad: deep((y) => y.pad([[1, 0]]).slice([[1, null]]), [2]),
      tril: deep((y) => y.tril(), [2, 2]),
      matmul: deep((y, x) => y.matmul(x), [1, 1]),
      solveTriangular: deep((y, x) => x.solveTriangular(y), [1, 1]),
      cholesky: deep((y) => y.cholesky(), [1, 1]),
      mseLoss: deep((y) => mseLoss(y, zeros([]))),
      huberLoss: deep((y) => huberLoss(y, zeros([]))),
      "second order": () => {
        const x = tensor(1, { dtype: "float64", requiresGrad: true });
        let y: Tensor = x;
        for (let length = 0; length < depth; length += 3) y = y.mul(x).div(x).add(0);
        const [g] = gradients(y, [x], { createGraph: true });
        const [second] = gradients(g!, [x]);
        expect(second?.item() ?? 0).toBeCloseTo(0, 6);
      },
      "many terms in one sum": () => {
        const x = tensor(2, { requiresGrad: true });
        stack(Array.from({ length: depth }, () => x.mul(1)))
          .sum()
          .backward();
        expect(x.grad!.item()).toBe(depth);
      },
      "many inputs of one concat": () => {
        const list = Array.from({ length: depth }, () => ones([1], { requiresGrad: true }));
        concat(list).sum().backward();
        expect(list.every((x) => x.grad!.values()[0] === 1)).toBe(true);
      },
      "jvp and vjp": () => {
        const chain = (x: Tensor): Tensor => {
          let y = x;
          for (let i = 0; i < depth; i++) y = y.add(x);
          return y;
        };
        const x = tensor([1]);
        expect(
          vjp(chain, x)
            .pullback(tensor([1]))[0]!
            .item(),
        ).toBe(depth + 1);
        expect(jvp(chain, [x], [tensor([1])]).tangent.item()).toBe(depth + 1);
      },
      "a recurrent model over a long series": () => {
        const model = new GRU(1, 2, { rng: rng(), onStep: (h) => h.mul(0.99) });
        model
          .forward(ones([1, depth, 1]))
          .output.sum()
          .backward();
        expect(model.parameters().every(({ grad }) => grad!.values().every(Number.isFinite))).toBe(true);
      },
      "a model of many stages": () => {
        const model = new Sequential(Array.from({ length: depth }, () => (x: Tensor) => x.mul(1)));
        const x = ones([1], { requiresGrad: true });
        model.forward(x).sum().backward();
        expect(x.grad!.item()).toBe(1);
      },
      "modules in modules": () => {
        let model = new Sequential([new Linear(1, 1, { rng: rng() })]);
        for (let i = 0; i < 100_000; i++) model = new Sequential([model]);
        refusedOrDone(() => model.parameters());
        refusedOrDone(() => model.modules());
      },
      "lists in lists of a tree": () => {
        let tree: Tree = tensor(1);
        for (let i = 0; i < depth; i++) tree = [tree];
        refusedOrDone(() => mapTree(tree, (x) => x));
      },
      "lists in lists that a scope returns": () => {
        let tree: Tree = tensor(1);
        for (let i = 0; i < depth; i++) tree = [tree];
        refusedOrDone(() => scope(() => tree));
      },
      "lists in lists of numbers": () => {
        let list: unknown = 1;
        for (let i = 0; i < depth; i++) list = [list];
        expect(() => tensor(list as never)).toThrow(/E_SHAPE.*nested/);
        const ragged = [1, list];
        expect(() => tensor(ragged as never)).toThrow(/E_SHAPE/);
      },
      "scopes in scopes": () => {
        const nest = (left: number): Tensor =>
          scope(() => (left === 0 ? ones([100]).mul(2) : nest(left - 1).mul(1)));
        expect(nest(500).values()[99]).toBe(2);
      },
    },
  },

  "in-place-after-save": {
    kind: "whatever is changed between the passes, a leaf, a parameter, a list that was handed over: refused, or without effect",
    places: oncePerKernels,
    subjects: {
      ...Object.fromEntries(
        uses.map(({ name, f, inputs }) => [`assign to the operands of ${name}`, () => assigned(f, inputs)]),
      ),
      "every operation with a gradient is among these": () => {
        const plain = new Set<string>(withoutGradient);
        const names = Object.keys(rules).filter((name) => !plain.has(name));
        expect(uses.map(({ name }) => name).sort()).toEqual(names.sort());
      },
      "assign to a reshaped leaf": () => assigned((x) => x!.reshape([4]).square(), [numbers("a", [2, 2])]),
      "assign beside a cast": () =>
        assigned((x) => x!.cast("float32").square().cast("float64"), [numbers("a", [2, 2])]),
      "assign to attention's operands": () =>
        assigned(
          (q, k, v) => attention(q!, k!, v!, { causal: true }),
          ["q", "k", "v"].map((n) => numbers(n, [1, 2, 3, 2])),
        ),
      "assign to losses' operands": () => {
        const xs = [numbers("p", [3, 2]), numbers("t", [3, 2])];
        assigned((a, b) => mseLoss(a!, b!), xs);
        assigned((a, b) => huberLoss(a!, b!), xs);
        assigned((a) => crossEntropy(a!, tensor(Int32Array.of(1, 0, 1))), [xs[0]!]);
      },
      "layer norm": () =>
        assigned(
          (x, w) => {
            const layer = new LayerNorm(3, { dtype: "float64" });
            return layer.forward(x!).mul(w!);
          },
          [numbers("x", [2, 3]), numbers("w", [3])],
        ),
      "parameters of Linear": staleModel(() => new Linear(4, 4, { rng: rng() }), [2, 4]),
      "parameters of LayerNorm": staleModel(() => new LayerNorm(4), [2, 4]),
      "parameters of TransformerBlock": staleModel(
        () => new TransformerBlock(4, { heads: 2, feedForward: 4, rng: rng() }),
        [1, 2, 4],
      ),
      "parameters of GRU": staleModel(gru, [1, 3, 4]),
      "a shape": handedOver((x, shape) => x.reshape(shape), [2, 6]),
      "a shape of expand": handedOver((x, shape) => x.expand(shape), [2, 3, 4]),
      "axes of sum": handedOver((x, axes) => x.square().sum(axes), [0]),
      "axes of permute": handedOver((x, axes) => x.permute(axes).mul([1, 2, 3]), [1, 0]),
      "axes of flip": handedOver((x, axes) => x.flip(axes).mul([1, 2, 3, 4]), [1]),
      "axes of max": handedOver((x, axes) => x.max(axes), [1]),
      "indices of gather": handedOver((x, list) => x.gather(list).square(), [1, 1, 2]),
      "a typed array of indices": () => {
        const x = leafOf("handed over", [3]);
        const list = Int32Array.of(1, 1);
        const y = x.gather(list);
        const index = tensor(Int32Array.of(2, 2));
        const z = x.gather(index);
        list.fill(0);
        index.assign(tensor(Int32Array.of(0, 0)));
        expect([...gradients(y.sum(), [x])[0]!.values()]).toEqual([0, 2, 0]);
        expect([...gradients(z.sum(), [x])[0]!.values()]).toEqual([0, 0, 2]);
      },
      "sizes of split": () => {
        const x = leafOf("handed over", [3]);
        const sizes = [1, 2];
        const parts = x.split(sizes);
        sizes.fill(0);
        expect([...gradients(parts[1]!.sum(), [x])[0]!.values()]).toEqual([0, 1, 1]);
      },
      "widths of pad": () => {
        const x = leafOf("handed over", [2]);
        const widths: [number, number][] = [[1, 0]];
        const y = x.pad(widths);
        widths[0]!.fill(5);
        expect([...gradients(y.mul([9, 1, 2]).sum(), [x])[0]!.values()]).toEqual([1, 2]);
      },
      "ranges of slice": () => {
        const x = leafOf("handed over", [3]);
        const range: [number, number] = [1, 3];
        const y = x.slice([range]);
        range.fill(0);
        expect([...gradients(y.sum(), [x])[0]!.values()]).toEqual([0, 1, 1]);
      },
      "parts of concat": () => {
        const x = leafOf("handed over", [2]);
        const list = [x, x.square()];
        const y = concat(list);
        list.length = 0;
        expect(gradients(y.sum(), [x])[0]!.shape).toEqual([2]);
      },
      "a mask of where": () => {
        const x = leafOf("handed over", [2]);
        const mask = tensor([true, false]);
        const y = x.where(mask, 0);
        mask.assign(tensor([false, true]));
        expect(() => gradients(y.sum(), [x])).toThrow(/E_STALE/);
      },
      "targets of crossEntropy": () => {
        const x = leafOf("logits", [1, 2]);
        const targets = tensor(Int32Array.of(0));
        const right = gradients(crossEntropy(x, targets), [x])[0];
        const loss = crossEntropy(x, targets);
        targets.assign(tensor(Int32Array.of(1)));
        expectSame(gradients(loss, [x])[0], right, 0);
      },
      "a gradient that was taken": () => {
        const x = leafOf("handed over", [2]);
        x.sum().backward();
        const taken = x.grad!;
        x.sum().backward();
        expect([...taken.values()]).toEqual([1, 1]);
        expect([...x.grad!.values()]).toEqual([2, 2]);
      },
      "a state dict that was taken": () => {
        const model = new Linear(2, 2, { rng: rng() });
        const state = model.stateDict();
        const before = [...state.weight!.values()];
        for (const p of model.parameters()) p.grad = ones(p.shape);
        const optimizer = new Adam(model.parameters());
        optimizer.step();
        const saved = optimizer.stateDict();
        const moment = [...saved.slots[0]!.buffers[0]!.values()];
        optimizer.step();
        expect([...state.weight!.values()]).toEqual(before);
        expect([...saved.slots[0]!.buffers[0]!.values()]).toEqual(moment);
      },
    },
  },

  "memory-growth": {
    kind: "whatever is done again and again: objects, buffers and the memory of scopes stay as they are",
    places: once,
    subjects: {
      Adam: trains((xs) => new Adam(xs)),
      AdamW: trains((xs) => new AdamW(xs)),
      SGD: trains((xs) => new SGD(xs, { lr: 1e-3 })),
      "SGD with Nesterov's momentum": trains(
        (xs) => new SGD(xs, { lr: 1e-3, momentum: 0.9, nesterov: true }),
      ),
      ...Object.fromEntries([...builtInIdeas.values()].map((idea) => [idea.name, trainsIdea(idea.name)])),
      "a scope that throws": flat(() => {
        expect(() =>
          scope(() => {
            const x = sixtyFour().mul(2);
            keep(x.add(1));
            throw new Error("on purpose");
          }),
        ).toThrow("on purpose");
      }),
      "a step that throws": () => {
        const x = ones([100], { requiresGrad: true });
        const optimizer = new Adam([x]);
        flat(() => {
          expect(() =>
            optimizer.step(() => {
              x.mul(2).square();
              throw new Error("on purpose");
            }),
          ).toThrow("on purpose");
        })();
        expect(x.grad).toBeUndefined();
      },
      "operations that are refused in a scope": flat(() => {
        expect(() => scope(() => sixtyFour().mul(2).reshape([3]))).toThrow(/E_SHAPE/);
      }),
      "scopes in scopes that keep": flat(() => {
        scope(() => scope(() => keep(sixtyFour().mul(2))).add(1));
      }),
      "gradients with a graph": () => {
        const x = ones([100], { requiresGrad: true });
        flat(() => {
          const [g] = gradients(x.square().sum(), [x], { createGraph: true });
          gradients(g!.square().sum(), [x]);
        })();
      },
      "graphs that are left alone": () => {
        const x = ones([100], { requiresGrad: true });
        flat(() => void x.square().sum())();
      },
      "retained graphs": () => {
        const x = ones([100], { requiresGrad: true });
        flat(() => {
          const y = x.square().sum();
          y.backward({ retainGraph: true });
          y.backward();
          x.grad = undefined;
        })();
      },
      "jvp, vjp and hvp": flat(() => {
        const x = ones([50]);
        jvp((y) => y.square(), [x], [x]);
        vjp((y) => y.square(), x).pullback(x);
        hvp((y) => y.square().square().sum(), [x], [x]);
      }),
      noGrad: () => {
        const x = ones([100], { requiresGrad: true });
        let total = zeros([100]);
        flat(() => (total = noGrad(() => total.add(x))))();
        expect(total.requiresGrad).toBe(false);
      },
      "a running total of losses": () => {
        const x = ones([100], { requiresGrad: true });
        const optimizer = new SGD([x], { lr: 0.01 });
        let total: Tensor = zeros([]);
        flat(() => {
          const loss = optimizer.step(() => x.square().mean());
          total = total.add(loss);
        })();
        expect(total.isLeaf).toBe(true);
      },
      Dropout: () => {
        const drop = new Dropout({ p: 0.5, rng: rng() });
        const x = ones([100], { requiresGrad: true });
        flat(() => {
          drop.forward(x).sum().backward();
          x.grad = undefined;
        })();
      },
      "streams of random numbers": () => {
        const root = rng();
        flat((at) => void root.stream(`step ${at}`).normals(10))();
      },
      "states saved and loaded": () => {
        const model = new Linear(8, 8, { rng: rng() });
        const optimizer = new Adam(model.parameters());
        for (const p of model.parameters()) p.grad = ones(p.shape);
        optimizer.step();
        flat(() => {
          model.loadStateDict(model.stateDict());
          optimizer.loadStateDict(optimizer.stateDict());
        })();
      },
    },
  },
};

/** Returns, or refuses with a code; a stack that overflows is neither. */
function refusedOrDone(call: () => unknown): void {
  try {
    call();
  } catch (error) {
    expect((error as { code?: string }).code, String(error)).toMatch(/^E_(?!INTERNAL)/);
  }
}

/** Training steps through the change that an idea makes to a model. */
function trainsIdea(name: string): (at: Place) => void {
  return () => {
    const idea = builtInIdeas.get(name)!;
    const change = idea.change(idea.options, rng());
    const w = new Linear(64, 64, { rng: rng() });
    const optimizer = new Adam(w.parameters());
    const h = sixtyFour();
    const run = (): Tensor => {
      const y = w.forward(h);
      if (change.hidden) return change.hidden(y).square().mean();
      const parts = y.reshape([4, 2, 8, 4]);
      return change.attention!(parts, parts, parts, { layer: 0 }).square().mean();
    };
    let left = 0;
    const step = (at: number): void => {
      if (at % 2 === 0) optimizer.step(run);
      else {
        run().backward();
        w.zeroGrad();
      }
      left = stackTop();
    };
    expectFlatMemory(step, { steps: 300, slack: 900_000 });
    expect(stackTop()).toBe(left);
    expect(w).toBeInstanceOf(Module);
  };
}
