import type { Behaviour } from "./behaviour.js";
import type { Geometry } from "./geometry.js";
import type { Processor } from "./processor.js";

/** The description of one processor, or of a family: data that thresholds are derived from. */
export interface Target {
  /** The microarchitecture's name. */
  readonly name: string;
  /** Whether the description is of a processor. */
  readonly describes: (processor: Processor) => boolean;
  /** The family's geometry; where cpuid says more of a machine, that stands. */
  readonly geometry: Geometry;
  /** How many entries the reorder buffer has: instructions that wait at once for those before them. */
  readonly reorderBufferEntries: number;
  /** How many misses of L1d may be outstanding; `npx lab run outstanding-misses` measures them. */
  readonly fillBuffers: number;
  /** The least stride in bytes that the hardware prefetchers no longer follow, where several instructions share it. */
  readonly unfollowedStrideBytes: number;
  /** The measured behaviour. A field that is absent, nobody measured. */
  readonly behaviour: Partial<Behaviour>;
}
