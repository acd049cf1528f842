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
  /**
   * What `supports` does to know whether there is a libLLVM. "load": loads it, once a process, in tens of milliseconds.
   * "look": looks for its file; a library that then turns out to be broken is an UnsupportedMoveError of `compile`, and a
   * no from then on. Default: "load".
   */
  readonly library?: "load" | "look";
}

export const DEFAULT_LEVEL: OptimisationLevel = 2;
