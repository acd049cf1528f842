import type { IntegerTable } from "../integer-table.js";
import { floorDivide } from "./floor-divide.js";
import type { GroupWalk } from "./group-walk.js";
import { copiesBefore, lastAtMost, type VaryingBlocks } from "./packed-prefix.js";
import type { Blocks } from "../layout/node.js";

/** Called for each dense run, in packed order. The offset is from the datatype's address 0 of element zero. */
export type VisitRun = (offsetBytes: number, lengthBytes: number) => void;

/** The runs of the group that a walk is at. */
export function visitGroup({ group, baseBytes, skipBytes, takeBytes }: GroupWalk, visit: VisitRun): void {
  switch (group.kind) {
    case "dense":
      visit(baseBytes + skipBytes, takeBytes);
      break;
    case "stream":
      visitEven(baseBytes, group.strideBytes, group.child.lengthBytes, skipBytes, takeBytes, visit);
      break;
    case "blocks":
      visitBlocks(group, group.child.lengthBytes, baseBytes, skipBytes, takeBytes, visit);
      break;
  }
}

function visitEven(base: number, stride: number, width: number, skip: number, take: number, visit: VisitRun): void {
  const passed = skip === 0 ? 0 : floorDivide(skip, width);
  const within = skip - passed * width;
  let offset = base + passed * stride;
  let left = take;
  if (within > 0) {
    const length = Math.min(width - within, left);
    visit(offset + within, length);
    offset += stride;
    left -= length;
  }
  for (; left >= width; left -= width) {
    visit(offset, width);
    offset += stride;
  }
  if (left > 0) visit(offset, left);
}

function visitBlocks(node: Blocks, width: number, base: number, skip: number, take: number, visit: VisitRun): void {
  const { blocklengths, displacementsBytes } = node;
  if (blocklengths === 1) visitUniform(displacementsBytes, width, base, skip, take, visit);
  else visitVarying(node as VaryingBlocks, width, base, skip, take, visit);
}

function visitUniform(
  displacements: IntegerTable,
  width: number,
  base: number,
  skip: number,
  take: number,
  visit: VisitRun,
): void {
  let block = skip === 0 ? 0 : floorDivide(skip, width);
  const within = skip - block * width;
  let left = take;
  if (within > 0) {
    const length = Math.min(width - within, left);
    visit(base + (displacements[block++] as number) + within, length);
    left -= length;
  }
  for (; left >= width; left -= width) visit(base + (displacements[block++] as number), width);
  if (left > 0) visit(base + (displacements[block] as number), left);
}

function visitVarying(
  node: VaryingBlocks,
  width: number,
  base: number,
  skip: number,
  take: number,
  visit: VisitRun,
): void {
  const { blocklengths, displacementsBytes } = node;
  let block = 0;
  let within = skip;
  if (skip >= (blocklengths[0] as number) * width) {
    const before = copiesBefore(node);
    block = lastAtMost(before, floorDivide(skip, width));
    within -= (before[block] as number) * width;
  }
  for (let left = take; left > 0; block++) {
    const length = Math.min((blocklengths[block] as number) * width - within, left);
    if (length > 0) visit(base + (displacementsBytes[block] as number) + within, length);
    left -= length;
    within = 0;
  }
}
