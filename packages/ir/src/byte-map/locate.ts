import { requireLayout, type Layout } from "../layout/layout.js";
import type { LayoutNode, Member } from "../layout/node.js";
import { requireSafeInteger } from "../safe-integer.js";
import { floorDivide } from "./floor-divide.js";
import { bytesBefore, copiesBefore, lastAtMost, type VaryingBlocks } from "./packed-prefix.js";
import { quoted } from "../checks/quoted.js";
import { ArgumentError } from "../errors.js";

/**
 * Finds one byte of the packed stream, of as many elements as it takes: its offset in bytes from the address 0 of
 * element zero. O(depth + log n). Throws an ArgumentError where the stream has no such byte, a DatatypeError where the
 * offset leaves the safe integers.
 */
export function locate(layout: Layout, packedByte: number): number {
  requireLayout(layout);
  if (!Number.isSafeInteger(packedByte) || packedByte < 0 || layout.sizeBytes === 0) {
    const expected = layout.sizeBytes === 0 ? "none, of an empty layout" : "an integer from 0 to 2^53 - 1";
    throw new ArgumentError("packed byte", expected, quoted(packedByte));
  }
  const element = floorDivide(packedByte, layout.sizeBytes);
  let offset = layout.startBytes + element * layout.extentBytes;
  let left = packedByte - element * layout.sizeBytes;
  let node: LayoutNode = layout.root;
  while (node.kind !== "dense") {
    switch (node.kind) {
      case "stream": {
        const copy = floorDivide(left, node.child.sizeBytes);
        offset += copy * node.strideBytes;
        left -= copy * node.child.sizeBytes;
        node = node.child;
        break;
      }
      case "blocks": {
        const copies = floorDivide(left, node.child.sizeBytes);
        const before = node.blocklengths === 1 ? undefined : copiesBefore(node as VaryingBlocks);
        const block = before === undefined ? copies : lastAtMost(before, copies);
        const copy = before === undefined ? 0 : copies - (before[block] as number);
        offset += (node.displacementsBytes[block] as number) + copy * node.strideBytes;
        left -= copies * node.child.sizeBytes;
        node = node.child;
        break;
      }
      case "sequence": {
        const before = bytesBefore(node);
        const index = lastAtMost(before, left);
        const member = node.members[index] as Member;
        offset += member.offsetBytes;
        left -= before[index] as number;
        node = member.node;
        break;
      }
    }
  }
  return requireSafeInteger(offset + left, "offset of a packed byte");
}
