import { sequence } from "../layout/sequence.js";
import { inPlace, type Pass } from "./pass.js";
import type { Member, Sequence } from "../layout/node.js";

/** Members that a flattened sequence may have: a shared member, spliced wherever it stands, could grow without end. */
const MOST_MEMBERS = 256;

/**
 * Precondition: a member that is a sequence, and a result of at most 256 members. Equation:
 * sequence(.., sequence(c at e, ..) at d, ..) = sequence(.., c at d + e, ..).
 */
export const flattenSequence: Pass = {
  name: "flattenSequence",
  kinds: ["sequence"],
  rewrite(node) {
    if (node.kind !== "sequence" || !node.members.some((member) => member.node.kind === "sequence")) return undefined;
    const total = node.members.reduce((sum, member) => sum + memberCount(member), 0);
    return total > MOST_MEMBERS ? undefined : inPlace(flatten(node));
  },
};

const memberCount = ({ node }: Member): number => (node.kind === "sequence" ? node.members.length : 1);

function flatten({ members }: Sequence): Sequence {
  return sequence(
    members.flatMap((member) =>
      member.node.kind === "sequence"
        ? member.node.members.map(({ offsetBytes, node }) => ({ offsetBytes: member.offsetBytes + offsetBytes, node }))
        : [member],
    ),
  );
}
