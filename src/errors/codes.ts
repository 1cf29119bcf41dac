/** What `gradstand explain CODE` prints. */
export interface Explanation {
  /** One line: what went wrong. */
  readonly title: string;
  /** Why it is an error, and what to do about it. */
  readonly explanation: string;
}

/** Every error code of the package with its long explanation. */
export const errorCodes = {
  E_SHAPE: {
    title: "the shapes do not fit the operation",
    explanation:
      "Shapes follow NumPy: two shapes broadcast when, aligned at the right, each pair of sizes is equal or " +
      "one of them is 1. The message names the operation, the shapes and the rule that was broken. Reshape, " +
      "transpose or unsqueeze the operand so that the rule holds.",
  },
  E_DTYPE: {
    title: "the element type does not fit the operation",
    explanation:
      "Tensors are float32 (the default), float64, int32 or bool. Indices must be int32, masks bool, and only " +
      "floating tensors have gradients. Convert with cast(x, dtype).",
  },
  E_AXIS: {
    title: "an axis is outside the tensor's rank, or named twice",
    explanation: "Axes count from 0, or from the end with negative numbers: -1 is the last axis.",
  },
  E_INDEX: {
    title: "an index is outside its axis",
    explanation:
      "Indices run from 0 to size - 1; negative ones count from the end where the operation says so.",
  },
  E_VALUE: {
    title: "a value is outside the set that the operation accepts",
    explanation: "The message names the value, what is accepted, and where it came from.",
  },
  E_EINSUM: {
    title: "the einsum subscripts cannot be read or do not fit the operands",
    explanation:
      "Write one group of letters per operand, separated by commas, then -> and the output letters: 'bij,bjk->bik'. " +
      "A letter has one size everywhere; each output letter must occur in an input.",
  },
  E_NO_GRAD: {
    title: "a gradient was asked for where none is recorded",
    explanation:
      "backward() and gradients() need a floating value that depends on a tensor with requiresGrad. Operations inside " +
      "noGrad(), results of detach() and of operations without a gradient (comparisons, argmax) are not recorded.",
  },
  E_GRAPH_FREED: {
    title: "the recorded graph was already used and freed",
    explanation:
      "A backward pass frees what it recorded. Pass { retainGraph: true } to the first pass when a second one over the " +
      "same graph is wanted.",
  },
  E_SCOPE: {
    title: "the tensor was made in a scope that has ended",
    explanation:
      "scope(f) takes back the memory of what operations inside f computed when f ends. What f returns is kept, and so are " +
      "gradients, values assigned to leaves, and what was given to keep(x) inside; any other large result that left the scope, " +
      "through a variable outside or a cache, cannot be read, and what was recorded inside cannot be differentiated.",
  },
  E_STALE: {
    title: "a value that the backward pass needs was changed after it was recorded",
    explanation:
      "assign() and optimizers advance a tensor's version. A backward pass over values recorded before the change would " +
      "give a wrong gradient, so it is refused. Run backward() before the update, or run the forward pass again.",
  },
  E_SECOND_ORDER: {
    title: "this operation has no second derivative here",
    explanation:
      "The derivative of a truncated SVD, or of pivoted kernel attention, cannot be differentiated soundly in its input: the " +
      "singular vectors that are kept and the pivots that were drawn are held fixed. First-order gradients and derivatives in " +
      "the cotangent work.",
  },
  E_NUMERIC: {
    title: "the numbers do not allow the operation",
    explanation:
      "For example a Cholesky factorisation of a matrix that is not positive definite: the message names the matrix and the " +
      "pivot. Add a small ridge to the diagonal, or look for the non-finite or dependent entries that made it so.",
  },
  E_GRADCHECK: {
    title: "a gradient rule disagrees with finite differences",
    explanation:
      "The message names the input, the element, the gradient of the rule and that of the differences.",
  },
  E_LAW: {
    title: "a law that a function or a layer must keep does not hold",
    explanation:
      "A law of the test kit (correct gradients, adjoint derivatives, causality, …) was checked and found broken. The message names " +
      "the law, the element, what was expected and what was found.",
  },
  E_GRADCHECK_FILE: {
    title: "the file to be checked cannot be used",
    explanation:
      "`gradstand gradcheck FILE` imports a TypeScript or JavaScript file and checks what it exports: functions with a property " +
      "signature or inputs, records { name, f, signature or inputs }, and ideas. The message names what is wrong, with the line " +
      "where there is one. `gradstand gradcheck --help` shows the format.",
  },
  E_INSPECT_FILE: {
    title: "the file to be inspected cannot be used",
    explanation:
      "`gradstand inspect FILE` imports a TypeScript or JavaScript file and records a computation that it exports: a function without " +
      "parameters that returns a tensor, or a function or module with a property signature or inputs. The message names what is " +
      "wrong, with the line where there is one. `gradstand inspect --help` shows the format.",
  },
  E_REPLAY: {
    title: "the recorded computation cannot be carried out again",
    explanation:
      "A document of `inspect` can be computed again with other values of its leaves when it was recorded with { replayable: true }, " +
      "or `gradstand inspect --html`: leaves, constants and settings are then kept whole, up to a number of bytes that " +
      "`replayable` sets. Operations made with defineOp are code, which no document holds: give them as { operations: { name } }. The " +
      "message says what is missing.",
  },
  E_STATE_DICT: {
    title: "a state dict does not fit the module",
    explanation: "The message lists missing, unexpected and wrongly shaped entries. Nothing was loaded.",
  },
  E_SAFETENSORS: {
    title: "the bytes are no safetensors file that can be read, or the tensors cannot be written as one",
    explanation:
      "A safetensors file is a header that gives each tensor's type, shape and place, and the elements after it without a gap. The " +
      "message says where the file departs from that. Element types are F32, F64, I32 and BOOL; convert others before.",
  },
  E_IDENTITY: {
    title: "an identity that the idea promises does not hold",
    explanation:
      "Each idea states its mathematics as identities that are checked on random inputs before any training. One of " +
      "them failed, so nothing was trained.",
  },
  E_IDEA: {
    title: "the idea is unknown or not well formed",
    explanation: "`gradstand bench list` shows the ideas. The message names the nearest one.",
  },
  E_PLUGIN_FILE: {
    title: "the file of an idea, track or model of your own cannot be used",
    explanation:
      "`gradstand bench run ./my-idea.ts` imports a TypeScript or JavaScript file without a build step. Its default export is an " +
      "idea, a track, a model, or a list of these. The message says what is wrong, with the line where there is one: no such file, " +
      "a syntax error, an import that throws or never ends, no default export, or a file that was changed while a run used it.",
  },
  E_PLUGIN: {
    title: "an idea, track or model of your own does not do what its interface asks",
    explanation:
      "The message names the function, what was expected of it and what it did: it threw (with your line), gave a value of another " +
      "kind or shape, or NaN. docs/ideas.md describes the interface; `gradstand gradcheck FILE` checks gradients and identities.",
  },
  E_IMPURE: {
    title: "an idea, track or model of your own depends on, or changes, something outside of its arguments",
    explanation:
      "A cell is a pure function of its specification: that makes runs paired, stored, resumable and repeatable. So a plug-in draws " +
      "from the generator that it is given and from nothing else, keeps no state between calls, and writes to nothing that it was " +
      "given: not its options, not a model's parameters, not the tensors of a trained model, not the data of a track.",
  },
  E_TRACK: {
    title: "the track or model is unknown, or the two do not fit",
    explanation: "`gradstand bench list` shows tracks and models with the kind of input they take.",
  },
  E_PLAN: {
    title: "the plan cannot give an answer",
    explanation:
      "With n pairs the smallest p-value of a two-sided sign-flip test is 2/2^n: five pairs or fewer can never reach " +
      "0.05. Ask for at least six seeds, or use the preset 'quick' for a smoke run without a verdict.",
  },
  E_REPORT: {
    title: "the report cannot be read, or does not hold",
    explanation:
      "The file is not JSON, or lacks keys that a bench report has, or a figure in it has the wrong type. The message " +
      "names the first such place as a path, such as bench_report.baseline.full.per_seed[6].",
  },
  E_UNLIKE: {
    title: "the two runs are not alike, so their figures do not compare",
    explanation:
      "Runs compare when they have the same track, model, metric, protocol, way of choosing the configuration and code. The " +
      "message lists every setting that differs, or that one report only has. Run one of the two again with the settings and the " +
      "version of the other; the idea, its options and the number of seeds may differ.",
  },
  E_STORE: {
    title: "the store of cells cannot be used",
    explanation: "The message names the file and what the system said. Finished cells are kept.",
  },
  E_CELL: {
    title: "a cell failed",
    explanation:
      "A cell is one training run. The message names its arm, configuration and seed, and what happened.",
  },
  E_CRASH: {
    title: "the worker of a cell died, or had no memory left",
    explanation:
      "The worker that computed the cell ended twice before it answered, or the cell held more memory than --memory allows. What a cell " +
      "computes cannot be at fault for certain, so nothing of it is stored: the run goes on, its report names the cell and gives no " +
      "verdict, and `gradstand bench resume FOLDER` tries it again. A run of which nothing at all ends is stopped.",
  },
  E_TIMEOUT: {
    title: "a cell took longer than it may",
    explanation:
      "--timeout sets how many seconds one cell may take. Its worker is stopped and nothing of the cell is stored. The run goes on: its " +
      "report names the cell and gives no verdict, and `gradstand bench resume FOLDER --timeout SECONDS` tries it again. A run of which " +
      "nothing at all ends is stopped. If the cell is only slow, give it more time; if it never ends, the idea, track or model loops.",
  },
  E_SLURM: {
    title: "Slurm did not take a job, or does not answer",
    explanation:
      "--executor slurm hands cells in through sbatch and asks squeue about them. The message has what Slurm said: there is no sbatch on the " +
      "PATH, it refused the job (a partition, account or limit that your cluster asks for goes into --sbatch), squeue failed for long, or a " +
      "job stands in the queue and would for ever: it is held, or asks for what it cannot get; such a job is cancelled. " +
      "A resumed run finds the answers of jobs that ended.",
  },
  E_REDIS: {
    title: "the queue of cells on Redis cannot be used",
    explanation:
      "--executor bullmq hands cells to `gradstand bench worker` through a queue on a Redis, for which the packages bullmq and ioredis are " +
      "installed beside gradstand: npm install bullmq ioredis. The message has what is wrong: a package is missing, there is no Redis at the URL, it " +
      "asks for a password (REDIS_URL=redis://:PASSWORD@HOST:PORT), it refused a command, or it was away for long. Workers finish what they have, and a resumed run finds their answers.",
  },
  E_NONDETERMINISM: {
    title: "the same cell gave two different results",
    explanation:
      "A cell is a pure function of its specification. Two results that differ in one bit mean that something outside " +
      "the specification took part: shared state, the clock, or another source of random numbers.",
  },
  E_OUTPUT: {
    title: "a result cannot be written",
    explanation: "The message names the path and what the system said. Nothing is left half written.",
  },
  E_USAGE: {
    title: "the command line cannot be understood",
    explanation: "The message names the mistyped word and the nearest right one. --help shows the commands.",
  },
  E_KERNELS: {
    title: "the kernel set is unknown or not available",
    explanation: "GRADSTAND_KERNELS names the set of kernels to use; `gradstand doctor` shows which exist.",
  },
  E_INTERRUPTED: {
    title: "the run was interrupted",
    explanation: "Finished cells are stored. The same command goes on where the run stopped.",
  },
  E_INTERNAL: {
    title: "a promise inside the package was broken",
    explanation: "This is a fault of gradstand, not of its user. Please report it with the message.",
  },
} as const satisfies Record<string, Explanation>;

/** The stable code of an error. */
export type ErrorCode = keyof typeof errorCodes;

/** Whether a word is an error code. */
export function isErrorCode(word: string): word is ErrorCode {
  return Object.hasOwn(errorCodes, word);
}
