import { boundsOf, parseDatatype, type Datatype } from "@stowage/ir";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import koffi from "koffi";
import { expect, test } from "vitest";
import { libstowage, type NativeType } from "../library/library.js";

interface Golden {
  readonly type: unknown;
  readonly count: number;
  readonly size: number;
  readonly lb: number;
  readonly extent: number;
  readonly true_lb: number;
  readonly true_extent: number;
  readonly buffer: number;
  readonly origin: number;
  readonly sha256: string;
}

const CASES = readFileSync(new URL("../../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Golden);

const data = (bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => (i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7) & 255);

const addressOf = (bytes: Uint8Array): number => Number(koffi.address(bytes));

test("the 500 golden types are all there", () => expect(CASES.length).toBe(500));

test("golden types have the bounds and packed bytes that Open MPI gave them, whole and in ranges, and unpack", () => {
  for (const golden of CASES) {
    const datatype = parseDatatype(golden.type);
    using type = libstowage().commit(datatype, "open-mpi");
    const text = JSON.stringify(golden.type);
    expect({ size: type.sizeBytes, ...numbers(type) }, text).toEqual({
      size: golden.size,
      lb: golden.lb,
      extent: golden.extent,
      true_lb: golden.true_lb,
      true_extent: golden.true_extent,
    });
    if (golden.size === 0) continue;
    checkBytes(golden, datatype, type, text);
  }
});

const numbers = ({ bounds }: NativeType) => ({
  lb: bounds.lower_bound,
  extent: bounds.extent,
  true_lb: bounds.true_lower_bound,
  true_extent: bounds.true_extent,
});

function checkBytes(golden: Golden, datatype: Datatype, type: NativeType, text: string): void {
  const { count, origin } = golden;
  const source = data(golden.buffer);
  const packed = new Uint8Array(count * golden.size);
  const at = addressOf(source) + origin;
  expect(type.pack(at, count, 0, addressOf(packed), packed.length)).toBe(0);
  expect(createHash("sha256").update(packed).digest("hex"), text).toBe(golden.sha256);
  const pieces = new Uint8Array(packed.length);
  for (const [first, end] of rangesOf(packed.length))
    expect(type.pack(at, count, first, addressOf(pieces) + first, end - first)).toBe(0);
  expect(Buffer.compare(pieces, packed), `in ranges: ${text}`).toBe(0);
  const restored = new Uint8Array(golden.buffer).fill(0xa5);
  const expected = new Uint8Array(golden.buffer).fill(0xa5);
  const map = new Uint8Array(golden.buffer).fill(0);
  // What no element holds stays: the map is made by unpacking ones.
  const ones = new Uint8Array(packed.length).fill(1);
  expect(type.unpack(addressOf(ones), ones.length, 0, addressOf(map) + origin, count)).toBe(0);
  map.forEach((mark, i) => mark === 1 && (expected[i] = source[i] as number));
  expect(map.reduce((sum, mark) => sum + mark, 0)).toBeLessThanOrEqual(packed.length);
  for (const [first, end] of rangesOf(packed.length))
    expect(type.unpack(addressOf(packed) + first, end - first, first, addressOf(restored) + origin, count)).toBe(0);
  expect(Buffer.compare(restored, expected), `unpacked: ${text}`).toBe(0);
  expect(boundsOf(datatype, { bounds: "open-mpi" }).sizeBytes).toBe(golden.size);
}

/** Seven uneven ranges, last to first. */
const rangesOf = (length: number): readonly (readonly [number, number])[] => {
  const cuts = [0, 1, 2, 3, 4, 5, 6].map((i) => Math.floor((length * i * i) / 36));
  return cuts
    .slice(1)
    .map((end, i) => [cuts[i] as number, end] as const)
    .toReversed();
};
