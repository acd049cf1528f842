import type { Layout } from "../layout/layout.js";
import { floorDivide } from "./floor-divide.js";
import { GroupWalk } from "./group-walk.js";
import { copiesBefore, lastAtMost, type VaryingBlocks } from "./packed-prefix.js";
import type { PackedRange } from "./packed-range.js";
import type { RunGroup } from "./run-group.js";

/** The runs of a packed range, taken one by one instead of visited; each step overwrites the run at hand. */
export class RunCursor {
  offsetBytes = 0;
  lengthBytes = 0;

  private readonly walk: GroupWalk;
  private index = 0;
  private withinBytes = 0;
  /** Packed bytes of the group at hand that no run has taken yet. */
  private leftBytes = 0;

  constructor(layout: Layout, range: PackedRange) {
    this.walk = new GroupWalk(layout, range);
  }

  /** Goes to the next run; false where the range is over. */
  next(): boolean {
    if (this.leftBytes === 0 && !this.openGroup()) return false;
    const { group, baseBytes } = this.walk;
    let whole = runLengthBytes(group, this.index);
    while (whole === 0) whole = runLengthBytes(group, ++this.index);
    this.offsetBytes = baseBytes + runOffsetBytes(group, this.index) + this.withinBytes;
    this.lengthBytes = Math.min(whole - this.withinBytes, this.leftBytes);
    this.leftBytes -= this.lengthBytes;
    this.withinBytes = 0;
    this.index++;
    return true;
  }

  private openGroup(): boolean {
    if (!this.walk.next()) return false;
    const { group, skipBytes, takeBytes } = this.walk;
    this.index = skipBytes === 0 ? 0 : runIndexAt(group, skipBytes);
    this.withinBytes = skipBytes === 0 ? 0 : skipBytes - packedBytesBefore(group, this.index);
    this.leftBytes = takeBytes;
    return true;
  }
}

function runIndexAt(group: RunGroup, packedByte: number): number {
  if (group.kind === "dense") return 0;
  const copies = floorDivide(packedByte, group.child.lengthBytes);
  return isVarying(group) ? lastAtMost(copiesBefore(group), copies) : copies;
}

function packedBytesBefore(group: RunGroup, index: number): number {
  if (group.kind === "dense") return 0;
  const copies = isVarying(group) ? (copiesBefore(group)[index] as number) : index;
  return copies * group.child.lengthBytes;
}

function runLengthBytes(group: RunGroup, index: number): number {
  if (group.kind === "dense") return group.lengthBytes;
  const copies = isVarying(group) ? (group.blocklengths[index] as number) : 1;
  return copies * group.child.lengthBytes;
}

function runOffsetBytes(group: RunGroup, index: number): number {
  switch (group.kind) {
    case "dense":
      return 0;
    case "stream":
      return index * group.strideBytes;
    case "blocks":
      return group.displacementsBytes[index] as number;
  }
}

const isVarying = (group: RunGroup): group is VaryingBlocks & RunGroup =>
  group.kind === "blocks" && group.blocklengths !== 1;
