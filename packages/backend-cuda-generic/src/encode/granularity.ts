import type { IntegerTable, LayoutNode } from "@stowage/ir";

/** The widest word a thread moves. */
export const WIDEST_WORD_BYTES = 16;

const residue = (value: number): number => ((value % WIDEST_WORD_BYTES) + WIDEST_WORD_BYTES) % WIDEST_WORD_BYTES;

/** The largest power of two up to 16 that divides all of the values. */
export function commonAlignment(values: Iterable<number>): number {
  let residues = 0;
  for (const value of values) residues |= residue(value);
  return residues === 0 ? WIDEST_WORD_BYTES : residues & -residues;
}

/**
 * The widest word into which one element falls: a power of two that divides every run's length and every offset,
 * in memory and in the packed stream.
 */
export function granularityOf(root: LayoutNode): number {
  const seen = new Set<LayoutNode>([root]);
  let residues = 0;
  for (const node of seen) {
    if (node.sizeBytes === 0) continue;
    switch (node.kind) {
      case "dense":
        residues |= residue(node.lengthBytes);
        break;
      case "stream":
        residues |= residue(node.strideBytes);
        seen.add(node.child);
        break;
      case "blocks":
        residues |= tableResidues(node.displacementsBytes, 1);
        if (isRuns(node)) residues |= runResidues(node.blocklengths, node.child.sizeBytes);
        else {
          if (node.blocklengths !== 1) residues |= residue(node.strideBytes);
          seen.add(node.child);
        }
        break;
      case "sequence":
        for (const { offsetBytes, node: member } of node.members) {
          residues |= residue(offsetBytes);
          seen.add(member);
        }
        break;
    }
  }
  return residues === 0 ? WIDEST_WORD_BYTES : residues & -residues;
}

/** Whether each block is one run of bytes: a dense child at its own length. */
export const isRuns = (node: Extract<LayoutNode, { kind: "blocks" }>): boolean =>
  node.child.kind === "dense" && (node.blocklengths === 1 || node.strideBytes === node.child.lengthBytes);

function tableResidues(table: IntegerTable, scale: number): number {
  let residues = 0;
  for (const value of table) residues |= residue(value * scale);
  return residues;
}

const runResidues = (blocklengths: 1 | IntegerTable, childBytes: number): number =>
  blocklengths === 1 ? residue(childBytes) : tableResidues(blocklengths, childBytes % WIDEST_WORD_BYTES);
