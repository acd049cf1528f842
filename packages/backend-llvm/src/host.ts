import { readFileSync } from "node:fs";
import { architectureOf, featuresOf, type Target } from "./target.js";

/** LLVM's names of processors that Node runs on, and e_machine of their object files. */
const ARCHITECTURES: Readonly<Record<string, { readonly llvm: string; readonly machine: number }>> = {
  x64: { llvm: "x86_64", machine: 62 },
  arm64: { llvm: "aarch64", machine: 183 },
  riscv64: { llvm: "riscv64", machine: 243 },
};

/** LLVM's names that Linux spells otherwise. */
const KERNEL_NAMES: Readonly<Record<string, string>> = {
  "sse4.1": "sse4_1",
  "sse4.2": "sse4_2",
  bmi: "bmi1",
  neon: "asimd",
};

/** What moves of bytes gain by, in LLVM's names; AVX-512 in whole or not at all. */
const X86_FEATURES = ["ssse3", "sse4.1", "sse4.2", "avx", "avx2", "bmi", "bmi2"];
const AVX512_FEATURES = ["avx512f", "avx512bw", "avx512dq", "avx512vl"];
const PERMUTATIONS = "avx512vbmi";
/** Tuning, which no processor reports: one permutation of bytes is better than several shuffles. */
const AVX512_TUNING = ["+fast-variable-crosslane-shuffle", "+fast-variable-perlane-shuffle"];
const isTuning = (feature: string): boolean => feature.startsWith("fast-") || feature.startsWith("prefer-");

/** What RISC-V's Linux processors have in common. */
const RISCV_FEATURES = "+m,+a,+f,+d,+c";

export type TargetOrReason = { readonly target: Target } | { readonly reason: string };

let found: TargetOrReason | undefined;

/** What code is to be written for that runs here, or why none does; found once. */
export const hostTarget = (): TargetOrReason => (found ??= probe());

function probe(): TargetOrReason {
  if (process.platform !== "linux") return { reason: `it runs code on Linux, this system is ${process.platform}` };
  const known = ARCHITECTURES[process.arch];
  if (known === undefined)
    return { reason: `it runs code on ${Object.keys(ARCHITECTURES).join(", ")}, this processor is ${process.arch}` };
  return { target: { triple: `${known.llvm}-unknown-linux-gnu`, features: featuresHere(known.llvm) } };
}

function featuresHere(architecture: string): string {
  if (architecture === "riscv64") return RISCV_FEATURES;
  if (architecture !== "x86_64") return "";
  const flags = flagsHere();
  const has = (feature: string): boolean => flags.has(KERNEL_NAMES[feature] ?? feature);
  const general = X86_FEATURES.filter(has);
  if (!AVX512_FEATURES.every(has)) return general.map(plus).join(",");
  const wide = [...AVX512_FEATURES, ...[PERMUTATIONS].filter(has)];
  return [...[...general, ...wide].map(plus), ...AVX512_TUNING].join(",");
}

const plus = (feature: string): string => `+${feature}`;

let flags: ReadonlySet<string> | undefined;

/** What Linux says the processor has. */
function flagsHere(): ReadonlySet<string> {
  if (flags !== undefined) return flags;
  const line = /^(?:flags|Features)\s*:(.*)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"));
  return (flags = new Set(line?.[1]?.split(" ")));
}

/** Why code for a target does not run here; undefined where it does. */
export function reasonAgainstRunning(target: Target): string | undefined {
  const host = hostTarget();
  if (!("target" in host)) return host.reason;
  const [here, there] = [architectureOf(host.target), architectureOf(target)];
  if (here !== there) return `its code is for ${there}, this processor is ${here}`;
  const own = featuresOf(host.target);
  const missing = [...featuresOf(target)].find(
    (feature) => !own.has(feature) && !isTuning(feature) && !flagsHere().has(KERNEL_NAMES[feature] ?? feature),
  );
  return missing === undefined ? undefined : `its code needs ${missing}, which this processor has not`;
}

/** e_machine of object files that run here. */
export const machineHere = (): number | undefined => ARCHITECTURES[process.arch]?.machine;
