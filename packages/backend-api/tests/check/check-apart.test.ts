import { dense, layout, stream, type Layout, type LayoutNode } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addressSpace,
  BindingError,
  checkApart,
  checkBindings,
  conditions,
  copyMove,
  hostMemory,
  packMove,
  reachOf,
  unpackMove,
  type Binding,
  type Buffer,
  type Memory,
} from "../../src/index.js";

const element = (root: LayoutNode, extentBytes = 256): Layout => layout(0, root, { lowerBoundBytes: 0, extentBytes });
/** Columns of a matrix whose rows are 64 bytes. */
const columns = (bytes: number): Layout => element(stream(4, 64, dense(bytes)));
const bound = (memory: Memory, sourceBytes: number, targetBytes: number, other: Memory = memory): Binding => ({
  source: { memory, originBytes: sourceBytes },
  target: { memory: other, originBytes: targetBytes },
  count: 1,
  first: 0,
  length: 32,
});

const ALL = { count: 1, first: 0, length: 32 };

describe("checkApart", () => {
  const eight = columns(8);
  const move = copyMove(eight, eight);
  const matrix = hostMemory(new Uint8Array(256));

  it("lets one column of a matrix be copied to another", () => checkApart(0, move, bound(matrix, 0, 8)));

  it("refuses columns that share a byte, and says which", () => {
    expect(() => checkApart(3, move, bound(matrix, 0, 7))).toThrow(
      "target of move 3: expected bytes apart from the source's, got byte 7 in both",
    );
    expect(() => checkApart(0, move, bound(matrix, 7, 0))).toThrow(BindingError);
  });

  it("knows two views of one buffer for one memory", () => {
    const bytes = new Uint8Array(512);
    const [first, second] = [hostMemory(bytes.subarray(0, 256)), hostMemory(bytes.subarray(8, 264))];
    checkApart(0, move, bound(first, 0, 0, second));
    expect(() => checkApart(0, move, bound(first, 8, 0, second))).toThrow("got byte 8 in both");
  });

  it("compares addresses, and regions of address spaces", () => {
    const at = (address: number): Buffer => ({ kind: "device", device: 0, sizeBytes: 256, address });
    checkApart(0, move, bound(at(4096), 0, 0, at(8192)));
    expect(() => checkApart(0, move, bound(at(4096), 0, 0, at(4096 + 64)))).toThrow("got byte 4160 in both");
    const space = addressSpace([{ startBytes: 1000, buffer: matrix }]);
    checkApart(0, move, bound(space, 1000, 0, hostMemory(new Uint8Array(256))));
    expect(() => checkApart(0, move, bound(space, 1000, 0, matrix))).toThrow(BindingError);
  });

  it("agrees with a walk over every byte", () => {
    const side = fc.record({
      count: fc.constantFrom(1, 2, 4, 8),
      strideBytes: fc.integer({ min: -20, max: 20 }),
      at: fc.integer({ min: 200, max: 300 }),
    });
    const memory = hostMemory(new Uint8Array(600));
    fc.assert(
      fc.property(side, side, (from, to) => {
        const nodes = [from, to].map(({ count, strideBytes }) => element(stream(count, strideBytes, dense(8 / count))));
        const bytesOf = ({ count, strideBytes, at }: typeof from): Set<number> =>
          new Set(
            Array.from({ length: 8 }, (_, i) => at + Math.floor(i / (8 / count)) * strideBytes + (i % (8 / count))),
          );
        const written = bytesOf(to);
        const check = (): void =>
          checkApart(0, copyMove(nodes[0]!, nodes[1]!), { ...bound(memory, from.at, to.at), length: 8 });
        if ([...bytesOf(from)].some((byte) => written.has(byte))) expect(check).toThrow(BindingError);
        else check();
      }),
    );
  });

  it("refuses what meets where there are too many blocks to look at", () => {
    const many = element(stream(2 ** 18, 64, dense(8)), 2 ** 24);
    const huge: Buffer = { kind: "host", sizeBytes: 2 ** 25, address: 4096 };
    const binding = { ...bound(huge, 0, 8), length: 2 ** 21 };
    expect(() => checkApart(0, copyMove(many, many), binding)).toThrow(
      "target of move 0: expected memory whose reach is apart from the source's, got one that meets it",
    );
  });
});

describe("checkBindings, of sides that meet", () => {
  const matrix = hostMemory(new Uint8Array(512));
  const eight = columns(8);
  const moves = { pack: packMove(eight), unpack: unpackMove(eight), copy: copyMove(eight, eight) };

  it.each(Object.entries(moves))("refuses a %s of bytes onto themselves", (_, move) =>
    expect(() => checkBindings([move], [bound(matrix, 0, 0)], conditions())).toThrow(
      "target of move 0: expected bytes apart from the source's, got byte 0 in both",
    ),
  );

  it.each(Object.entries(moves))("refuses a %s whose last byte is the first of the other side", (_, move) => {
    const [source, target] = [reachOf(move.source, ALL), reachOf(move.target, ALL)].map((reach) => reach.highBytes);
    for (const [from, to] of [
      [target! - 1, 0],
      [0, source! - 1],
    ] as const)
      expect(() => checkBindings([move], [bound(matrix, from, to)], conditions())).toThrow("bytes apart");
    checkBindings([move], [bound(matrix, 0, source!)], conditions());
    checkBindings([move], [bound(matrix, target!, 0)], conditions());
  });

  it("lets a packed stream lie in a gap of what it is packed from", () =>
    checkBindings([moves.pack], [bound(matrix, 0, 8)], conditions()));

  it("asks nothing of a range of no bytes", () =>
    checkBindings([moves.pack], [{ ...bound(matrix, 0, 0), length: 0 }], conditions()));

  it("looks at no block of regions that are apart, however many there are", () => {
    const many = element(stream(2 ** 18, 64, dense(8)), 2 ** 24);
    const half = (address: number): Buffer => ({ kind: "host", sizeBytes: 2 ** 23, address });
    const space = addressSpace([0, 2 ** 23].map((at) => ({ startBytes: at, buffer: half(2 ** 30 + 2 * at) })));
    const binding = { ...bound(space, 0, 0, half(2 ** 40)), length: 2 ** 21 };
    checkBindings([packMove(many)], [binding], conditions());
  });
});
