import { expect, test } from "vitest";
import { hvector, lower, predefined } from "@stowage/ir";
import {
  addressesOf,
  addressSpace,
  BindingError,
  hostMemory,
  withinRegions,
  type Buffer,
  type Memory,
} from "../src/index.js";

/** Five rows of 8 bytes, 16 apart. */
const layout = lower(hvector(5, 8, 16, predefined("MPI_BYTE")));
const rows = { startBytes: 0, rowBytes: 8, dimensions: [{ count: 5, strideBytes: 16 }] };
const device = (sizeBytes: number, address: number): Buffer => ({ kind: "device", sizeBytes, address });

function placed(memory: Memory) {
  const target = { memory: device(64, 0), originBytes: 0 };
  const binding = { source: { memory, originBytes: 0 }, target, count: 1, first: 0, length: layout.sizeBytes };
  return Array.from(
    withinRegions(addressesOf(layout, "source", 0, binding), { box: rows, packedBytes: 0 }),
    (part) => ({
      address: part.originAddress + part.box.startBytes,
      rowBytes: part.box.rowBytes,
      counts: part.box.dimensions.map(({ count }) => count),
      packedBytes: part.packedBytes,
    }),
  );
}

test("a box is cut into parts of one region each, a row where regions touch", () => {
  const space = addressSpace([
    { startBytes: 0, buffer: device(20, 1000) },
    { startBytes: 20, buffer: device(20, 5000) },
    { startBytes: 44, buffer: device(36, 9000) },
  ]);
  expect(placed(space)).toEqual([
    { address: 1000, rowBytes: 8, counts: [], packedBytes: 0 },
    { address: 1016, rowBytes: 4, counts: [], packedBytes: 8 },
    { address: 5000, rowBytes: 4, counts: [], packedBytes: 12 },
    { address: 5012, rowBytes: 8, counts: [], packedBytes: 16 },
    { address: 9004, rowBytes: 8, counts: [2], packedBytes: 24 },
  ]);
});

test("a box within one region stays whole", () => {
  expect(placed(device(72, 1000))).toEqual([{ address: 1000, rowBytes: 8, counts: [5], packedBytes: 0 }]);
});

test("rows outside all regions, and memory without an address, are refused", () => {
  const hole = addressSpace([
    { startBytes: 0, buffer: device(40, 1000) },
    { startBytes: 64, buffer: device(16, 9000) },
  ]);
  expect(() => placed(hole)).toThrow(BindingError);
  expect(() => placed(hostMemory(new Uint8Array(72)))).toThrow(
    "source of move 0: expected memory with an address that the device reaches",
  );
});
