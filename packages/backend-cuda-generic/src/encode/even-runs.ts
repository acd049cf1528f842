import { integerTable, type IntegerTable, type LayoutNode } from "@stowage/ir";

type Blocks = Extract<LayoutNode, { kind: "blocks" }>;

/** Equal pieces of runs: each one's displacement. */
export interface EvenRuns {
  readonly unitBytes: number;
  readonly displacementsBytes: IntegerTable;
}

/** A listed piece takes one table entry, a searched block two and its bucket: up to here listing pieces is less. */
const MOST_PIECES_A_BLOCK = 2;

/**
 * Runs of bytes cut into equal pieces, the longest that divide every run; undefined where there would be more than
 * two pieces a block. A list of mostly equal blocks, a few of which touch, then needs no search.
 */
export function evenRuns(node: Blocks): EvenRuns | undefined {
  const { blocklengths, child, displacementsBytes } = node;
  if (blocklengths === 1) return undefined;
  const unit = greatestCommonDivisor(blocklengths);
  const pieces = node.sizeBytes / (Math.max(1, unit) * child.sizeBytes);
  if (unit === 0 || pieces > MOST_PIECES_A_BLOCK * blocklengths.length) return undefined;
  const unitBytes = unit * child.sizeBytes;
  const displacements = new Float64Array(pieces);
  let piece = 0;
  for (let block = 0; block < blocklengths.length; block++) {
    const start = displacementsBytes[block] as number;
    const end = start + (blocklengths[block] as number) * child.sizeBytes;
    for (let at = start; at < end; at += unitBytes) displacements[piece++] = at;
  }
  return { unitBytes, displacementsBytes: integerTable(pieces, (i) => displacements[i] as number) };
}

function greatestCommonDivisor(values: IntegerTable): number {
  let divisor = 0;
  for (const value of values) {
    let [a, b] = [divisor, value];
    while (b !== 0) [a, b] = [b, a % b];
    divisor = a;
    if (divisor === 1) break;
  }
  return divisor;
}
