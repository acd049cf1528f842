import type { IntegerTable } from "../integer-table.js";
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
  kinds: ["blocks", "sequence"],
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

function coalesceBlocks({
  displacementsBytes,
  blocklengths,
  strideBytes,
  child,
  sizeBytes,
  touchingBlocks,
}: Blocks): Member | undefined {
  if (child.kind !== "dense" || (blocklengths !== 1 && (strideBytes !== 1 || child.lengthBytes !== 1)))
    return undefined;
  if (touchingBlocks === 0) return undefined;
  const empty = emptyRuns(displacementsBytes.length - touchingBlocks, displacementsBytes, sizeBytes);
  const { starts, lengths } =
    blocklengths === 1
      ? joinedPieces(displacementsBytes, child.lengthBytes, empty)
      : joinedRuns(displacementsBytes, blocklengths, empty);
  return inPlace(blocks(starts, lengths, 1, BYTE));
}

const BYTE = dense(1);

interface Runs {
  readonly starts: IntegerTable;
  readonly lengths: IntegerTable;
}

/**
 * Tables for so many runs of these blocks: starts are among the blocks' own, lengths are no longer than all of them.
 */
const emptyRuns = (count: number, displacements: IntegerTable, sizeBytes: number): Runs => ({
  starts: displacements instanceof Int32Array ? new Int32Array(count) : new Float64Array(count),
  lengths: sizeBytes < 2 ** 31 ? new Int32Array(count) : new Float64Array(count),
});

// Whether blocks touch is as good as random in an irregular list: both loops below are free of branches, as Number() of
// a comparison is; how many do, blocks know. They go from the last block to the first, so that the first of a run is
// the last to be written.

/** Pieces of one length, joined where one begins at the end of the one before, in tables for as many as that makes. */
function joinedPieces(displacements: IntegerTable, lengthBytes: number, { starts, lengths }: Runs): Runs {
  let run = starts.length - 1;
  for (let i = displacements.length - 1; i > 0; i--) {
    const start = displacements[i] as number;
    starts[run] = start;
    lengths[run]! += lengthBytes;
    run -= Number(start - (displacements[i - 1] as number) !== lengthBytes);
  }
  starts[0] = displacements[0] as number;
  lengths[0]! += lengthBytes;
  return { starts, lengths };
}

/** As `joinedPieces`, of lengths of their own. */
function joinedRuns(displacements: IntegerTable, blocklengths: IntegerTable, { starts, lengths }: Runs): Runs {
  let run = starts.length - 1;
  for (let i = displacements.length - 1; i > 0; i--) {
    const start = displacements[i] as number;
    starts[run] = start;
    lengths[run]! += blocklengths[i] as number;
    run -= Number(start - (displacements[i - 1] as number) !== blocklengths[i - 1]);
  }
  starts[0] = displacements[0] as number;
  lengths[0]! += blocklengths[0] as number;
  return { starts, lengths };
}
