import { referencePack } from "@stowage/conformance/laws";
import { contiguous, hvector, predefined, printDatatypeText, resized, type Datatype } from "@stowage/ir";
import * as fc from "fast-check";
import koffi from "koffi";
import { expect, test } from "vitest";
import { libstowage, type NativeType } from "../library/library.js";

/** Each fills and compares up to a megabyte. */
const RUNS = Math.min(1000, Number(process.env["STOWAGE_LAW_RUNS"] ?? 1000));
const SEED = Number(process.env["STOWAGE_SEED"] ?? 44);

const addressOf = (bytes: Uint8Array): number => Number(koffi.address(bytes));

/** Lengths that have loops of their own, and others. */
const lengthBytes = fc.constantFrom(1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80);
/** Lines that conflict in one set of L1d, in two, in four; others; rows from the last to the first. */
const pitchBytes = fc
  .constantFrom(4096, 8192, 12_288, 2048, 6144, 1024, 3072, 64, 100, 1000, 1025)
  .chain((pitch) => fc.constantFrom(pitch, -pitch));

/** A matrix's columns side by side, column after column; where they would overlap, less of them. */
const columns = fc
  .tuple(lengthBytes, pitchBytes, fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 21 }))
  .filter(([length, pitch]) => length <= Math.abs(pitch))
  .map(([length, pitch, rows, count]): Datatype => {
    const most = Math.floor(Math.abs(pitch) / length);
    const column = hvector(rows, 1, pitch, contiguous(length, predefined("MPI_BYTE")));
    return contiguous(Math.min(count, most), resized(0, length, column));
  });

const LINE_BYTES = 64;

/** What memory holds: no byte of it is the one that a target holds before. */
const PATTERN = Uint8Array.from({ length: 251 }, (_, i) => (i * 131 + 7) & 127);
const BEFORE = Uint8Array.of(0xa5);

/** Memory of a pattern, and in it a place for so many bytes, which begins so far into a line. */
function memoryAt(length: number, intoLine: number, pattern: Uint8Array) {
  const bytes = Buffer.alloc(length + 2 * LINE_BYTES, pattern);
  return { bytes, start: ((LINE_BYTES - (addressOf(bytes) % LINE_BYTES)) % LINE_BYTES) + intoLine };
}

/** Packs and unpacks where memory begins at any place in a line; unpacking leaves what no element holds. */
function checkAt(datatype: Datatype, type: NativeType, intoLine: number): void {
  const { true_lower_bound: low, true_extent: span } = type.bounds;
  const text = printDatatypeText(datatype);
  const source = memoryAt(span, intoLine, PATTERN);
  const packed = new Uint8Array(type.sizeBytes);
  const address = (memory: typeof source): number => addressOf(memory.bytes) + memory.start - low;
  const packedOf = ({ bytes, start }: typeof source): Uint8Array =>
    referencePack(datatype, { bytes, originBytes: start - low });
  expect(type.pack(address(source), 1, 0, addressOf(packed), packed.length)).toBe(0);
  expect(Buffer.compare(packed, packedOf(source)), text).toBe(0);
  const target = memoryAt(span, intoLine, BEFORE);
  expect(type.unpack(addressOf(packed), packed.length, 0, address(target), 1)).toBe(0);
  expect(Buffer.compare(packedOf(target), packed), `unpacked: ${text}`).toBe(0);
  let untouched = 0;
  for (const byte of target.bytes) untouched += byte === BEFORE[0] ? 1 : 0;
  expect(untouched, `left alone: ${text}`).toBe(target.bytes.length - packed.length);
}

test("columns side by side, and lines that conflict in few sets of L1d, go as the reference has them", () => {
  const property = fc.property(columns, fc.nat(63), (datatype, intoLine) => {
    using type = libstowage().commit(datatype);
    checkAt(datatype, type, intoLine);
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
});
