import type { LayoutNode, Member, Stream } from "../layout/node.js";
import { sameNode } from "../layout/same-layout.js";
import { sequence } from "../layout/sequence.js";
import { stream } from "../layout/stream.js";
import { inPlace, type Pass } from "./pass.js";

/**
 * Precondition: neighbours in a sequence of which the second goes on where the first ends, at its stride. Equation:
 * sequence(stream(n, s, c) at d, stream(m, s, c) at d + n s) = stream(n + m, s, c) at d; either may be a lone c.
 */
export const joinStreams: Pass = {
  name: "joinStreams",
  kinds: ["sequence"],
  rewrite(node) {
    if (node.kind !== "sequence") return undefined;
    const joined: Member[] = [];
    for (const member of node.members) {
      const last = joined.at(-1);
      const union = last === undefined ? undefined : joinedMember(last, member);
      if (union === undefined) joined.push(member);
      else joined[joined.length - 1] = union;
    }
    return joined.length === node.members.length ? undefined : inPlace(sequence(joined));
  },
};

function joinedMember(a: Member, b: Member): Member | undefined {
  const distanceBytes = b.offsetBytes - a.offsetBytes;
  const from = (node: LayoutNode): Member => ({ offsetBytes: a.offsetBytes, node });
  if (a.node.kind === "stream" && distanceBytes === a.node.count * a.node.strideBytes) {
    const { count, strideBytes, child } = a.node;
    if (sameNode(child, b.node)) return from(stream(count + 1, strideBytes, child));
    if (continues(b.node, strideBytes, child)) return from(stream(count + b.node.count, strideBytes, child));
  }
  if (continues(b.node, distanceBytes, a.node)) return from(stream(b.node.count + 1, distanceBytes, a.node));
  return undefined;
}

const continues = (node: LayoutNode, strideBytes: number, child: LayoutNode): node is Stream =>
  node.kind === "stream" && node.strideBytes === strideBytes && sameNode(node.child, child);
