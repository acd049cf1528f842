import { requireProfile, type Profile } from "@stowage/backend-api";

/**
 * What routes know of a machine; measured on an H200 (docs/design/routes.md). A profile's figures of "routes" replace
 * them.
 */
export const FIGURES = {
  /** One copy over the bus, from the call to its end, beside its bytes. */
  copyNs: 1800,
  /** The bulk way: a run of it without its bytes, and one more section of the same batch. */
  bulkNs: 36_000,
  sectionNs: 330,
  /** What packing from a mirror takes that no cache has, of what the packer says and of the bus. */
  mirrorFactor: 2.2,
  /** Bandwidth of pinned memory over the bus, in each direction. */
  busBytesPerNs: 53,
  /** A copy by one processor between pinned and pageable memory. */
  hostCopyBytesPerNs: 9,
  /** Until a stream goes on behind an event of another. */
  handoverNs: 1500,
  /** Chunks of a pipeline: the first, and the largest. */
  leastChunkBytes: 2 ** 20,
  mostChunkBytes: 2 ** 24,
  /** Multiprocessors that carry the bus: blocks that write to the host, and that read from it. */
  blocksToHost: 4,
  blocksFromHost: 8,
};

export type Figures = typeof FIGURES;

/** Throws an ArgumentError for what is no profile. */
export const figuresOf = (profile: Profile): Figures => ({ ...FIGURES, ...requireProfile(profile).figures["routes"] });
