import type { OptimisationLevel } from "@stowage/llvm";

export interface LlvmOptions {
  /** Of passes and code generation, as -O0 to -O3 of a C compiler (the paper's Figure 15). Default: 2. */
  readonly level?: OptimisationLevel;
  /** Passes of LLVM's new pass manager instead of the level's, such as "function(sroa,instcombine)"; empty: none. */
  readonly passes?: string;
  /** Write code for this triple, such as aarch64-linux-gnu. Default: the host's. */
  readonly triple?: string;
  /** The processor's features, such as "+avx2,+bmi2". Default: of the host what moves gain by, of others none. */
  readonly features?: string;
}

export const DEFAULT_LEVEL: OptimisationLevel = 2;
