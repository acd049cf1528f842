import { crc32 } from "./crc-32.js";
import type { EncodedData } from "./encode-data.js";
import type { MoveTables } from "../tables/move-tables.js";
import type { SectionEntry } from "./sections.js";

/**
 * The container of an artifact, little-endian:
 *
 *     0   magic "STOWAGE" and 0x1A
 *     8   u32 version of the container
 *     12  u32 length of the header in bytes
 *     16  u64 length of the whole in bytes
 *     24  u32 CRC-32 of all other bytes
 *     28  u32 number of moves; in version 1: 0
 *     32  what programs in C read, with a record for each move: see native-header.ts; not in version 1
 *         the header: JSON in ASCII, of the shape Header
 *         the sections, each at the next multiple of 64 bytes, with zeros between
 *
 * A section's offset counts from the first section. Sixty-four bytes suit any vector load and a cache line.
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
export const CONTAINER_VERSION = 2;
/** Version 1 has no native header. */
export const OLDEST_VERSION = 1;
export const FIELD = { version: 8, headerLength: 12, totalLength: 16, checksum: 24, moves: 28 } as const;
export const FIELDS_END = 32;

/** Of everything but the checksum's own field. */
export const checksumOf = (container: Uint8Array): number =>
  crc32(container.subarray(FIELD.checksum + 4), crc32(container.subarray(0, FIELD.checksum)));
