import { DatatypeError } from "../errors.js";
import { layout, type Layout } from "../layout/layout.js";
import { EncodedReader } from "./encoded-reader.js";
import { LAYOUT_COLUMNS, NODE_COLUMNS, type EncodedLayouts } from "./encoded-layouts.js";
import { decodeNode } from "./decode-node.js";
import { requireArray, requireObject } from "../checks/require-argument.js";
import { requireTable } from "../integer-table.js";

/** The layout that encodeLayout made these tables of. Throws a DatatypeError where they are not its output. */
export function decodeLayout(encoded: EncodedLayouts): Layout {
  const [only, ...more] = decodeLayouts(encoded);
  if (only === undefined || more.length > 0) {
    const got = String(only === undefined ? 0 : more.length + 1);
    throw new DatatypeError({ subject: "encoded layouts", expected: "one", got });
  }
  return only;
}

/** The layouts that encodeLayouts made these tables of, in order. Throws a DatatypeError where they are none. */
export function decodeLayouts(encoded: EncodedLayouts): readonly Layout[] {
  requireEncoded(encoded);
  const reader = new EncodedReader(encoded.tables);
  const nodeCount = rowCount("nodes", encoded.nodes, NODE_COLUMNS);
  for (let row = 0; row < nodeCount; row++) {
    reader.open(`nodes[${row}]`, encoded.nodes.subarray(row * NODE_COLUMNS, (row + 1) * NODE_COLUMNS));
    reader.nodes.push(decodeNode(reader));
  }
  return Array.from({ length: rowCount("layouts", encoded.layouts, LAYOUT_COLUMNS) }, (_, row) => {
    reader.open(`layouts[${row}]`, encoded.layouts.subarray(row * LAYOUT_COLUMNS, (row + 1) * LAYOUT_COLUMNS));
    const bounds = { lowerBoundBytes: reader.integer(2, "lower bound"), extentBytes: reader.integer(3, "extent") };
    return layout(reader.integer(1, "start"), reader.node(0), bounds);
  });
}

function requireEncoded(encoded: EncodedLayouts): void {
  const { nodes, layouts, tables } = requireObject(encoded, "encoded layouts", "an object of nodes, layouts, tables");
  requireTable(nodes, "nodes of encoded layouts");
  requireTable(layouts, "rows of encoded layouts");
  requireArray(tables, "tables of encoded layouts", "a list of tables");
  for (const table of tables) requireTable(table, "table of encoded layouts");
}

function rowCount(path: string, table: Float64Array, columns: number): number {
  if (table.length % columns === 0) return table.length / columns;
  throw new DatatypeError({ path, subject: "numbers", expected: `rows of ${columns}`, got: String(table.length) });
}
