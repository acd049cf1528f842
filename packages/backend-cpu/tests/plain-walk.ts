import type { Layout, LayoutNode } from "@stowage/ir";
import { expect } from "vitest";

/** The offset of every byte of `count` elements, in packed order: written for clarity, and sharing nothing with src. */
export function plainWalk(element: Layout, count = 1): number[] {
  const offsets: number[] = [];
  for (let i = 0; i < count; i++) walk(element.root, element.startBytes + i * element.extentBytes, offsets);
  return offsets;
}

function walk(node: LayoutNode, at: number, offsets: number[]): void {
  switch (node.kind) {
    case "dense":
      for (let i = 0; i < node.lengthBytes; i++) offsets.push(at + i);
      return;
    case "stream":
      for (let i = 0; i < node.count; i++) walk(node.child, at + i * node.strideBytes, offsets);
      return;
    case "blocks":
      node.displacementsBytes.forEach((displacement, i) => {
        const copies = node.blocklengths === 1 ? 1 : (node.blocklengths[i] as number);
        for (let k = 0; k < copies; k++) walk(node.child, at + displacement + k * node.strideBytes, offsets);
      });
      return;
    case "sequence":
      for (const { offsetBytes, node: member } of node.members) walk(member, at + offsetBytes, offsets);
  }
}

/** Memory that holds `count` elements, its bytes all told apart, and where the datatype's address 0 lies in it. */
export function memoryFor(offsets: readonly number[], slack = 8): { bytes: Uint8Array; originBytes: number } {
  let low = 0;
  let high = 0;
  for (const offset of offsets) {
    low = Math.min(low, offset);
    high = Math.max(high, offset + 1);
  }
  const bytes = Uint8Array.from({ length: high - low + 2 * slack }, (_, i) => (i * 131 + (i >> 8) * 17 + 7) & 255);
  return { bytes, originBytes: slack - low };
}

export function plainPack(bytes: Uint8Array, originBytes: number, offsets: readonly number[]): Uint8Array {
  return Uint8Array.from(offsets, (offset) => bytes[originBytes + offset] as number);
}

/** toEqual for bytes, without its cost: the first byte that differs, if one does. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual.length).toBe(expected.length);
  expect(actual.findIndex((byte, i) => byte !== expected[i])).toBe(-1);
}
