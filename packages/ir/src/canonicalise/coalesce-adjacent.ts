import { integerTable, type IntegerTable } from "../integer-table.js";
import { blocks } from "../layout/blocks.js";
import { dense } from "../layout/dense.js";
import { sequence } from "../layout/sequence.js";
import { inPlace, type Pass } from "./pass.js";
import type { Blocks, Member, Sequence } from "../layout/node.js";

/**
 * Precondition: dense runs that follow each other in packed order and touch in memory. Equation:
 * dense(L) at d, dense(M) at d + L = dense(L + M) at d; for members of a sequence and for blocks of bytes.
 */
export const coalesceAdjacent: Pass = {
  name: "coalesceAdjacent",
  rewrite(node) {
    if (node.kind === "sequence") return coalesceMembers(node);
    return node.kind === "blocks" ? coalesceBlocks(node) : undefined;
  },
};

function coalesceMembers({ members }: Sequence): Member | undefined {
  const joined: Member[] = [];
  for (const member of members) {
    const last = joined.at(-1);
    if (last?.node.kind === "dense" && member.node.kind === "dense" && touches(last, member)) {
      joined[joined.length - 1] = { ...last, node: dense(last.node.lengthBytes + member.node.lengthBytes) };
    } else joined.push(member);
  }
  return joined.length === members.length ? undefined : inPlace(sequence(joined));
}

const touches = (a: Member, b: Member): boolean => a.offsetBytes + a.node.sizeBytes === b.offsetBytes;

function coalesceBlocks({ displacementsBytes, blocklengths, strideBytes, child }: Blocks): Member | undefined {
  if (child.kind !== "dense" || (blocklengths !== 1 && (strideBytes !== 1 || child.lengthBytes !== 1)))
    return undefined;
  const touching =
    blocklengths === 1
      ? countAt(displacementsBytes, child.lengthBytes)
      : countTouching(displacementsBytes, blocklengths);
  if (touching === 0) return undefined;
  const lengthAt = blocklengths === 1 ? () => child.lengthBytes : (i: number) => blocklengths[i] as number;
  return inPlace(joinedRuns(displacementsBytes, lengthAt, displacementsBytes.length - touching));
}

/** Blocks that begin where the one before ends, all being of one length. */
function countAt(displacements: IntegerTable, lengthBytes: number): number {
  let count = 0;
  for (let i = 1; i < displacements.length; i++) {
    if ((displacements[i] as number) - (displacements[i - 1] as number) === lengthBytes) count++;
  }
  return count;
}

/** Blocks that begin where the one before ends. */
function countTouching(displacements: IntegerTable, lengths: IntegerTable): number {
  let count = 0;
  for (let i = 1; i < displacements.length; i++) {
    if ((displacements[i] as number) - (displacements[i - 1] as number) === lengths[i - 1]) count++;
  }
  return count;
}

function joinedRuns(displacements: IntegerTable, lengthAt: (i: number) => number, runCount: number): Blocks {
  const starts = new Float64Array(runCount);
  const lengths = new Float64Array(runCount);
  let run = -1;
  let endBytes = NaN;
  for (let i = 0; i < displacements.length; i++) {
    const start = displacements[i] as number;
    if (start !== endBytes) starts[++run] = start;
    lengths[run] = (lengths[run] as number) + lengthAt(i);
    endBytes = start + lengthAt(i);
  }
  return blocks(narrowed(starts), narrowed(lengths), 1, dense(1));
}

const narrowed = (wide: Float64Array): IntegerTable => integerTable(wide.length, (i) => wide[i] as number);
