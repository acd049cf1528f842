import { conditions, directionOf, isTabled, type Move, type TableIndex } from "@stowage/backend-api";
import { ArgumentError, commonAlignment } from "@stowage/ir";
import { print } from "@stowage/ptx";
import { compileMoves } from "../compile.js";
import { WIDEST_WORD_BYTES } from "../encode/widest-word.js";
import { HEADER_BYTES } from "../kernel/plan-block.js";
import type { WordBytes } from "../kernel/variant.js";
import { DEFAULT_TUNING } from "../options.js";
import { RenderedKernels } from "../rendered.js";
import type { TABLED_CLASSES } from "./record.js";
import { GROUP_BYTES, PLACE_BYTES } from "./record.js";
import { tabledKernel } from "./tabled-kernel.js";
import { groupsPerTile, NARROW_BYTES, sharing } from "./tabled-launch.js";
import { TABLED_THREADS, tabledName, type TabledVariant } from "./variant.js";

/** A kernel of copies of pages, for programs without this package. */
export interface PageKernel {
  /** The name of its entry. */
  readonly entry: string;
  /** Its PTX. */
  readonly ptx: string;
  /** The type of the entries of its tables. */
  readonly index: TableIndex;
  /** Whether it reads the number of pages from memory. */
  readonly counted: boolean;
  /** The width of its words in bytes: it must divide every base address and stride. */
  readonly wordBytes: number;
  /** How many pieces a page takes. */
  readonly pieces: number;
  /** How many pieces a block of threads moves. */
  readonly piecesPerBlock: number;
}

/** Kernels that copy pages by tables, and what launching them takes: records of LAUNCH_FORMAT and TABLED_FORMAT. */
export interface PageCode {
  /** For both kinds of tables, with and without a count in memory, for the widest words first. */
  readonly kernels: readonly PageKernel[];
  /** The side that is read. */
  readonly source: PageSide;
  /** The side that is written. */
  readonly target: PageSide;
  /** The lookaside buffer of both layouts (Jenkins et al.): lists of offsets, to be copied to device memory. */
  readonly lookaside: Uint8Array;
  /** How many threads a block has. */
  readonly threads: number;
  /** Bytes of a kernel's parameters that hold records and nodes; the address of a fault's word follows. */
  readonly planBytes: number;
  /** How many pools one launch takes; it is of one group. */
  readonly mostPools: number;
}

/** One side of a page: the layout's nodes, and where it starts. */
export interface PageSide {
  /** The layout's nodes, as records of LAUNCH_FORMAT. */
  readonly nodes: Uint8Array;
  /** Bytes from the page's start to the first node. */
  readonly startBytes: number;
}

/** What every architecture takes. */
const PLAN_BYTES: (typeof TABLED_CLASSES)[number] = 4096;
/** The oldest architecture that we print for: newer ones run its PTX. */
const PORTABLE_ARCH = 75;
const INDICES = ["u32", "i64"] as const;
const USUAL_UNROLL = 8;

/**
 * Makes kernels that copy pages from one layout to another by tables on both sides. Entries of -1 are skipped. Throws
 * an ArgumentError for a move with tables or a reduction, of no bytes, or whose nodes leave no room in a launch.
 */
export function pageCode(move: Move): PageCode {
  const { sizeBytes } = move.source;
  if (isTabled(move) || directionOf(move) === "reduce" || sizeBytes === 0)
    throw new ArgumentError("move of pages", "one that copies bytes, without tables", "another");
  const known = conditions({ sourceKind: "device", targetKind: "device" });
  const tables = { source: { index: "u32", strideBytes: 1 }, target: { index: "u32", strideBytes: 1 } } as const;
  const payload = compileMoves([{ ...move, tables }], known, DEFAULT_TUNING, new RenderedKernels());
  const [encoded] = payload.moves;
  if (encoded === undefined) throw new TypeError("a compiled move: expected one, got none");
  const { source, target } = encoded;
  const widest = Math.min(
    source.elementGranularity,
    target.elementGranularity,
    commonAlignment([sizeBytes, source.startBytes, target.startBytes], WIDEST_WORD_BYTES),
  ) as WordBytes;
  const words = [...new Set([widest, 1 as const])];
  const kernels = words.flatMap((wordBytes) => {
    const count = sizeBytes / wordBytes;
    const shared = sharing(count, USUAL_UNROLL, false);
    const pieces = Math.ceil(count / (shared.threadsPerElement * shared.unroll));
    return INDICES.flatMap((index) =>
      [false, true].map((counted): PageKernel => {
        const variant: TabledVariant = {
          wordBytes,
          shifts: false,
          ...shared,
          pieces,
          source: { index, dense: move.source.root.kind === "dense" },
          target: { index, dense: move.target.root.kind === "dense" },
          skips: true,
          counted,
          isPart: false,
          positionBits: sizeBytes <= NARROW_BYTES ? 32 : 64,
          tableBits: payload.tableBits,
          branching: source.branching || target.branching,
          searched: source.searched || target.searched,
          among: "pools",
          planBytes: PLAN_BYTES,
          hints: { bypassL1: false, storeOperator: "wb" },
        };
        const ptx = print(tabledKernel(variant), { arch: PORTABLE_ARCH });
        const piecesPerBlock = groupsPerTile(variant);
        return { entry: tabledName(variant), ptx, index, counted, wordBytes, pieces, piecesPerBlock };
      }),
    );
  });
  const nodeBytes = source.nodes.byteLength + target.nodes.byteLength;
  const mostPools = Math.floor((PLAN_BYTES - HEADER_BYTES - GROUP_BYTES - nodeBytes) / PLACE_BYTES);
  if (mostPools < 1) throw new ArgumentError("layouts of a page", "nodes that fit a launch's parameters", "more");
  return {
    kernels,
    source: { nodes: source.nodes, startBytes: source.startBytes },
    target: { nodes: target.nodes, startBytes: target.startBytes },
    lookaside: payload.lookaside,
    threads: TABLED_THREADS,
    planBytes: PLAN_BYTES,
    mostPools,
  };
}
