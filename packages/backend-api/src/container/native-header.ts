import type { Layout } from "@stowage/ir";
import type { Artifact, Data, DataTable } from "../artifact.js";
import { directionOf, type Move } from "../move.js";
import { ARTIFACT, ARTIFACT_MOVE as MOVE, BOUNDS, FIELD, FIELDS_END } from "./format.js";

const RECORD = MOVE.offsets;
/** Loaders that know no displacement tables refuse it. */
const DIRECTION_BY_TABLES = 4;
const DIRECTION = { pack: 0, unpack: 1, copy: 2, reduce: 3 } as const;

export const nativeHeaderEnd = (moves: number): number => ARTIFACT.bytes + moves * MOVE.bytes;

/** Machine code in a payload: position-independent, and where each move enters it. What is none is no code. */
export interface NativeCode {
  readonly level: string;
  readonly code: Uint8Array;
  readonly entries: Int32Array;
  /** Records for unwinders, of ARTIFACT_FRAMES; undefined where there are none. */
  readonly frames: Uint8Array | undefined;
}

/** A payload of `level`, `code` and `entries` holds code of the fixed C signature; it may have `frames`. */
export function nativeCodeOf({ payload, moves }: Artifact): NativeCode | undefined {
  if (!isRecord(payload)) return undefined;
  const { level, code, entries, frames } = payload;
  if (typeof level !== "string" || !(code instanceof Uint8Array) || !(entries instanceof Int32Array)) return undefined;
  const isEntry = (entry: number): boolean => entry >= 0 && entry < code.length;
  return entries.length === moves.length && entries.every(isEntry)
    ? { level, code, entries, frames: frames instanceof Uint8Array ? frames : undefined }
    : undefined;
}

const isRecord = (data: Data): data is { readonly [name: string]: Data } =>
  typeof data === "object" && data !== null && !ArrayBuffer.isView(data) && !Array.isArray(data);

/**
 * What programs in C read: the bytes from FIELDS_END on to the header. `offsetOf`: where a table lies in the container.
 */
export function nativeHeader(artifact: Artifact, offsetOf: (table: DataTable) => number): Uint8Array {
  const { backend, formatVersion, moves, description } = artifact;
  const bytes = new Uint8Array(nativeHeaderEnd(moves.length));
  const fields = new DataView(bytes.buffer);
  const native = nativeCodeOf(artifact);
  writeName(bytes.subarray(FIELD.backend, FIELD.payloadVersion), backend);
  fields.setUint32(FIELD.payloadVersion, formatVersion, true);
  const place = (at: number, table: DataTable): void => {
    fields.setBigUint64(at, BigInt(offsetOf(table)), true);
    fields.setBigUint64(at + 8, BigInt(table.byteLength), true);
  };
  if (native !== undefined) {
    writeName(bytes.subarray(FIELD.level, FIELD.code), native.level);
    place(FIELD.code, native.code);
    if (native.frames !== undefined) place(FIELD.frames, native.frames);
  }
  if (description !== undefined) place(FIELD.description, description);
  moves.forEach((move, i) => {
    const at = ARTIFACT.bytes + i * MOVE.bytes;
    writeRecord(new DataView(bytes.buffer, at, MOVE.bytes), move, native?.entries[i] ?? 0);
  });
  return bytes.subarray(FIELDS_END);
}

function writeRecord(record: DataView, move: Move, entry: number): void {
  const { source, target } = move;
  const i64 = (at: number, value: number): void => record.setBigInt64(at, BigInt(value), true);
  const bounds = (at: number, side: Layout): void => {
    i64(at + BOUNDS.offsets.extent, side.extentBytes);
    i64(at + BOUNDS.offsets.lowerBound, side.lowerBoundBytes);
    i64(at + BOUNDS.offsets.trueExtent, side.trueExtentBytes);
    i64(at + BOUNDS.offsets.trueLowerBound, side.trueLowerBoundBytes);
  };
  i64(RECORD.size, source.sizeBytes);
  bounds(RECORD.source, source);
  bounds(RECORD.target, target);
  record.setUint32(
    RECORD.direction,
    move.tables === undefined ? DIRECTION[directionOf(move)] : DIRECTION_BY_TABLES,
    true,
  );
  record.setUint32(RECORD.run, Math.min(meanRunBytes(move), 2 ** 32 - 1), true);
  record.setBigUint64(RECORD.entry, BigInt(entry), true);
}

/** Of the side that has more runs, rounded down. */
const meanRunBytes = ({ source, target }: Move): number =>
  Math.floor(source.sizeBytes / Math.max(1, source.root.blockCount, target.root.blockCount));

function writeName(field: Uint8Array, name: string): void {
  if (name.length < field.length && /^[\x20-\x7e]*$/.test(name))
    field.set(Array.from(name, (letter) => letter.charCodeAt(0)));
}
