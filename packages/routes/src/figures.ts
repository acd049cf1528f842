import { requireProfile, type Profile } from "@stowage/backend-api";

/**
 * What routes know of a machine; measured on an H200 (docs/design/routes.md). A profile's figures of "routes" replace
 * them.
 */
export const FIGURES = {
  /** Nanoseconds of one copy over the bus, from the call to its end, beside its bytes. */
  copyNs: 1800,
  /** Nanoseconds of a run of a bulk backend, without its bytes. */
  bulkNs: 36_000,
  /** Nanoseconds of one more section of the same batch of a bulk backend. */
  sectionNs: 330,
  /** How many times as long packing from a mirror that no cache has takes as the packer and the bus say. */
  mirrorFactor: 2.2,
  /** Bandwidth of pinned memory over the bus, in each direction: bytes a nanosecond, which are GB/s. */
  busBytesPerNs: 53,
  /** Bandwidth of a copy by one processor between pinned and pageable memory, in GB/s. */
  hostCopyBytesPerNs: 9,
  /** Nanoseconds until a stream goes on behind an event of another. */
  handoverNs: 1500,
  /** Bytes of the first chunk of a pipeline; each further one is twice as long. */
  leastChunkBytes: 2 ** 20,
  /** Bytes of the largest chunk of a pipeline. */
  mostChunkBytes: 2 ** 24,
  /** How many blocks, a multiprocessor each, write as fast to the host as the bus carries. */
  blocksToHost: 4,
  /** How many blocks, a multiprocessor each, read as fast from the host as the bus carries. */
  blocksFromHost: 8,
};

/** Figures of a machine by the names of FIGURES, as a profile's section "routes" has them. */
export type Figures = typeof FIGURES;

/** Throws an ArgumentError for what is no profile. */
export const figuresOf = (profile: Profile): Figures => ({ ...FIGURES, ...requireProfile(profile).figures["routes"] });
