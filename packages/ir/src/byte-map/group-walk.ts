import { EMPTY } from "../layout/dense.js";
import { repeat, type Layout } from "../layout/layout.js";
import type { Blocks, Dense, LayoutNode, Member, Sequence, Stream } from "../layout/node.js";
import { requireSafeInteger } from "../safe-integer.js";
import { floorDivide } from "./floor-divide.js";
import { bytesBefore, copiesBefore, lastAtMost, type VaryingBlocks } from "./packed-prefix.js";
import { requireRange, type PackedRange } from "./packed-range.js";
import { isRunGroup, type RunGroup } from "./run-group.js";

/**
 * A walk over the run groups of a packed range, in packed order. It starts in O(depth + log n), keeps an explicit
 * stack, and its fields are overwritten by each step, so that a step allocates nothing.
 */
export class GroupWalk {
  /** The group at hand; its zero lies at baseBytes, and of its packed bytes the range takes [skip, skip + take). */
  group: RunGroup = EMPTY;
  baseBytes = 0;
  skipBytes = 0;
  takeBytes = 0;

  private remainingBytes: number;
  private readonly root: LayoutNode = EMPTY;
  private level = -1;
  private readonly nodes: InnerNode[] = [];
  private readonly bases: number[] = [];
  /** Where the walk is in each level's node: the copy of a stream, the block, the member. */
  private readonly indices: number[] = [];
  /** The copy of the child in the block that the walk is in. */
  private readonly copies: number[] = [];

  /** Throws an ArgumentError for a bad range, a DatatypeError where an offset leaves the safe integers. */
  constructor(layout: Layout, range: PackedRange) {
    requireRange(layout, range);
    this.remainingBytes = range.length;
    if (range.length === 0) return;
    const firstElement = floorDivide(range.first, layout.sizeBytes);
    const lastElement = floorDivide(range.first + range.length - 1, layout.sizeBytes);
    this.root = repeat(layout, lastElement - firstElement + 1);
    this.baseBytes = layout.startBytes + firstElement * layout.extentBytes;
    this.skipBytes = range.first - firstElement * layout.sizeBytes;
    requireSafeInteger(this.baseBytes + this.root.lowBytes, "lowest byte of the elements");
    requireSafeInteger(this.baseBytes + this.root.highBytes, "highest byte of the elements");
  }

  /** Goes to the next group; false where the range is over. */
  next(): boolean {
    if (this.remainingBytes === 0) return false;
    if (this.takeBytes === 0) this.descend(this.root);
    else this.advance();
    this.takeBytes = Math.min(this.remainingBytes, this.group.sizeBytes - this.skipBytes);
    this.remainingBytes -= this.takeBytes;
    return true;
  }

  /** From a node whose zero lies at baseBytes down to the group that holds its packed byte skipBytes. */
  private descend(from: LayoutNode): void {
    let node = from;
    while (!isRunGroup(node)) {
      this.level++;
      this.nodes[this.level] = node;
      this.bases[this.level] = this.baseBytes;
      switch (node.kind) {
        case "stream":
          node = this.enterStream(node);
          break;
        case "blocks":
          node = this.enterBlocks(node);
          break;
        case "sequence":
          node = this.enterSequence(node);
          break;
      }
    }
    this.group = node;
  }

  private enterStream({ child, strideBytes }: Stream): LayoutNode {
    const copy = this.takeWhole(child.sizeBytes);
    this.indices[this.level] = copy;
    this.baseBytes += copy * strideBytes;
    return child;
  }

  private enterBlocks(node: Blocks): LayoutNode {
    const { child, displacementsBytes, strideBytes } = node;
    let block = this.takeWhole(child.sizeBytes);
    let copy = 0;
    if (isVarying(node)) {
      const passed = block;
      const before = passed < (node.blocklengths[0] as number) ? FROM_ZERO : copiesBefore(node);
      block = lastAtMost(before, passed);
      copy = passed - (before[block] as number);
    }
    this.indices[this.level] = block;
    this.copies[this.level] = copy;
    this.baseBytes += (displacementsBytes[block] as number) + copy * strideBytes;
    return child;
  }

  private enterSequence(node: Sequence): LayoutNode {
    const inFirst = this.skipBytes < (node.members[0] as Member).node.sizeBytes;
    const before = inFirst ? FROM_ZERO : bytesBefore(node);
    const index = lastAtMost(before, this.skipBytes);
    this.indices[this.level] = index;
    this.skipBytes -= before[index] as number;
    const member = node.members[index] as Member;
    this.baseBytes += member.offsetBytes;
    return member.node;
  }

  /** Takes as many whole children of `sizeBytes` off skipBytes as it holds. */
  private takeWhole(sizeBytes: number): number {
    if (this.skipBytes === 0) return 0;
    const whole = floorDivide(this.skipBytes, sizeBytes);
    this.skipBytes -= whole * sizeBytes;
    return whole;
  }

  /** From the end of a group to the group after it: up to a level that has another child, then down. */
  private advance(): void {
    this.skipBytes = 0;
    let child = this.nextChild();
    while (child === undefined) {
      this.level--;
      child = this.nextChild();
    }
    if (isRunGroup(child)) this.group = child;
    else this.descend(child);
  }

  private nextChild(): LayoutNode | undefined {
    const node = this.nodes[this.level] as InnerNode;
    switch (node.kind) {
      case "stream":
        return this.nextCopy(node);
      case "blocks":
        return this.nextInBlocks(node);
      case "sequence":
        return this.nextMember(node);
    }
  }

  private nextCopy({ count, strideBytes, child }: Stream): LayoutNode | undefined {
    const { level, indices } = this;
    const copy = (indices[level] as number) + 1;
    if (copy === count) return undefined;
    indices[level] = copy;
    this.baseBytes = (this.bases[level] as number) + copy * strideBytes;
    return child;
  }

  private nextInBlocks({ blocklengths, displacementsBytes, strideBytes, child }: Blocks): LayoutNode | undefined {
    const { level, indices, copies } = this;
    let block = indices[level] as number;
    let copy = (copies[level] as number) + 1;
    while (copy >= (blocklengths === 1 ? 1 : (blocklengths[block] as number))) {
      block++;
      copy = 0;
      if (block === displacementsBytes.length) return undefined;
    }
    indices[level] = block;
    copies[level] = copy;
    this.baseBytes = (this.bases[level] as number) + (displacementsBytes[block] as number) + copy * strideBytes;
    return child;
  }

  private nextMember({ members }: Sequence): LayoutNode | undefined {
    const { level, indices } = this;
    for (let index = (indices[level] as number) + 1; index < members.length; index++) {
      const { offsetBytes, node } = members[index] as Member;
      if (node.sizeBytes === 0) continue;
      indices[level] = index;
      this.baseBytes = (this.bases[level] as number) + offsetBytes;
      return node;
    }
    return undefined;
  }
}

type InnerNode = Exclude<LayoutNode, Dense>;

/** The prefix sums of a node that is entered in its first child: the others are not worth summing for that. */
const FROM_ZERO = new Float64Array(1);

const isVarying = (node: Blocks): node is VaryingBlocks => node.blocklengths !== 1;
