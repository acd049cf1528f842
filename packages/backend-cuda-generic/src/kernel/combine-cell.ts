import { ELEMENTS, type Reduction } from "@stowage/backend-api";
import type { Builder, Value } from "@stowage/ptx";
import { combineParts, partBytes } from "./combine-parts.js";
import type { WordBytes } from "./variant.js";

/** The longest word that a thread combines numbers in: more than one of 8 bytes would be mostly shifts. */
const MOST_SHARED_BYTES = 8;

/** The widest access of a reduction's transfers. */
export const widestAccess = ({ element }: Reduction): number =>
  Math.max(MOST_SHARED_BYTES, ELEMENTS[element].sizeBytes);

/** Packed bytes of one step: a word of whole elements, or one element where words are shorter. */
export const cellBytes = ({ element }: Reduction, accessBytes: number): number =>
  Math.max(accessBytes, ELEMENTS[element].sizeBytes);

const bitsOf = (bytes: number): 8 | 16 | 32 | 64 => (8 * bytes) as 8 | 16 | 32 | 64;
const typeOf = (bytes: number) => (bytes === 8 ? "u64" : "u32");

/** The registers of a cell: up to 8 bytes each, read by accesses of so many bytes. */
export function loadCell(k: Builder, address: Value, cell: number, accessBytes: WordBytes): readonly Value[] {
  if (accessBytes === 16) return k.loadVector("global", address, { bits: 64, lanes: 2 });
  const registerBytes = Math.min(cell, 8);
  return offsets(cell, registerBytes).map((start) => {
    const pieces = offsets(registerBytes, accessBytes).map((offset) =>
      k.load("global", address, { bits: bitsOf(accessBytes), offsetBytes: start + offset }),
    );
    return joined(pieces, accessBytes, registerBytes);
  });
}

function storeCell(k: Builder, address: Value, values: readonly Value[], cell: number, accessBytes: WordBytes): void {
  if (accessBytes === 16) return k.store("global", address, values, { bits: 64 });
  const registerBytes = Math.min(cell, 8);
  offsets(cell, registerBytes).forEach((start, i) => {
    const pieces = split(values[i] as Value, accessBytes, registerBytes);
    pieces.forEach((piece, j) =>
      k.store("global", address, [piece], { bits: bitsOf(accessBytes), offsetBytes: start + j * accessBytes }),
    );
  });
}

/** Combines a cell that arrived with the one at an address of the target. */
export function combineCell(
  k: Builder,
  reduction: Reduction,
  arrived: readonly Value[],
  address: Value,
  accessBytes: WordBytes,
): void {
  const cell = cellBytes(reduction, accessBytes);
  const registerBytes = Math.min(cell, 8);
  const bytes = partBytes(reduction);
  const partsOf = (values: readonly Value[]) => values.flatMap((value) => masked(value, bytes, registerBytes));
  const combined = combineParts(reduction, partsOf(arrived), partsOf(loadCell(k, address, cell, accessBytes)));
  const perRegister = registerBytes / bytes;
  const values = offsets(cell, registerBytes).map((_, i) => {
    const own = combined.slice(i * perRegister, (i + 1) * perRegister);
    return joined(
      bytes < 4 && perRegister > 1 ? own.map((part) => part.and(2 ** (8 * bytes) - 1)) : own,
      bytes,
      registerBytes,
    );
  });
  storeCell(k, address, values, cell, accessBytes);
}

const offsets = (bytes: number, step: number): readonly number[] =>
  Array.from({ length: bytes / step }, (_, i) => i * step);

/** Pieces of a register, with nothing but zeros before them. */
const masked = (value: Value, bytes: number, registerBytes: number): readonly Value[] =>
  split(value, bytes, registerBytes).map((piece) =>
    bytes < 4 && bytes < registerBytes ? piece.and(2 ** (8 * bytes) - 1) : piece,
  );

/** Pieces of a register, their low bits first; those of fewer than 4 bytes with other bits before them. */
function split(value: Value, bytes: number, registerBytes: number): readonly Value[] {
  return offsets(registerBytes, bytes).map((offset) =>
    (offset === 0 ? value : value.shr(8 * offset)).to(typeOf(bytes)),
  );
}

function joined(pieces: readonly Value[], bytes: number, registerBytes: number): Value {
  const type = typeOf(registerBytes);
  return pieces
    .map((piece, i) => (i === 0 ? piece.to(type) : piece.to(type).shl(8 * bytes * i)))
    .reduce((sum, piece) => sum.or(piece));
}
