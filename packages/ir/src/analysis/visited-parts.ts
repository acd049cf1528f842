import { isRunGroup, type RunGroup } from "../byte-map/run-group.js";
import type { IntegerTable } from "../integer-table.js";
import { childrenOfNode } from "../layout/children.js";
import type { Blocks, LayoutNode } from "../layout/node.js";
import { nodesInPostOrder } from "./nodes-in-post-order.js";

/** What a walk over a node meets, each part as often as it is visited. */
export interface VisitedParts {
  /** How often an innermost loop is entered. */
  readonly groups: number;
  /** Blocks whose places come from a table. */
  readonly tableBlocks: number;
  /** Blocks whose places and lengths come from tables. */
  readonly raggedBlocks: number;
  /**
   * Cache lines of 64 bytes that are touched, counted anew where a block returns to one that the walk left: a mean
   * over the places that the alignment allows, so no whole number.
   */
  readonly lines: number;
  /** Sectors of 32 bytes (a GPU's unit of a memory access), counted as lines are. */
  readonly sectors: number;
  /** Pages of 4 KiB, counted as lines are. */
  readonly pages: number;
}

const LINE_BYTES = 64;
const SECTOR_BYTES = 32;
const PAGE_BYTES = 4096;

const NOTHING: VisitedParts = Object.freeze({
  groups: 0,
  tableBlocks: 0,
  raggedBlocks: 0,
  lines: 0,
  sectors: 0,
  pages: 0,
});

/** `alignmentBytes` divides each place and length. O(nodes + members + table entries). */
export function visitedParts(root: LayoutNode, alignmentBytes: number): VisitedParts {
  const parts = new Map<LayoutNode, VisitedParts>();
  const of = (node: LayoutNode): VisitedParts => parts.get(node) ?? NOTHING;
  for (const node of nodesInPostOrder(root)) {
    const sum = isRunGroup(node) ? ofGroup(node, alignmentBytes) : ofChildren(node, of);
    parts.set(node, withinSpan(sum, node, alignmentBytes));
  }
  return of(root);
}

function ofGroup(group: RunGroup, alignmentBytes: number): VisitedParts {
  if (group.sizeBytes === 0) return NOTHING;
  const isTable = group.kind === "blocks";
  const touched = (unitBytes: number): number =>
    isTable ? tableUnits(group, unitBytes) : blockUnits(group, unitBytes, alignmentBytes);
  return {
    groups: 1,
    tableBlocks: isTable ? group.blockCount : 0,
    raggedBlocks: isTable && group.blocklengths !== 1 ? group.blockCount : 0,
    lines: touched(LINE_BYTES),
    sectors: touched(SECTOR_BYTES),
    pages: touched(PAGE_BYTES),
  };
}

/** A block of n bytes at a multiple of a touches n / unit + 1 - a / unit units on average. */
function blockUnits({ sizeBytes, blockCount }: RunGroup, unitBytes: number, alignmentBytes: number): number {
  const within = Math.min(1, alignmentBytes / unitBytes);
  return sizeBytes / unitBytes + blockCount * (1 - within);
}

/** Units from the start of one block of a table to that of the next, as they follow each other. */
function tableUnits({ displacementsBytes, blocklengths, child }: Blocks, unitBytes: number): number {
  let units = 0;
  let last = NaN;
  for (let i = 0; i < displacementsBytes.length; i++) {
    const copies = blocklengths === 1 ? 1 : (blocklengths[i] as number);
    if (copies === 0) continue;
    const start = displacementsBytes[i] as number;
    const first = Math.floor(start / unitBytes);
    const end = Math.floor((start + copies * child.sizeBytes - 1) / unitBytes);
    units += end - first + (first === last ? 0 : 1);
    last = end;
  }
  return units;
}

function ofChildren(node: LayoutNode, of: (node: LayoutNode) => VisitedParts): VisitedParts {
  if (node.sizeBytes === 0) return NOTHING;
  if (node.kind === "stream") return times(of(node.child), node.count);
  if (node.kind === "blocks") return times(of(node.child), copiesIn(node));
  return childrenOfNode(node).reduce((sum, child) => plus(sum, of(child)), NOTHING);
}

const copiesIn = ({ displacementsBytes, blocklengths }: Blocks): number =>
  blocklengths === 1 ? displacementsBytes.length : sumOf(blocklengths);

function sumOf(table: IntegerTable): number {
  let sum = 0;
  for (const value of table) sum += value;
  return sum;
}

const NAMES = ["groups", "tableBlocks", "raggedBlocks", "lines", "sectors", "pages"] as const;

const each = (of: (name: (typeof NAMES)[number]) => number): VisitedParts => ({
  groups: of("groups"),
  tableBlocks: of("tableBlocks"),
  raggedBlocks: of("raggedBlocks"),
  lines: of("lines"),
  sectors: of("sectors"),
  pages: of("pages"),
});

const times = (parts: VisitedParts, copies: number): VisitedParts => each((name) => parts[name] * copies);
const plus = (a: VisitedParts, b: VisitedParts): VisitedParts => each((name) => a[name] + b[name]);

/** No node touches more units than it spans. */
function withinSpan(parts: VisitedParts, node: LayoutNode, alignmentBytes: number): VisitedParts {
  if (node.sizeBytes === 0) return NOTHING;
  const span = node.highBytes - node.lowBytes;
  const most = (unitBytes: number): number =>
    Math.max(1, span / unitBytes + 1 - Math.min(1, alignmentBytes / unitBytes));
  return {
    ...parts,
    lines: Math.min(parts.lines, most(LINE_BYTES)),
    sectors: Math.min(parts.sectors, most(SECTOR_BYTES)),
    pages: Math.min(parts.pages, most(PAGE_BYTES)),
  };
}
