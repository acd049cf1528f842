import { LlvmError } from "@stowage/llvm";

/** The processor and system that code is written for. */
export interface Target {
  /** LLVM's name of processor and system, such as aarch64-linux-gnu. */
  readonly triple: string;
  /** The processor's features as LLVM writes them: "+avx2,+bmi2". */
  readonly features: string;
}

/** What lowering asks of a target. */
export interface Processor {
  /** The widest register that a move is to use. */
  readonly vectorBytes: number;
  readonly isX86: boolean;
  /** Whether a mask keeps loads of some lanes of a register from touching the rest. */
  readonly masksLanes: boolean;
}

export const featuresOf = ({ features }: Target): ReadonlySet<string> =>
  new Set(
    features
      .split(",")
      .filter((feature) => feature.startsWith("+"))
      .map((feature) => feature.slice(1)),
  );

export const architectureOf = ({ triple }: Pick<Target, "triple">): string => triple.split("-")[0] as string;

export function processorOf(target: Target): Processor {
  const features = featuresOf(target);
  const architecture = architectureOf(target);
  const isX86 = architecture === "x86_64";
  return { isX86, vectorBytes: vectorBytesOf(architecture, features), masksLanes: features.has("avx512vl") };
}

function vectorBytesOf(architecture: string, features: ReadonlySet<string>): number {
  if (architecture === "x86_64") return features.has("avx512f") ? 64 : features.has("avx2") ? 32 : 16;
  // Vector extensions that a processor may lack are used where they are named.
  return architecture === "riscv64" && !features.has("v") ? 8 : 16;
}

/** Throws an LlvmError where features are not written as LLVM reads them. */
export function requireFeatures(features: string): string {
  const wrong = features.split(",").find((feature) => feature !== "" && !/^[+-][a-z0-9._-]+$/.test(feature));
  if (wrong === undefined) return features;
  throw new LlvmError("features", 'names with a sign each, as "+avx2,-bmi"', wrong);
}
