import type { IntegerTable } from "../integer-table.js";
import { requireLayout, type Layout } from "./layout.js";
import type { Blocks, LayoutNode } from "./node.js";

/** Entries of a table that are printed, and members of a sequence. */
const SHOWN = 6;

/** Levels that are printed: deeper ones are counted. */
const DEEPEST = 32;

/** A layout as indented text, one node a line; long tables and sequences are cut short and say so. */
export function printLayout(layout: Layout): string {
  requireLayout(layout);
  const { startBytes, root, sizeBytes, lowerBoundBytes, extentBytes } = layout;
  const head = `${sizeBytes} bytes from ${startBytes}, lower bound ${lowerBoundBytes}, extent ${extentBytes}`;
  return [head, ...nodeLines(root)].join("\n");
}

interface Pending {
  readonly node: LayoutNode;
  readonly level: number;
  readonly prefix: string;
}

function nodeLines(root: LayoutNode): string[] {
  const lines: string[] = [];
  const stack: Pending[] = [{ node: root, level: 1, prefix: "" }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const indent = "  ".repeat(top.level);
    if (top.level > DEEPEST) {
      lines.push(`${indent}.. ${top.node.depth} more levels`);
      continue;
    }
    lines.push(`${indent}${top.prefix}${headOf(top.node)}`);
    stack.push(...below(top.node, top.level + 1).reverse());
  }
  return lines;
}

function headOf(node: LayoutNode): string {
  switch (node.kind) {
    case "dense":
      return `dense ${node.lengthBytes} B`;
    case "stream":
      return `stream ${node.count} x, stride ${node.strideBytes} B`;
    case "blocks":
      return blocksHead(node);
    case "sequence":
      return `sequence of ${node.members.length}${node.members.length > SHOWN ? `, the first ${SHOWN} of them` : ""}`;
  }
}

function blocksHead({ displacementsBytes, blocklengths, strideBytes }: Blocks): string {
  const at = `${displacementsBytes.length} blocks at ${tableText(displacementsBytes)}`;
  return blocklengths === 1 ? at : `${at}, of ${tableText(blocklengths)} copies, stride ${strideBytes} B`;
}

function tableText(table: IntegerTable): string {
  const shown = Array.from(table.subarray(0, SHOWN)).join(", ");
  return `[${shown}${table.length > SHOWN ? ", .." : ""}]`;
}

function below(node: LayoutNode, level: number): Pending[] {
  switch (node.kind) {
    case "dense":
      return [];
    case "stream":
    case "blocks":
      return [{ node: node.child, level, prefix: "" }];
    case "sequence":
      return node.members
        .slice(0, SHOWN)
        .map(({ offsetBytes, node: member }) => ({ node: member, level, prefix: `at ${offsetBytes}: ` }));
  }
}
