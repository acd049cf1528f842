import { recordFormat, type RecordFormat } from "@stowage/backend-api";
import { KIND, NODE_RECORD } from "../encode/node-record.js";

/**
 * What one launch is told: the list of transfers (a header, a record each, lists of regions), in which all addresses
 * stand, and behind it, or apart, the nodes of all layouts, which stay as they are when memory is exchanged.
 */
const HEADER_RECORD = recordFormat("launch_header", "What one launch is told: this, its transfers, their nodes.", [
  ["lookaside", "u64", "what is added to the places of tables in nodes"],
  ["transfers", "u32", ""],
  ["tiles", "u32", "blocks of the grid"],
]);
export const HEADER = HEADER_RECORD.offsets;
export const HEADER_BYTES = HEADER_RECORD.bytes;

const TRANSFER_RECORD = recordFormat("launch_transfer", "One move, with its memory and range.", [
  ["firstTile", "u32", "the first tile of the grid that is this transfer's"],
  ["mode", "u32", "how its body moves: in words of 2^mode bytes, or see MODES"],
  ["source", "u64", "where the offsets of each side count from"],
  ["target", "u64", ""],
  ["sourceNode", "u32", "each side's first node: in this block, or among the nodes where they lie apart"],
  ["targetNode", "u32", ""],
  ["builtIn", "u32", "of a specialised kernel: which of its layouts are the transfer's", { at: "sourceNode" }],
  ["bodyFirst", "i64", "packed position of the first whole word"],
  ["words", "i64", ""],
  ["headBytes", "u32", "before the first whole word"],
  ["tailBytes", "u32", "behind the last whole word"],
  ["sourceRegions", "u32", "lists of regions in this block; 0 where one buffer holds a side"],
  ["targetRegions", "u32", ""],
  ["readLow", "i64", "addresses of the source that may be read: gathering reads whole words around runs"],
  ["readHigh", "i64", ""],
  ["runBytes", "u32", "for runs moved whole: their length, its pieces of 16 bytes, and what divides by their number"],
  ["pieces", "u32", ""],
  ["piecesMultiplier", "u32", ""],
  ["piecesShift", "u32", ""],
]);
export const TRANSFER = TRANSFER_RECORD.offsets;
export const TRANSFER_BYTES = TRANSFER_RECORD.bytes;

/** A list of regions: their number, then of each the offset it starts at and what to add from there on. */
export const REGION_LIST_HEADER_BYTES = 16;
export const REGION_BYTES = 16;

/**
 * The memory that a kernel reads a plan block from: shared memory, to which each block of threads copies it from device
 * memory; the kernel's own parameters, which suits constant offsets; or device memory as it lies.
 */
export type PlanSpace = "shared" | "parameters" | "memory";

/** By-value sizes that kernels are built for: a launch copies its parameters, so small plans take small ones. */
export const PARAMETER_CLASSES = [448, 4096, 30_720] as const;

/**
 * The records of a launch's parameters, for programs that launch kernels themselves: names, widths and places. `kinds`
 * are the numbers of the kinds of nodes, `mostBytes` is the most bytes that a launch's parameters hold of records and
 * nodes.
 */
export const LAUNCH_FORMAT: Readonly<Record<"header" | "transfer" | "node", RecordFormat>> & {
  readonly kinds: Readonly<Record<string, number>>;
  readonly mostBytes: number;
} = {
  header: HEADER_RECORD,
  transfer: TRANSFER_RECORD,
  node: NODE_RECORD,
  kinds: KIND,
  mostBytes: Math.max(...PARAMETER_CLASSES),
};

/**
 * Parameter sizes for lists of transfers whose layouts lie elsewhere: room for 4 to 42 transfers. Every architecture
 * takes 4 KiB of parameters.
 */
export const LIST_CLASSES = [448, 1024, 2560, 4064] as const;
/** Shared memory that kernels are built with for a plan; one of more is read from device memory. */
export const SHARED_CLASSES = [1024, 4096, 8192, 16_384, 40_960] as const;
