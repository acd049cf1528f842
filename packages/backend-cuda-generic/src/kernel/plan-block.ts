/**
 * What one launch is told: the list of transfers (a header, a record each, lists of regions), in which all addresses
 * stand, and behind it, or apart, the nodes of all layouts, which stay as they are when memory is exchanged.
 */
export const HEADER = {
  /** Address of the lookaside buffer. */
  lookaside: 0,
  transfers: 8,
  tiles: 12,
} as const;
export const HEADER_BYTES = 16;

/** One move, with its memory and range. */
export const TRANSFER = {
  /** The first tile of the grid that is this transfer's. */
  firstTile: 0,
  /** How its body moves: see MODES. */
  mode: 4,
  /** Where the offsets of each side count from. */
  source: 8,
  target: 16,
  /** Offsets of each side's first node: in this block, or among the nodes where they lie apart. */
  sourceNode: 24,
  targetNode: 28,
  /** Of a specialised kernel instead: which of the layouts built into it are the transfer's. */
  builtIn: 24,
  /** Packed position of the first whole word, and how many words there are. */
  bodyFirst: 32,
  words: 40,
  /** Bytes before the first and behind the last whole word. */
  headBytes: 48,
  tailBytes: 52,
  /** Offsets in this block of the lists of regions; 0 where one buffer holds a side. */
  sourceRegions: 56,
  targetRegions: 60,
  /** Addresses of the source that may be read: gathering reads whole words around runs, but none beyond these. */
  readLow: 64,
  readHigh: 72,
  /** For runs moved whole: their length, its pieces of 16 bytes, and what divides by the number of pieces. */
  runBytes: 80,
  pieces: 84,
  piecesMultiplier: 88,
  piecesShift: 92,
} as const;
export const TRANSFER_BYTES = 96;

/** A list of regions: their number, then of each the offset it starts at and what to add from there on. */
export const REGION_LIST_HEADER_BYTES = 16;
export const REGION_BYTES = 16;

/**
 * Where a plan block is read from: shared memory, to which each block of threads copies it from device memory; the
 * kernel's own parameters, as is best for constant offsets; or device memory as it lies.
 */
export type PlanSpace = "shared" | "parameters" | "memory";

/** By-value sizes that kernels are built for: a launch copies its parameters, so small plans take small ones. */
export const PARAMETER_CLASSES = [448, 4096, 30_720] as const;
/**
 * Of lists of transfers whose layouts lie elsewhere: room for 4 to 42. Every architecture takes 4 KiB of parameters.
 */
export const LIST_CLASSES = [448, 1024, 2560, 4064] as const;
/** Shared memory that kernels are built with for a plan; one of more is read from device memory. */
export const SHARED_CLASSES = [1024, 4096, 8192, 16_384, 40_960] as const;
