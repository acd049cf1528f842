import type { Chunk } from "./chunks.js";

/**
 * What is done for full packs that the caches do not hold. Non-temporal stores take each run, by a width that divides
 * them all (`merged`: by blocks that are put together in registers first); tiles of columns; or the lines inside long
 * runs. "padded": NOP padding stands between short blocks (facts/padding.ts).
 */
export type OutOfCache =
  | NonTemporalRuns
  | NonTemporalColumns
  | { readonly what: "long runs" }
  | { readonly what: "padded" };

interface NonTemporalColumns {
  readonly what: "columns";
  /** Whether columns begin and end in the middle of lines. */
  readonly halves?: true;
}

interface NonTemporalRuns {
  readonly what: "runs";
  readonly width: 8 | 16 | 32;
  readonly merged: boolean;
}

/** Whether merged stores are non-temporal too: each is then aligned to 32 bytes. */
export const mergesNonTemporal = (outOfCache: OutOfCache | undefined): boolean =>
  outOfCache?.what === "runs" && outOfCache.merged;

export interface OutOfCachePlan {
  readonly outOfCache: OutOfCache;
  /** What must divide the target's address. */
  readonly alignmentBytes: number;
  /** Packed bytes of a full pack from which this is done. Default: the tuning's `nonTemporalBytes`. */
  readonly fullBytes?: number;
  /** With `fullBytes`: packed bytes of a full pack from which parts of it have this, of any length. */
  readonly fullBytesOfParts?: number;
}

export interface NonTemporalRunsPlan extends OutOfCachePlan {
  readonly outOfCache: NonTemporalRuns;
}

/** How all of a node is written where it stands: block by block, by its routine, or as its kind is. */
export interface NodePlan {
  readonly what: "unrolled" | "called" | "inlined";
}

/**
 * What is prefetched beside each block: single lines so many blocks ahead, or the first lines of the next round's
 * blocks.
 */
export type Prefetch =
  | { readonly what: "blocks ahead"; readonly blocks: number }
  | { readonly what: "heads"; readonly lines: number };

/** Children that are moved one by one. */
export interface SingleRound {
  readonly what: "single blocks";
  readonly children: number;
  readonly prefetch?: Prefetch;
  /** Whether each child's stores are done before the next child's begin. */
  readonly fenced?: true;
  /** Bytes of the mask of double words that loads all blocks of the round. */
  readonly dwordMaskBytes?: number;
}

/** Children that are put together in registers, `together` at a time. */
export interface MergedRound {
  readonly what: "merged stores";
  readonly children: number;
  readonly together: number;
  readonly prefetch?: Prefetch;
}

/** Children that a permutation moves, by constants whose registers the plan took. */
export interface PermutedRound {
  readonly what: "permuted blocks";
  readonly children: number;
  readonly permuted: PermutedBlocks;
  /** Of each byte of the permuted vector, which byte it is of what was loaded. */
  readonly permutation: Int32Array;
  /** Bytes of a vector that are loaded at once, and the mask of those that are stored. */
  readonly loadedBytes: number;
  readonly stored: bigint;
}

/** What one round of a loop moves: so many children. */
export type Round =
  | SingleRound
  | MergedRound
  | {
      readonly what: "columns";
      readonly children: number;
      readonly transposed: Transposed;
      readonly plan: TransposePlan;
    }
  | PermutedRound
  | { readonly what: "near blocks"; readonly children: number; readonly near: NearRound };

/** How the children of a stream are moved. */
export interface StreamPlan {
  /** The rule that fired. */
  readonly rule: string;
  /** Why each rule before it did not, in the order of `STREAM_RULES`. */
  readonly passed: readonly string[];
  /** The longest first; children that fill none are moved one by one. */
  readonly rounds: readonly Round[];
  /**
   * Bytes past its children that a round moves where it may, and children at the end of a loop for which it may not.
   */
  readonly wanted: WantedSlack;
  readonly peeled: number;
  /** NOP padding behind each child. */
  readonly nops: number;
  /** Whether children that fill no round are long enough for a loop of their own. */
  readonly loopsRest: boolean;
  /** Whether a child leaves the loop counters alone, so that they may be registers. */
  readonly isPlain: boolean;
}

/** Whether a round reads no byte past its children, whatever it is allowed. */
export const isExact = ({ what }: Round): boolean => what === "columns" || what === "near blocks";

/**
 * Bytes past its blocks that would save moves of a node, could they be overwritten; `isRead`: and be read. Packing
 * only.
 */
export interface WantedSlack {
  readonly bytes: number;
  readonly isRead: boolean;
}

export const NOTHING_WANTED: WantedSlack = { bytes: 0, isRead: false };

/** How the blocks of a stream are written out one after another. */
export interface UnrolledPlan {
  /** Blocks that are put together in registers; undefined: none. */
  readonly together: number | undefined;
  /** NOP padding behind each other block. */
  readonly nops: number;
}

/** How blocks are moved whose places a table has. */
export type WalkPlan =
  | {
      /** In the order of addresses: pairs of words, where each block lies and where it is in the packed stream. */
      readonly what: "sorted";
      readonly words: Int32Array;
      /** Moves of a block. */
      readonly chunks: readonly Chunk[];
    }
  | {
      readonly what: "short runs";
      /** Entries of a round. */
      readonly entries: number;
      /** Whether they are put together in registers. */
      readonly merged: boolean;
      /** Entries that are prefetched ahead; 0: none. */
      readonly ahead: number;
    }
  | { readonly what: "nested" };

/** How whole runs of varying length are moved, with few branches that depend on a length, none, or one for each. */
export type RunsPlan = Masked | ByLength | { readonly what: "run by run" };

/** As many moves for every run, of which masks leave its bytes. */
interface Masked {
  readonly what: "masked";
  readonly stepBytes: number;
}

export interface ByLength extends LengthClasses {
  readonly what: "by length";
}

/** The longest run of a class, in its shortest: 2 by its head and its tail, 4 by clamped moves. */
export type Spread = 2 | 4;

/** Lengths of runs in classes: the same moves take all of one, so that few branches depend on a length. */
export interface LengthClasses {
  readonly spread: Spread;
  /** Least length of each class, powers of two, descending. */
  readonly least: readonly number[];
  /** Runs of more bytes are longer than any class; undefined: there are none. */
  readonly longFromBytes: number | undefined;
}

/**
 * How a run of constant length is moved: written out, in rounds of so many moves, or by the copy of a run-time length.
 */
export type LengthPlan =
  | { readonly what: "written out" }
  | { readonly what: "rounds"; readonly moves: number }
  | { readonly what: "copied" };

export const COPIED: LengthPlan = { what: "copied" };

/** How a run is copied whose length is known only when it runs. */
export interface AnyLengthPlan {
  /**
   * Runs to twice the first take a head and a tail that overlap, of the first of these bytes that they have; powers of
   * two, descending.
   */
  readonly pairsBytes: readonly number[];
  /** Whether shorter ones than the last pair take one move by a mask; else they are a byte or none. */
  readonly byMask: boolean;
  /** Moves of a round of longer ones. */
  readonly roundMoves: number;
  /** The lines inside long runs, by non-temporal stores, so many a round. */
  readonly nonTemporal: {
    readonly fromBytes: number;
    readonly widthBytes: 16 | 32;
    readonly linesARound: number;
  };
  /** Bytes of a run from which it takes non-temporal stores by itself, whatever the launch; undefined: never. */
  readonly nonTemporalFromBytes: number | undefined;
  /** Bytes of a run from which it goes by REP MOVSB; undefined: never. */
  readonly repMovsbFromBytes: number | undefined;
  /** Bytes of a run from which the stores behind its first are aligned to their own width; undefined: never. */
  readonly alignedFromBytes: number | undefined;
}

/**
 * Elements of a power of two bytes in rows and columns: the source has the elements of a row side by side, the target
 * those of a column.
 */
export interface Transposed {
  readonly elementBytes: number;
  readonly rows: number;
  readonly rowStrideBytes: number;
  readonly columns: number;
  readonly columnStrideBytes: number;
}

/**
 * So many rows of the source at once, all of their columns; or so many columns, all of their rows, and then a fence
 * where `fenced`.
 */
export type TransposeOrder =
  | { readonly rowsAtOnce: number }
  | { readonly columnsAtOnce: number; readonly fenced?: boolean };

/** Rows that are moved together, and the columns of their tiles. */
export interface Band {
  readonly rows: Stretch;
  /** None: too few rows or columns for a tile; element by element. */
  readonly columns: readonly Stretch[];
}

/** How rows become columns, in tiles through registers. */
export interface TransposePlan {
  readonly order: "rows first" | "columns first";
  /** Whether each column's stores are done before the next ones' begin. */
  readonly fenced: boolean;
  readonly bands: readonly Band[];
}

/** Stretches of a dimension that are covered by steps of one length. */
export interface Stretch {
  readonly at: number;
  readonly step: number;
  /** Steps that are written out together. */
  readonly group: number;
  /** Groups, one after another. */
  readonly rounds: number;
}

/**
 * Short blocks so near each other that one vector covers several. Packing closes the gaps by a permutation of one
 * vector or two; unpacking opens them, and a mask keeps every byte of a gap as it is.
 */
export interface PermutedBlocks {
  readonly blockBytes: number;
  readonly strideBytes: number;
  /** Blocks that one vector of scattered bytes covers. */
  readonly covered: number;
  /** Blocks that one permutation moves. */
  readonly moved: number;
  /** Vectors of a round, and the blocks that they move. */
  readonly vectors: number;
  readonly children: number;
}

/** 32 packed bytes of a round. */
export interface PackedVector {
  readonly packedBytes: number;
  readonly filling: Filling;
}

/** How a round of near blocks is packed at AVX2, by whole vectors. */
export interface NearRound {
  readonly children: number;
  readonly vectors: readonly PackedVector[];
  /** By their content, in the order of their registers. */
  readonly constants: ReadonlyMap<string, Constant>;
}

/** 32 bytes that no round changes. */
export type Constant = Int32Array<ArrayBuffer>;

/** Two loads of 16 bytes, one a lane, and the control by which they are shuffled within their lanes. */
export interface LanePair {
  readonly offsetsBytes: readonly [number, number];
  readonly control: Constant;
}

/** A load that is laid over what came before it: by double words, or by bytes where `dwords` is undefined. */
export interface Blend {
  readonly offsetBytes: number;
  readonly dwords: number | undefined;
  readonly mask: Constant;
}

/** How 32 packed bytes come together in a register; offsets count from the round's first block. */
export type Filling = {
  /** What it costs, its store left out; an operand in memory counts as a load of its own. */
  readonly instructions: number;
  readonly constants: readonly Constant[];
} & (
  | { readonly what: "lanes"; readonly pairs: readonly LanePair[] }
  | {
      readonly what: "overlay";
      readonly baseBytes: number;
      readonly blends: readonly Blend[];
      /** The order of double words at the end; undefined: as they are. */
      readonly order: Constant | undefined;
    }
);
