import { requireOptions, requireRecord, type FieldRule, type FieldRules } from "@stowage/ir";
import type { OptimisationLevel } from "@stowage/llvm";

/** Options of the backend. */
export interface LlvmOptions {
  /**
   * The level of passes and code generation, as -O0 to -O3 of a C compiler (the paper's Figure 15). Default: code
   * generation of level 1 after DEFAULT_PASSES alone.
   */
  readonly level?: OptimisationLevel;
  /**
   * Passes of LLVM's new pass manager in place of the level's, as for `opt -passes=`, such as
   * "function(sroa,instcombine)"; "": none.
   */
  readonly passes?: string;
  /** The processor and system that code is written for, as LLVM's triple: aarch64-linux-gnu. Default: the host's. */
  readonly triple?: string;
  /**
   * The processor's features, such as "+avx2,+bmi2". Default: for the host those that moves gain by, for other triples
   * none.
   */
  readonly features?: string;
  /**
   * How `supports` finds out whether there is a libLLVM. "load": it loads the library, once a process, in tens of
   * milliseconds. "look": it looks for the file; a library that then turns out to be broken is an UnsupportedMoveError
   * of `compile`, and a no from then on. Default: "load".
   */
  readonly library?: "load" | "look";
}

/** Loops are unrolled and vectorised as they are written: more passes find nothing (docs/design/llvm.md). */
const DEFAULT_PASSES = "function(early-cse)";
const DEFAULT_LEVEL: OptimisationLevel = 1;

const isAbsentOr = (expected: string, allows: (value: unknown) => boolean): FieldRule => ({
  expected,
  allows: (value) => value === undefined || allows(value),
});
const A_TEXT = isAbsentOr("a text", (value) => typeof value === "string");
const RULES: FieldRules<LlvmOptions> = {
  level: isAbsentOr("0, 1, 2 or 3", (value) => [0, 1, 2, 3].includes(value as number)),
  passes: A_TEXT,
  triple: A_TEXT,
  features: A_TEXT,
  library: isAbsentOr("load or look", (value) => value === "load" || value === "look"),
};
const NAMES = Object.keys(RULES);

/** Throws an ArgumentError where plain JavaScript handed over what are no options. */
export function requireLlvmOptions(options: LlvmOptions): LlvmOptions {
  requireOptions(options, "options of llvm", NAMES);
  return requireRecord(options, "options of llvm", RULES);
}

/** What compiling asks of LLVM. */
export interface Effort {
  readonly level: OptimisationLevel;
  readonly passes: string;
}

export function effortOf({ level, passes }: LlvmOptions): Effort {
  const own = level === undefined ? DEFAULT_PASSES : `default<O${level}>`;
  return { level: level ?? DEFAULT_LEVEL, passes: passes ?? own };
}
