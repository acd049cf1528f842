import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  blocks,
  decodeLayout,
  decodeLayouts,
  dense,
  encodeLayout,
  encodeLayouts,
  layout,
  sequence,
} from "../../src/index.js";
import { stream, uniformBlocks, type EncodedLayouts, type LayoutNode } from "../../src/index.js";
import { anyLayout } from "../byte-map/any-layout.js";

const bounds = { lowerBoundBytes: -3, extentBytes: 64 };

describe("encodeLayout", () => {
  it("keeps every field of every layout, and encodes what it decodes to the same tables", () => {
    fc.assert(
      fc.property(fc.array(anyLayout(), { maxLength: 3 }), (layouts) => {
        const encoded = encodeLayouts(layouts);
        expect(decodeLayouts(encoded)).toEqual(layouts);
        expect(encodeLayouts(decodeLayouts(encoded))).toEqual(encoded);
      }),
      { numRuns: 2000 },
    );
  });

  it("holds shared nodes and tables once, and they come back shared", () => {
    const table = Int32Array.of(0, 16);
    const leaf = uniformBlocks(table, dense(8));
    const shared = sequence([
      { offsetBytes: 0, node: leaf },
      { offsetBytes: 64, node: stream(2, 32, leaf) },
      { offsetBytes: 256, node: blocks(table, table, 4, leaf) },
    ]);
    const encoded = encodeLayouts([layout(0, shared, bounds), layout(8, shared, bounds)]);
    expect(encoded.nodes.length).toBe(5 * 5);
    expect(encoded.tables.length).toBe(3);
    const [one, other] = decodeLayouts(encoded);
    expect(one?.root).toBe(other?.root);
    const members = one?.root.kind === "sequence" ? one.root.members : [];
    const second = members[1]?.node;
    expect(second?.kind === "stream" && second.child).toBe(members[0]?.node);
  });

  it("doubles at each of 50 shared levels, and stays 51 rows", () => {
    let root: LayoutNode = dense(1);
    for (let i = 0; i < 50; i++) {
      root = sequence([
        { offsetBytes: 0, node: root },
        { offsetBytes: 0, node: root },
      ]);
    }
    const encoded = encodeLayout(layout(0, root, bounds));
    expect(encoded.nodes.length).toBe(51 * 5);
    expect(decodeLayout(encoded).sizeBytes).toBe(2 ** 50);
  });

  it("keeps the sign of zero and the width of tables", () => {
    const root = sequence([{ offsetBytes: -0, node: stream(2, -0, blocks(Float64Array.of(-0, 3), 1, -0, dense(1))) }]);
    const decoded = decodeLayout(encodeLayout(layout(-0, root, bounds)));
    expect(Object.is(decoded.startBytes, -0)).toBe(true);
    expect(decoded.root).toStrictEqual(root);
  });

  it("nests 10,000 levels without recursion", () => {
    let root: LayoutNode = dense(4);
    for (let i = 0; i < 10_000; i++) root = stream(1, i, root);
    const decoded = decodeLayout(encodeLayout(layout(0, root, bounds)));
    expect(decoded.root.depth).toBe(10_001);
  });
});

describe("decodeLayout", () => {
  const encoded = encodeLayout(layout(0, stream(3, 16, uniformBlocks(Int32Array.of(0, 2), dense(1))), bounds));
  const withNode = (index: number, value: number): EncodedLayouts => {
    const nodes = encoded.nodes.slice();
    nodes[index] = value;
    return { ...encoded, nodes };
  };

  it.each([
    ["a kind that is none", withNode(0, 4), /^nodes\[0\]: kind of a node: expected a code from 0 to 3, got 4$/],
    ["a negative length", withNode(1, -1), /^nodes\[0\]: length: expected 0 or more, got -1$/],
    [
      "a node that is its own child",
      withNode(6, 1),
      /^nodes\[1\]: row of a node: expected one of the 1 before it, got 1$/,
    ],
    ["a fraction", withNode(13, 1.5), /^nodes\[2\]: stride: expected an integer .*, got 1.5$/],
    ["not a number", withNode(12, NaN), /^nodes\[2\]: count: .*, got NaN$/],
    ["a table that is not there", withNode(8, 7), /^nodes\[1\]: table of displacements: expected one of 1, got 7$/],
    ["part of a row", { ...encoded, nodes: encoded.nodes.slice(1) }, /^nodes: numbers: expected rows of 5, got 14$/],
    ["no layout", { ...encoded, layouts: new Float64Array(0) }, /^encoded layouts: expected one, got 0$/],
    [
      "a displacement that is no integer",
      { ...encoded, tables: [Float64Array.of(0, NaN)] },
      /^nodes\[1\]: displacements\[1\]: expected an integer .*, got NaN$/,
    ],
    [
      "blocklengths of another number",
      { ...withNode(9, 1), tables: [...encoded.tables, Int32Array.of(1)] },
      /^nodes\[1\]: blocklengths: expected 2, one an entry, got 1$/,
    ],
    [
      "a negative blocklength",
      { ...withNode(9, 1), tables: [...encoded.tables, Int32Array.of(1, -1)] },
      /^nodes\[1\]: blocklengths\[1\]: expected 0 or more, got -1$/,
    ],
  ])("refuses %s", (_, wrong, message) => {
    expect(() => decodeLayout(wrong)).toThrow(message);
  });

  it("never decodes random rows to anything but layouts or a typed error", () => {
    const number = fc.oneof(fc.integer({ min: -1, max: 5 }), fc.double());
    fc.assert(
      fc.property(fc.array(number, { maxLength: 20 }), fc.array(number, { maxLength: 8 }), (nodes, layouts) => {
        const random = {
          nodes: Float64Array.from(nodes.slice(0, nodes.length - (nodes.length % 5))),
          layouts: Float64Array.from(layouts.slice(0, layouts.length - (layouts.length % 4))),
          tables: [Int32Array.of(0, 1, 0), Float64Array.of(2, 0, 1)],
        };
        try {
          expect(decodeLayouts(random).length).toBe(random.layouts.length / 4);
        } catch (error) {
          expect((error as Error).name).toBe("DatatypeError");
        }
      }),
      { numRuns: 2000 },
    );
  });
});
