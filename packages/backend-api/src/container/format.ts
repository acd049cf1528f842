import { recordFormat, type RecordFormat } from "../record-format.js";
import { crc32 } from "./crc-32.js";
import type { EncodedData } from "./encode-data.js";
import type { MoveTables } from "../tables/move-tables.js";
import type { SectionEntry } from "./sections.js";

/** Sides of a move in bytes, for one element. */
export const BOUNDS = recordFormat("artifact_bounds", "One side of a move, in bytes: elements stand an extent apart.", [
  ["extent", "i64", ""],
  ["lowerBound", "i64", ""],
  ["trueExtent", "i64", ""],
  ["trueLowerBound", "i64", ""],
]);

/**
 * How a container begins. From `backend` on it is what programs in C read, which holds nothing that the header does
 * not; version 1 has none of it.
 */
export const ARTIFACT = recordFormat("artifact", "A container's first bytes; offsets count from them.", [
  ["magic", "u8", '"STOWAGE" and 0x1A', { count: 8 }],
  ["version", "u32", "of the container"],
  ["headerLength", "u32", "bytes of the header, JSON, behind the moves"],
  ["totalLength", "u64", "bytes of the whole"],
  ["checksum", "u32", "CRC-32 of all other bytes"],
  ["moves", "u32", "records behind this one; in version 1: 0"],
  ["backend", "char", "ended by a zero; all zeros where its name is longer or not in ASCII", { count: 24 }],
  ["payloadVersion", "u32", ""],
  ["zero", "u32", ""],
  ["level", "char", "of the code, as the backend names it", { count: 16 }],
  ["code", "u64", "0 and 0 where the payload holds none"],
  ["codeBytes", "u64", ""],
  ["description", "u64", "of the type; 0 and 0 where there is none"],
  ["descriptionBytes", "u64", ""],
  ["frames", "u64", "records for unwinders, of the code; 0 and 0 where there are none"],
  ["framesBytes", "u64", ""],
]);

/**
 * The record that says how unwinders find the callers of a stretch of code: call frame instructions (DWARF 5, section
 * 6.4.2) follow it, then zeros.
 */
export const ARTIFACT_FRAMES = recordFormat(
  "artifact_frames",
  "How unwinders find callers from a stretch of code: call frame instructions follow, then zeros.",
  [
    ["code", "u32", "where it begins in the code"],
    ["codeBytes", "u32", ""],
    ["instructionBytes", "u32", "DWARF 5, section 6.4.2, behind a canonical frame address of rsp + 8"],
    ["zero", "u32", ""],
  ],
);
/** The alignment of frame records in bytes: each begins at a multiple of it. */
export const FRAMES_ALIGNMENT = 8;

export const ARTIFACT_MOVE = recordFormat("artifact_move", "One move of a container.", [
  ["size", "i64", "packed bytes of one element"],
  ["source", BOUNDS, ""],
  ["target", BOUNDS, ""],
  ["direction", "u32", "0 pack, 1 unpack, 2 copy, 3 reduce, 4 by displacement tables"],
  ["run", "u32", "mean bytes of a contiguous run, at most 2^32 - 1; 0: not told"],
  ["entry", "u64", "in the code"],
  ["zeros", "u64", ""],
]);

/** The records of a container of artifacts, as programs in C read them too (runtime/formats.h). */
export const CONTAINER_RECORDS: Readonly<Record<"bounds" | "artifact" | "frames" | "move", RecordFormat>> = {
  bounds: BOUNDS,
  artifact: ARTIFACT,
  frames: ARTIFACT_FRAMES,
  move: ARTIFACT_MOVE,
};

/**
 * The header of a container: JSON in ASCII behind the records above, and behind it the sections, each at the next
 * multiple of 64 bytes with zeros between. A section's offset counts from the first section. Sixty-four bytes suit any
 * vector load and a cache line.
 */
export interface Header {
  readonly backend: string;
  readonly formatVersion: number;
  readonly key: string;
  readonly conditions: EncodedData;
  /** Source and target of each move: rows of the layouts. */
  readonly moves: readonly (readonly [number, number])[];
  /** Operation and element of each move that reduces, null of others; absent where none does. */
  readonly reductions?: readonly (readonly [string, string] | null)[];
  /** What the moves' displacement tables are, null of a move without; absent where none has one. */
  readonly tables?: readonly (MoveTables | null)[];
  /** As ir's encodeLayouts gives them. */
  readonly layouts: EncodedData;
  readonly payload: EncodedData;
  /** The bytes of `Artifact.description`; absent where the artifact has none. */
  readonly description?: EncodedData;
  readonly sections: readonly SectionEntry[];
}

export const MAGIC = Uint8Array.of(0x53, 0x54, 0x4f, 0x57, 0x41, 0x47, 0x45, 0x1a);
/** The version of the artifacts' container format. */
export const CONTAINER_VERSION = 2;
/** Version 1 has no native header. */
export const OLDEST_VERSION = 1;
export const FIELD = ARTIFACT.offsets;
/** Where version 1 ends, and what C reads begins. */
export const FIELDS_END = FIELD.backend;

/** The checksum of everything but its own field. */
export const checksumOf = (container: Uint8Array): number =>
  crc32(container.subarray(FIELD.checksum + 4), crc32(container.subarray(0, FIELD.checksum)));
