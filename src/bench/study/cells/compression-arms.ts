import { defaultSettings, storedNumbers, type Settings } from "../../../ideas/moment-rank2/index.js";
import type { IdeaReference } from "../../cells/spec.js";

/** A compression of the hidden state, or what stands in its place, that the study trains at each rank. */
export interface CompressionArm {
  readonly title: string;
  /** The highest rank at which it is smaller than the state that it compresses. */
  readonly most: number;
  /** What of the idea's options makes it at a rank; none for the baseline. */
  readonly options?: (rank: number) => Partial<Settings>;
  /** The control of the idea that it is, where it is one. */
  readonly control?: string;
  /** Whether it truncates a spectrum. */
  readonly truncates: boolean;
}

const matrix = (rank: number): Partial<Settings> => ({ rank });

/** The arms by name. A tensor of 2⁶ points has leaves of rank 2 at most, and its rank is that of the nodes above them. */
export const compressionArms = {
  baseline: { title: "GRU, no compression", most: 1, truncates: false },
  "form-B": { title: "form B, 8×8", most: 8, options: matrix, truncates: true },
  "form-A": {
    title: "form A, 8×8",
    most: 8,
    options: (rank) => ({ rank, form: "A" }),
    truncates: true,
  },
  truncation: {
    title: "T_r alone, 8×8",
    most: 8,
    options: matrix,
    control: "truncation-alone",
    truncates: true,
  },
  "tensor-4x4x4": {
    title: "hierarchical, 4×4×4",
    most: 3,
    options: (rank) => ({ grid: "4x4x4", rank, transferRank: rank }),
    truncates: true,
  },
  "tensor-2x2x2x2x2x2": {
    title: "hierarchical, 2⁶",
    most: 7,
    options: (rank) => ({ grid: "2x2x2x2x2x2", rank: Math.min(rank, 2), transferRank: rank }),
    truncates: true,
  },
  power: {
    title: "power moments, 8×8",
    most: 8,
    options: (rank) => ({ rank, moments: "power" }),
    truncates: true,
  },
  bottleneck: {
    title: "learned bottleneck",
    most: 3,
    options: matrix,
    control: "bottleneck",
    truncates: false,
  },
  "smaller-gru": { title: "smaller GRU", most: 3, options: matrix, control: "smaller-gru", truncates: false },
} as const satisfies Readonly<Record<string, CompressionArm>>;

/** The name of an arm. */
export type CompressionArmName = keyof typeof compressionArms;

/** An arm by its name. */
export function armOf(name: CompressionArmName): CompressionArm {
  return compressionArms[name];
}

/** The settings of moment-rank2 that an arm has at a rank; undefined for the baseline. */
export function settingsOf(name: CompressionArmName, rank: number): Settings | undefined {
  const { options } = armOf(name);
  return options && { ...defaultSettings, ...options(rank) };
}

/** The idea, or its control, of an arm at a rank; null for the baseline. */
export function referenceOf(name: CompressionArmName, rank: number): IdeaReference | null {
  const settings = settingsOf(name, rank);
  if (!settings) return null;
  const { control } = armOf(name);
  return { name: "moment-rank2", options: { ...settings }, ...(control !== undefined && { control }) };
}

/** Numbers that describe the state of an arm at a rank; those of the truncation alone without the moments. */
export function armNumbers(name: CompressionArmName, rank: number): number {
  const settings = settingsOf(name, rank);
  if (!settings) return 64;
  return storedNumbers(settings, { moments: name !== "truncation" });
}
