import { requireSafeInteger } from "../safe-integer.js";
import { EMPTY_FACTS, type LayoutFacts } from "./facts.js";
import type { Member, Sequence } from "./node.js";
import { requireArray, requireObject } from "../checks/require-argument.js";
import { requireNode } from "./require-node.js";

/**
 * Different nodes one after another in the packed stream, each at an offset of its own.
 * @throws DatatypeError where an offset or the reach of the members leaves the safe integers; ArgumentError where
 * `members` is no list of `{ offsetBytes, node }`.
 */
export function sequence(members: readonly Member[]): Sequence {
  requireArray(members, "members of a sequence", "a list of { offsetBytes, node }");
  const frozen = Object.freeze(Array.from(members, frozenMember));
  return Object.freeze({ kind: "sequence", members: frozen, ...sequenceFacts(frozen) });
}

// Not by spreading: such copies have a hidden class each, and whoever reads members then looks each of them up.
function frozenMember(member: Member): Member {
  requireObject(member, "member of a sequence", "{ offsetBytes, node }");
  requireSafeInteger(member.offsetBytes, "offset of a member in bytes");
  requireNode(member.node, "node of a member");
  return Object.isFrozen(member) ? member : Object.freeze({ offsetBytes: member.offsetBytes, node: member.node });
}

function sequenceFacts(members: readonly Member[]): LayoutFacts {
  let { sizeBytes, blockCount } = EMPTY_FACTS;
  let depth = 1;
  let lowBytes = Infinity;
  let highBytes = -Infinity;
  for (const { offsetBytes, node } of members) {
    depth = Math.max(depth, node.depth + 1);
    if (node.sizeBytes === 0) continue;
    sizeBytes += node.sizeBytes;
    blockCount += node.blockCount;
    lowBytes = Math.min(lowBytes, offsetBytes + node.lowBytes);
    highBytes = Math.max(highBytes, offsetBytes + node.highBytes);
  }
  if (sizeBytes === 0) return { ...EMPTY_FACTS, depth };
  requireSafeInteger(sizeBytes, "size of a sequence in bytes");
  requireSafeInteger(lowBytes, "lowest byte of a sequence");
  requireSafeInteger(highBytes, "highest byte of a sequence");
  return { sizeBytes, lowBytes, highBytes, blockCount, depth };
}
