import type { Kernel } from "../ir/kernel.js";
import type { Counters } from "./counters.js";
import type { SimulatedMemory } from "./memory.js";

export type Dimensions = readonly [x: number, y: number, z: number];

/** One launch, as the driver's cuLaunchKernel takes it. */
export interface Launch {
  readonly grid: Dimensions;
  readonly block: Dimensions;
  /** The parameter buffer: see encodeParameters. */
  readonly parameters: Uint8Array;
  /** Whether the device has access to the allocation at an address; absent: to all. */
  readonly reaches?: (address: bigint) => boolean;
}

/** A kernel made executable on simulated devices. */
export interface Translation {
  readonly kernel: Kernel;
  /** Runs to its end. Throws a SimulationError on any fault; blocks before the faulting one have run. */
  launch(memory: SimulatedMemory, launch: Launch): Counters;
}

/** One access of a warp to global memory. */
export interface WarpAccess {
  readonly writes: boolean;
  /** Bytes that each lane asks for. */
  readonly laneBytes: number;
  /** The lanes that took part, ascending, and the address of each. */
  readonly lanes: readonly number[];
  readonly addresses: readonly number[];
}

export interface TranslateOptions {
  /** Count sectors and lines of every access (slower); threadInstructions are always counted. */
  readonly countAccesses?: boolean;
  /** Is told of each warp's access to global memory, in the order of the launch; needs countAccesses (much slower). */
  readonly onAccess?: (access: WarpAccess) => void;
  /** Fault where two warps touch a shared byte without a barrier between, one of them writing (slower). */
  readonly checkRaces?: boolean;
}
