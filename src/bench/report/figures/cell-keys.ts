import { cellKey } from "../../cells/key.js";
import type { CellSpec, IdeaReference, TrainSpec } from "../../cells/spec.js";
import type { IdeaOptions, Json } from "../../../ideas/index.js";
import type { PluginOrigin } from "../../record.js";
import type { BenchReportV2, CellFigures } from "../document-v2.js";

/**
 * The key that each cell of a report must have: the hash of its specification as the report tells it, and of the code that computed
 * it. undefined for a report that does not name the users' files behind it or its code, as earlier ones do not: then the
 * specification is not all there.
 */
export function cellKeys(bench: BenchReportV2): readonly string[] | undefined {
  const { fingerprint, plugins } = bench.provenance as {
    readonly fingerprint?: Json;
    readonly plugins?: readonly PluginOrigin[];
  };
  if (typeof fingerprint !== "string" || !Array.isArray(plugins)) return undefined;
  const evaluated = new Set(
    (bench.controls?.arms ?? [])
      .filter(({ kind }) => kind === "evaluated")
      .map(({ name }) => `control:${name}`),
  );
  return bench.cells.map((cell) => cellKey(specOf(bench, cell, plugins, evaluated), fingerprint));
}

function specOf(
  bench: BenchReportV2,
  cell: CellFigures,
  plugins: readonly PluginOrigin[],
  evaluated: ReadonlySet<string>,
): CellSpec {
  if (!evaluated.has(cell.arm)) return trainSpec(bench, cell, plugins);
  return {
    kind: "evaluate",
    trained: trainSpec(bench, { ...cell, arm: "idea" }, plugins),
    control: cell.arm.slice("control:".length),
  };
}

function trainSpec(bench: BenchReportV2, cell: CellFigures, plugins: readonly PluginOrigin[]): TrainSpec {
  const { protocol } = bench;
  const part = cell.evaluated ?? "test";
  const idOf = (kind: string, name: string): string => {
    const hash = hashOf(plugins, `${kind} ${name}`);
    return hash === undefined ? name : `${name}@${hash}`;
  };
  return {
    kind: "train",
    track: idOf("track", bench.track),
    model: idOf("model", bench.model),
    arm: cell.arm,
    cfg: cell.cfg as TrainSpec["cfg"],
    seed: Number(cell.seed),
    trainSize: protocol.n_train,
    validationSize: part === "validation" ? (protocol.n_validation ?? 0) : 0,
    testSize: part === "test" ? protocol.n_test : 0,
    evaluate: part,
    epochs: protocol.epochs,
    batchSize: protocol.batch_size,
    optimizer: protocol.optimizer as TrainSpec["optimizer"],
    idea: cell.arm === "baseline" ? null : referenceOf(bench, cell, plugins),
  };
}

function referenceOf(
  { subject }: BenchReportV2,
  { arm, cfg }: CellFigures,
  plugins: readonly PluginOrigin[],
): IdeaReference {
  const own = Object.entries(cfg).filter(([name]) => Object.hasOwn(subject.options, name));
  const options = { ...subject.options, ...Object.fromEntries(own) } as IdeaOptions;
  const hash = hashOf(plugins, `idea ${subject.name}`);
  return {
    name: subject.name,
    options,
    ...(arm === "idea" ? {} : { control: arm.slice("control:".length) }),
    ...(hash === undefined ? {} : { file: { path: "", hash } }),
  };
}

function hashOf(plugins: readonly PluginOrigin[], brought: string): string | undefined {
  return plugins.find(({ brings }) => Array.isArray(brings) && brings.includes(brought))?.sha256;
}
