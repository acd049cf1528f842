import { boundsOf, childrenOf, type Datatype, type Struct } from "@stowage/ir";
import { stepTo } from "./tree-rows.js";

/** A node on the way to a packed byte, and which of its copies of a child the byte is in. */
export interface PathStep {
  readonly path: string;
  readonly kind: string;
  /** Which copy it is in packed order, from 0; in a struct, the member and the copy of it. Absent at a leaf. */
  readonly copy?: string;
}

/** From the root to the predefined type that holds byte `packedByte` of one element's packed stream. */
export function pathAt(datatype: Datatype, packedByte: number): readonly PathStep[] {
  const steps: PathStep[] = [];
  let [type, path, left] = [datatype, "type", packedByte];
  while (type.kind !== "predefined") {
    const { child, index, copy, restBytes } = enter(type, left);
    steps.push({ path, kind: type.kind, copy });
    path += stepTo(type, index);
    [type, left] = [child, restBytes];
  }
  return [...steps, { path, kind: type.name }];
}

/** Whether the byte at a position of one element's packed stream belongs to the node at a path. */
export function passesThrough(datatype: Datatype, packedByte: number, path: string): boolean {
  let [type, at, left] = [datatype, "type", packedByte];
  while (at !== path) {
    if (type.kind === "predefined" || !path.startsWith(at)) return false;
    const { child, index, restBytes } = enter(type, left);
    at += stepTo(type, index);
    [type, left] = [child, restBytes];
  }
  return true;
}

interface Entered {
  readonly child: Datatype;
  readonly index: number;
  readonly copy: string;
  readonly restBytes: number;
}

function enter(type: Exclude<Datatype, { kind: "predefined" }>, packedByte: number): Entered {
  if (type.kind === "struct") return enterMember(type, packedByte);
  const child = childrenOf(type)[0] as Datatype;
  const { sizeBytes } = boundsOf(child);
  const copy = Math.floor(packedByte / sizeBytes);
  return { child, index: 0, copy: String(copy), restBytes: packedByte - copy * sizeBytes };
}

function enterMember(type: Struct, packedByte: number): Entered {
  const starts = memberStarts(type);
  let [low, high] = [0, type.children.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((starts[middle] as number) <= packedByte) low = middle;
    else high = middle;
  }
  const child = type.children[low] as Datatype;
  const left = packedByte - (starts[low] as number);
  const copy = Math.floor(left / boundsOf(child).sizeBytes);
  return { child, index: low, copy: `member ${low}, ${copy}`, restBytes: left - copy * boundsOf(child).sizeBytes };
}

/** Where each member begins in the packed stream; of members without bytes, where the next one does. */
const startsOfMembers = new WeakMap<Struct, Float64Array>();

function memberStarts(type: Struct): Float64Array {
  const known = startsOfMembers.get(type);
  if (known !== undefined) return known;
  const starts = new Float64Array(type.children.length);
  for (let i = 1; i < starts.length; i++) {
    const bytes = (type.blocklengths[i - 1] as number) * boundsOf(type.children[i - 1] as Datatype).sizeBytes;
    starts[i] = (starts[i - 1] as number) + bytes;
  }
  startsOfMembers.set(type, starts);
  return starts;
}
