import type { Driver } from "@stowage/cuda-driver";
import type { PlanSpace } from "./kernel/plan-block.js";
import type { DataHints } from "./kernel/variant.js";

/** How threads share the words of an element in moves with tables. */
export interface Sharing {
  /** How many threads share an element: a power of two up to 256. */
  readonly threadsPerElement: number;
  /** How many loads of a word each thread has outstanding. */
  readonly unroll: number;
  /** How many elements' entries the threads read at once. */
  readonly elementsAtOnce: number;
}

/** The shape of kernels. The defaults are what was fastest on an H200 (docs/design/gpu-generic.md). */
export interface Tuning {
  /** The widest word that a thread moves, in bytes. */
  readonly maxWordBytes: 1 | 2 | 4 | 8 | 16;
  /** Whether runs of odd lengths and places move in chunks of 16 bytes; false: in words, however narrow. */
  readonly chunks: boolean;
  /** How many words a thread moves at a time; fewer where there is little to move. "fitting": by the layout. */
  readonly unroll: number | "fitting";
  /** How many threads a block has. "fitting": more where there are several transfers. */
  readonly threads: number | "fitting";
  /** Whether searches start from a coarse table. */
  readonly coarseSearch: boolean;
  /**
   * The memory that kernels read the fixed-length parameters from; where they do not fit there, it is device memory.
   * "fitting": shared memory, but the kernel's own parameters where one transfer is packed by thousands of blocks.
   */
  readonly planSpace: PlanSpace | "fitting";
  /** The mean bytes of the members of an outermost struct from which these move as transfers of their own. */
  readonly partBytes: number;
  /**
   * "generic": one kernel for all datatypes. "specialised": a kernel with the layouts built in, compiled when a plan is
   * bound.
   */
  readonly tier: "generic" | "specialised";
  /** How threads share the words of an element in moves with tables. "fitting": by the element's length. */
  readonly sharing: Sharing | "fitting";
  /**
   * How data treats the caches. "fitting" stores: short streams leave L2 first, and what was read stays. "fitting"
   * loads, of moves with tables: elements that fill no whole lines leave it first, and what was written stays.
   */
  readonly hints: Pick<DataHints, "bypassL1"> & {
    readonly storeOperator: DataHints["storeOperator"] | "fitting";
    readonly loadOperator: "ca" | "cs" | "fitting";
  };
}

/** The tuning where nothing else is asked. */
export const DEFAULT_TUNING: Tuning = Object.freeze<Tuning>({
  maxWordBytes: 16,
  chunks: true,
  unroll: "fitting",
  threads: "fitting",
  coarseSearch: true,
  planSpace: "fitting",
  partBytes: 8192,
  tier: "generic",
  sharing: "fitting",
  hints: { bypassL1: false, storeOperator: "fitting", loadOperator: "fitting" },
});

/**
 * The tuning of the kernel of Jenkins et al. (2014) as they describe it, except that it divides by multiplying: a
 * primitive of `primitiveBytes` bytes a thread, whole lists searched, fixed-length parameters in shared memory. For
 * measuring what came since.
 */
export const paperTuning = (primitiveBytes: Tuning["maxWordBytes"]): Tuning =>
  Object.freeze<Tuning>({
    ...DEFAULT_TUNING,
    maxWordBytes: primitiveBytes,
    chunks: false,
    unroll: 1,
    coarseSearch: false,
    planSpace: "shared",
    hints: { bypassL1: false, storeOperator: "wb", loadOperator: "ca" },
    partBytes: Infinity,
  });

/** Options of the backend. */
export interface CudaGenericOptions {
  /**
   * The driver to use, simulated or real, or a function that opens it when it is first needed. Default: this machine's.
   */
  readonly driver?: Driver | (() => Driver);
  /** The shape of kernels, in what differs from DEFAULT_TUNING. */
  readonly tuning?: Partial<Tuning>;
  /** The backend's name, where an engine has it several times, in several tunings. Default: "cuda-generic". */
  readonly name?: string;
}
