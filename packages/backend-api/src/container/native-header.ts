import type { Artifact, Data, DataTable } from "../artifact.js";
import { directionOf, type Move } from "../move.js";
import { FIELDS_END } from "./format.js";

/**
 * What a program in C reads of an artifact, at fixed places, little-endian. It holds nothing that the header does not.
 * Offsets count from the container's first byte.
 *
 *     32   char[24] backend, ended by a zero; all zeros where its name is longer or not in ASCII
 *     56   u32 version of the payload
 *     60   u32 0
 *     64   char[16] level of the code, as the backend names it
 *     80   u64 offset and u64 length of the code; 0 and 0 where the payload holds none
 *     96   u64 offset and u64 length of the type's description; 0 and 0 where there is none
 *     112  16 zeros
 *     128  a record of 96 bytes for each move: i64 size; i64 extent, lower bound, true extent and true lower bound of
 *     the
 *          source, and the same of the target; u32 direction (0 pack, 1 unpack, 2 copy, 3 reduce); u32 0; u64 offset of
 *          the entry in the code
 */
export const NATIVE = {
  backend: 32,
  formatVersion: 56,
  level: 64,
  code: 80,
  description: 96,
  records: 128,
  recordBytes: 96,
} as const;
const BACKEND_BYTES = 24;
const LEVEL_BYTES = 16;
const RECORD = { direction: 72, entry: 80 } as const;
const DIRECTION = { pack: 0, unpack: 1, copy: 2, reduce: 3 } as const;

export const nativeHeaderEnd = (moves: number): number => NATIVE.records + moves * NATIVE.recordBytes;

/** Machine code in a payload: position-independent, and where each move enters it. What is none is no code. */
export interface NativeCode {
  readonly level: string;
  readonly code: Uint8Array;
  readonly entries: Int32Array;
}

/** A payload of `level`, `code` and `entries` holds code of the fixed C signature. */
export function nativeCodeOf({ payload, moves }: Artifact): NativeCode | undefined {
  if (!isRecord(payload)) return undefined;
  const { level, code, entries } = payload;
  if (typeof level !== "string" || !(code instanceof Uint8Array) || !(entries instanceof Int32Array)) return undefined;
  const isEntry = (entry: number): boolean => entry >= 0 && entry < code.length;
  return entries.length === moves.length && entries.every(isEntry) ? { level, code, entries } : undefined;
}

const isRecord = (data: Data): data is { readonly [name: string]: Data } =>
  typeof data === "object" && data !== null && !ArrayBuffer.isView(data) && !Array.isArray(data);

/** The bytes from FIELDS_END on to the header. `offsetOf`: where a table lies in the container. */
export function nativeHeader(artifact: Artifact, offsetOf: (table: DataTable) => number): Uint8Array {
  const { backend, formatVersion, moves, description } = artifact;
  const bytes = new Uint8Array(nativeHeaderEnd(moves.length));
  const fields = new DataView(bytes.buffer);
  const native = nativeCodeOf(artifact);
  writeName(bytes.subarray(NATIVE.backend, NATIVE.backend + BACKEND_BYTES), backend);
  fields.setUint32(NATIVE.formatVersion, formatVersion, true);
  const place = (at: number, table: DataTable): void => {
    fields.setBigUint64(at, BigInt(offsetOf(table)), true);
    fields.setBigUint64(at + 8, BigInt(table.byteLength), true);
  };
  if (native !== undefined) {
    writeName(bytes.subarray(NATIVE.level, NATIVE.level + LEVEL_BYTES), native.level);
    place(NATIVE.code, native.code);
  }
  if (description !== undefined) place(NATIVE.description, description);
  moves.forEach((move, i) => {
    const at = NATIVE.records + i * NATIVE.recordBytes;
    writeRecord(new DataView(bytes.buffer, at, NATIVE.recordBytes), move, native?.entries[i] ?? 0);
  });
  return bytes.subarray(FIELDS_END);
}

function writeRecord(record: DataView, move: Move, entry: number): void {
  const { source, target } = move;
  const words = [source, target].flatMap((side) => [
    side.extentBytes,
    side.lowerBoundBytes,
    side.trueExtentBytes,
    side.trueLowerBoundBytes,
  ]);
  [source.sizeBytes, ...words].forEach((word, i) => record.setBigInt64(8 * i, BigInt(word), true));
  record.setUint32(RECORD.direction, DIRECTION[directionOf(move)], true);
  record.setBigUint64(RECORD.entry, BigInt(entry), true);
}

function writeName(field: Uint8Array, name: string): void {
  if (name.length < field.length && /^[\x20-\x7e]*$/.test(name))
    field.set(Array.from(name, (letter) => letter.charCodeAt(0)));
}
