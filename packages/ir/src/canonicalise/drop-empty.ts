import { integerTable } from "../integer-table.js";
import { blocks } from "../layout/blocks.js";
import { EMPTY } from "../layout/dense.js";
import { sequence } from "../layout/sequence.js";
import { inPlace, type Pass } from "./pass.js";
import type { Blocks, Sequence } from "../layout/node.js";

/** Precondition: a part of size 0. Equation: bytes(a, empty, b) = bytes(a, b), and a node of size 0 = EMPTY. */
export const dropEmpty: Pass = {
  name: "dropEmpty",
  rewrite(node) {
    if (node === EMPTY) return undefined;
    if (node.sizeBytes === 0) return inPlace(EMPTY);
    if (node.kind === "sequence" && node.members.some(isEmpty)) return inPlace(withoutEmptyMembers(node));
    if (node.kind === "blocks" && node.blocklengths !== 1 && node.blocklengths.includes(0)) {
      return inPlace(withoutEmptyBlocks(node));
    }
    return undefined;
  },
};

const isEmpty = (member: Sequence["members"][number]): boolean => member.node.sizeBytes === 0;

const withoutEmptyMembers = (node: Sequence): Sequence => sequence(node.members.filter((member) => !isEmpty(member)));

function withoutEmptyBlocks({ displacementsBytes, blocklengths, strideBytes, child }: Blocks): Blocks {
  const lengths = blocklengths as Exclude<typeof blocklengths, 1>;
  const kept: number[] = [];
  for (let i = 0; i < lengths.length; i++) if (lengths[i] !== 0) kept.push(i);
  return blocks(
    integerTable(kept.length, (i) => displacementsBytes[kept[i] as number] as number),
    integerTable(kept.length, (i) => lengths[kept[i] as number] as number),
    strideBytes,
    child,
  );
}
