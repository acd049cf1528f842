import { blocks } from "../layout/blocks.js";
import { dense } from "../layout/dense.js";
import type { Blocks, LayoutNode, Sequence } from "../layout/node.js";
import { sequence } from "../layout/sequence.js";
import { stream } from "../layout/stream.js";
import { KIND_CODES, ONE_COPY } from "./encoded-layouts.js";
import type { EncodedReader } from "./encoded-reader.js";

/** The node of the row that the reader is at. */
export function decodeNode(row: EncodedReader): LayoutNode {
  const kind = row.integer(0, "kind of a node");
  switch (kind) {
    case KIND_CODES.dense:
      return dense(row.natural(1, "length"));
    case KIND_CODES.stream:
      return stream(row.natural(2, "count"), row.integer(3, "stride"), row.node(1));
    case KIND_CODES.blocks:
      return decodeBlocks(row);
    case KIND_CODES.sequence:
      return decodeSequence(row);
    default:
      return row.fail("kind of a node", "a code from 0 to 3", kind);
  }
}

function decodeBlocks(row: EncodedReader): Blocks {
  const displacements = row.table(3, "displacements");
  const stride = row.integer(2, "stride");
  if (row.integer(4, "table of blocklengths") === ONE_COPY) return blocks(displacements, 1, stride, row.node(1));
  const blocklengths = row.naturals(4, "blocklengths");
  row.requireLength(blocklengths, displacements.length, "blocklengths");
  return blocks(displacements, blocklengths, stride, row.node(1));
}

function decodeSequence(row: EncodedReader): Sequence {
  const offsets = row.table(1, "offsets");
  const members = row.naturals(2, "members");
  row.requireLength(members, offsets.length, "members");
  return sequence(
    Array.from(members, (member, i) => ({ offsetBytes: offsets[i] as number, node: row.nodeAt(member) })),
  );
}
