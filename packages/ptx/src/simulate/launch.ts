import type { Kernel } from "../ir/kernel.js";
import type { Counters } from "./counters.js";
import type { SimulatedMemory } from "./memory.js";

/** Blocks of a grid, or threads of a block, in each dimension. */
export type Dimensions = readonly [x: number, y: number, z: number];

/** One launch, as the driver's cuLaunchKernel takes it. */
export interface Launch {
  readonly grid: Dimensions;
  readonly block: Dimensions;
  /** The parameter buffer: see encodeParameters. */
  readonly parameters: Uint8Array;
  /** Says whether the device has access to the allocation at an address. Default: to all. */
  readonly reaches?: (address: bigint) => boolean;
}

/** A kernel made executable on simulated devices. */
export interface Translation {
  readonly kernel: Kernel;
  /** Runs a launch to its end. Throws a SimulationError on any fault; blocks before the faulting one have run. */
  launch(memory: SimulatedMemory, launch: Launch): Counters;
}

/** One access of a warp to global memory. */
export interface WarpAccess {
  /** Whether it is a store. */
  readonly writes: boolean;
  /** Bytes that each lane asks for. */
  readonly laneBytes: number;
  /** The lanes that took part, 0 to 31, ascending. */
  readonly lanes: readonly number[];
  /** The address of each of these lanes' bytes. */
  readonly addresses: readonly number[];
}

/** What a translation watches besides. */
export interface TranslateOptions {
  /** Whether sectors and lines of every access are counted (slower). Default: false; instructions always are. */
  readonly countAccesses?: boolean;
  /**
   * Is called with each warp's access to global memory, in the order of the launch; needs countAccesses (much slower).
   */
  readonly onAccess?: (access: WarpAccess) => void;
  /** Whether two warps that touch a shared byte without a barrier between, one writing, are a fault. Default: false. */
  readonly checkRaces?: boolean;
}
