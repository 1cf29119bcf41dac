import type { StudyFigures, StudyPoint, StudyValue, TrainSpec } from "../cells/spec.js";
import type { StoredWeights } from "../cells/result.js";

/** The values of each axis of a study, by the name of the axis; its order is the order of the cells. */
export type StudyGrid = Readonly<Record<string, readonly StudyValue[]>>;

/** A model that the study's cells look at. */
export interface StudiedModel {
  readonly spec: TrainSpec;
  readonly weights: StoredWeights;
}

/** A finished cell of a study. */
export interface StudyCell<Point = StudyPoint, Figures = StudyFigures> {
  readonly point: Point;
  readonly figures: Figures;
}

/** A table: the first column names its rows. A number is shown with four significant digits. */
export interface StudyTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** An axis of a plot. */
export interface StudyAxis {
  /** What is shown, with its unit. */
  readonly title: string;
  readonly logarithmic?: boolean;
}

/** A line of a plot, through its points in this order. */
export interface StudySeries {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A plot of lines. */
export interface StudyPlot {
  /** A name that no other plot of the study has, of lower-case letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** What is to be seen, for those who do not see it. */
  readonly description: string;
  readonly x: StudyAxis;
  readonly y: StudyAxis;
  readonly series: readonly StudySeries[];
}

/** What a study says in the end. */
export interface StudyPresentation {
  readonly tables: readonly StudyTable[];
  readonly plots: readonly StudyPlot[];
  /** What was found, in sentences with their numbers: the negative findings first. */
  readonly findings: readonly string[];
}

/**
 * A study: a question with a declared grid of cells, each a function of its point (and of the models that it names) alone,
 * and what the cells say together. Its cells are computed once and stored beside those of `bench run`.
 */
export interface Study<Point extends StudyPoint = StudyPoint, Figures extends StudyFigures = StudyFigures> {
  /** The name on the command line. */
  readonly name: string;
  readonly title: string;
  /** What it answers, in a sentence. */
  readonly question: string;
  /** The values that are tried where no others are asked for. All values of an axis are numbers, or all are words. */
  readonly grid: StudyGrid;
  /**
   * The points of a grid; by default every combination. For studies whose axes do not all go together.
   *
   * @throws E_PLAN for a value that the study cannot use
   */
  points?(grid: StudyGrid): readonly Point[];
  /** The training cells whose models a cell looks at; none by default. They are trained first, each once, and stored. */
  models?(point: Point): readonly TrainSpec[];
  /**
   * Whether the figures of a cell are times or peak memory: it then runs in a fresh process with nothing beside it, its key
   * holds the machine, and its stored figures stand although another measurement would differ. Never by default.
   */
  measures?(point: Point): boolean;
  /** Bytes that a cell needs at least; one that needs more than is free is left out and named. Nothing by default. */
  room?(point: Point): number;
  /** Computes one cell from its point and its models, in the order of `models`. Throws for a point that makes no sense. */
  cell(point: Point, models: readonly StudiedModel[]): Figures;
  /** What the cells say together; some points of the grid may be missing. */
  present(cells: readonly StudyCell<Point, Figures>[]): StudyPresentation;
}
