import type { IntegerTable } from "../integer-table.js";
import { requireArray } from "../checks/require-argument.js";
import { requireLayout, type Layout } from "../layout/layout.js";
import type { LayoutNode, Sequence } from "../layout/node.js";
import { visitNodes } from "../layout/visit-nodes.js";
import { KIND_CODES, LAYOUT_COLUMNS, NODE_COLUMNS, ONE_COPY, type EncodedLayouts } from "./encoded-layouts.js";

/** One layout as flat tables; decodeLayout is its inverse. */
export const encodeLayout = (layout: Layout): EncodedLayouts => encodeLayouts([layout]);

/** Layouts as flat tables, what they share held once. Linear in distinct nodes, which may nest to any depth. */
export function encodeLayouts(layouts: readonly Layout[]): EncodedLayouts {
  for (const layout of requireArray(layouts, "layouts to encode", "a list of layouts")) requireLayout(layout);
  const rows = new Map<LayoutNode, number>();
  const tables = new Map<IntegerTable, number>();
  const encoded: NodeRow[] = [];
  for (const { root } of layouts) {
    visitNodes(
      root,
      (node) => rows.has(node),
      (node) => {
        encoded.push(nodeRow(node, rows, tables));
        rows.set(node, rows.size);
      },
    );
  }
  return Object.freeze({
    nodes: flattened(encoded, NODE_COLUMNS),
    layouts: flattened(
      layouts.map(({ root, startBytes, lowerBoundBytes, extentBytes }) => [
        rowOf(rows, root),
        startBytes,
        lowerBoundBytes,
        extentBytes,
      ]),
      LAYOUT_COLUMNS,
    ),
    tables: Object.freeze([...tables.keys()]),
  });
}

type NodeRow = readonly number[];

function nodeRow(node: LayoutNode, rows: Map<LayoutNode, number>, tables: Map<IntegerTable, number>): NodeRow {
  const kind = KIND_CODES[node.kind];
  switch (node.kind) {
    case "dense":
      return [kind, node.lengthBytes];
    case "stream":
      return [kind, rowOf(rows, node.child), node.count, node.strideBytes];
    case "blocks": {
      const displacements = tableIndex(tables, node.displacementsBytes);
      const blocklengths = node.blocklengths === 1 ? ONE_COPY : tableIndex(tables, node.blocklengths);
      return [kind, rowOf(rows, node.child), node.strideBytes, displacements, blocklengths];
    }
    case "sequence":
      return [kind, tableIndex(tables, offsetsOf(node)), tableIndex(tables, membersOf(node, rows))];
  }
}

/** As doubles: a table of 4-byte integers would lose the sign of -0. */
const offsetsOf = ({ members }: Sequence): Float64Array => Float64Array.from(members, (member) => member.offsetBytes);

const membersOf = ({ members }: Sequence, rows: Map<LayoutNode, number>): Int32Array =>
  Int32Array.from(members, (member) => rowOf(rows, member.node));

/** Children come first in post-order, so that a parent finds them. */
const rowOf = (rows: Map<LayoutNode, number>, node: LayoutNode): number => rows.get(node) as number;

function tableIndex(tables: Map<IntegerTable, number>, table: IntegerTable): number {
  const known = tables.get(table);
  if (known !== undefined) return known;
  tables.set(table, tables.size);
  return tables.size - 1;
}

function flattened(rows: readonly (readonly number[])[], columns: number): Float64Array {
  const table = new Float64Array(rows.length * columns);
  rows.forEach((row, i) => table.set(row, i * columns));
  return table;
}
