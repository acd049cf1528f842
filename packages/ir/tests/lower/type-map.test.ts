import fc from "fast-check";
import { expect, test } from "vitest";
import { boundsOf, lower, signatureOf, type Layout, type LayoutNode } from "../../src/index.js";
import { anyDatatype } from "../datatype/any-datatype.js";
import { extent, limits, typeMap } from "../datatype/type-map.js";

const RUNS = { numRuns: 1_000 };
const smallDatatype = anyDatatype().filter((type) => signatureOf(type).elements <= 2_000);

/** The offset of every byte that a layout moves, in packed order. */
function byteMap(layout: Layout): readonly number[] {
  const bytes: number[] = [];
  const walk = (node: LayoutNode, at: number): void => {
    switch (node.kind) {
      case "dense":
        for (let i = 0; i < node.lengthBytes; i++) bytes.push(at + i);
        return;
      case "stream":
        for (let i = 0; i < node.count; i++) walk(node.child, at + i * node.strideBytes);
        return;
      case "blocks":
        node.displacementsBytes.forEach((displacement, i) => {
          const copies = node.blocklengths === 1 ? 1 : (node.blocklengths[i] ?? 0);
          for (let j = 0; j < copies; j++) walk(node.child, at + displacement + j * node.strideBytes);
        });
        return;
      case "sequence":
        node.members.forEach((member) => walk(member.node, at + member.offsetBytes));
    }
  };
  walk(layout.root, layout.startBytes);
  return bytes;
}

test("the lowered layout has the bytes of the type map, in its order", () => {
  fc.assert(
    fc.property(smallDatatype, (type) => {
      const expected = typeMap(type).entries.flatMap(({ offsetBytes, lengthBytes }) =>
        Array.from({ length: lengthBytes }, (_, i) => offsetBytes + i),
      );
      expect(byteMap(lower(type))).toEqual(expected);
    }),
    RUNS,
  );
});

test("size and bounds are those of the type map", () => {
  fc.assert(
    fc.property(smallDatatype, (type) => {
      const map = typeMap(type);
      const starts = map.entries.map(({ offsetBytes }) => offsetBytes);
      const ends = map.entries.map(({ offsetBytes, lengthBytes }) => offsetBytes + lengthBytes);
      const trueLowerBoundBytes = starts.length === 0 ? 0 : Math.min(...starts);
      expect(boundsOf(type)).toEqual({
        sizeBytes: map.entries.reduce((sum, { lengthBytes }) => sum + lengthBytes, 0),
        lowerBoundBytes: limits(map)[0],
        extentBytes: extent(map),
        trueLowerBoundBytes,
        trueExtentBytes: starts.length === 0 ? 0 : Math.max(...ends) - trueLowerBoundBytes,
        alignmentBytes: map.alignment,
        hasExplicitBounds: map.lowerMarkers.length > 0,
      });
    }),
    RUNS,
  );
});

test("a layout's own facts agree with the datatype's bounds", () => {
  fc.assert(
    fc.property(anyDatatype(), fc.constantFrom("standard", "open-mpi", "mpich"), (type, bounds) => {
      const layout = lower(type, { bounds });
      const expected = boundsOf(type, { bounds });
      expect(layout).toMatchObject({
        sizeBytes: expected.sizeBytes,
        lowerBoundBytes: expected.lowerBoundBytes,
        extentBytes: expected.extentBytes,
        trueLowerBoundBytes: expected.trueLowerBoundBytes,
        trueExtentBytes: expected.trueExtentBytes,
      });
    }),
    RUNS,
  );
});
