import type { Behaviour } from "./behaviour.js";
import type { Geometry } from "./geometry.js";
import type { Processor } from "./processor.js";

/** One processor, or a family of them: data that rules derive thresholds from (`thresholds.ts`). A file each. */
export interface Target {
  readonly name: string;
  readonly describes: (processor: Processor) => boolean;
  /** The family's geometry; where cpuid says more of a machine, that stands (`refined`). */
  readonly geometry: Geometry;
  /** Entries of the reorder buffer: instructions that wait at once for those before them. */
  readonly reorderBufferEntries: number;
  /** Misses of L1d that may be outstanding: `npx lab run outstanding-misses` measures them. */
  readonly fillBuffers: number;
  /** Least stride that the hardware prefetchers follow no longer, where several instructions share it. */
  readonly unfollowedStrideBytes: number;
  /** What was measured of alternatives; what is absent nobody measured. */
  readonly behaviour: Partial<Behaviour>;
}
