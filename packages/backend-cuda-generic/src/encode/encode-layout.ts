import {
  dense,
  distinctNodes,
  equalPieces,
  isRuns,
  commonAlignment,
  nodeAlignment,
  uniformBlocks,
  type IntegerTable,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";
import { narrowMagicOf, shortMagicOf } from "@stowage/ptx";
import { addList, type BlockList } from "./entries.js";
import type { Lookaside } from "./lookaside.js";
import { KIND, NODE, NODE_BYTES } from "./node-record.js";
import { WIDEST_WORD_BYTES } from "./widest-word.js";

/** One side of a move, serialised: preorder records, and tables in the lookaside buffer. */
export interface EncodedLayout {
  /** Records of NODE_BYTES each. Record 0 repeats elements, record 1 is one element. */
  readonly nodes: Uint8Array;
  /** The widest word for one element, and for several that stand an extent apart. */
  readonly elementGranularity: number;
  readonly repeatGranularity: number;
  readonly startBytes: number;
  /** How long a run is on average. */
  readonly meanRunBytes: number;
  /** The length of every run, where all are equal and none is searched for; else 0. */
  readonly runBytes: number;
  readonly dense: boolean;
  /** Whether no list is involved. */
  readonly strided: boolean;
  /** Whether a list must be searched. */
  readonly searched: boolean;
  /** Whether members of a sequence must be told apart, so that lanes may walk different ways. */
  readonly branching: boolean;
}

export interface EncodeOptions {
  /** Tables of 64-bit entries. */
  readonly wide: boolean;
  /** Whether searches start from a coarse table; off, they search whole lists as the paper's kernel does. */
  readonly coarse: boolean;
}

type Blocks = Extract<LayoutNode, { kind: "blocks" }>;

/** A listed piece takes one table entry, a searched run two and its bucket: up to here listing pieces is less. */
const MOST_PIECES_A_RUN = 2;

/** Whether a list's sums or displacements leave 32 bits. */
export function needsWideTables(layout: Layout): boolean {
  for (const node of distinctNodes(layout.root)) {
    if (node.kind !== "blocks" && node.kind !== "sequence") continue;
    const offsets = node.kind === "blocks" ? node.displacementsBytes : node.members.map((member) => member.offsetBytes);
    if (node.sizeBytes >= 2 ** 31 || offsets instanceof Float64Array || offsets.some(isFar)) return true;
  }
  return false;
}

const isFar = (offset: number): boolean => offset < -(2 ** 31) || offset >= 2 ** 31;

/** Serialises a layout (Jenkins et al. 2014, section 3.1); a node that is shared is written once. */
export function encodeLayout(layout: Layout, lookaside: Lookaside, options: EncodeOptions): EncodedLayout {
  const { root, extentBytes, sizeBytes, startBytes } = layout;
  const isDense = root.kind === "dense" && extentBytes === sizeBytes;
  const encoder = new Encoder(lookaside, options);
  encoder.repeat(root, extentBytes, isDense);
  const elementGranularity = nodeAlignment(root, WIDEST_WORD_BYTES);
  return {
    nodes: encoder.bytes(),
    elementGranularity,
    repeatGranularity: Math.min(elementGranularity, commonAlignment([extentBytes], WIDEST_WORD_BYTES)),
    startBytes,
    strided: isStrided(root),
    runBytes: equalRunBytes(root),
    meanRunBytes: sizeBytes / Math.max(1, root.blockCount),
    dense: isDense,
    searched: encoder.searched,
    branching: encoder.branching,
  };
}

function isStrided(root: LayoutNode): boolean {
  let node = root;
  while (node.kind === "stream") node = node.child;
  return node.kind === "dense";
}

function equalRunBytes(root: LayoutNode): number {
  let node = root;
  while (node.kind === "stream" || (node.kind === "blocks" && node.blocklengths === 1)) node = node.child;
  return node.kind === "dense" ? node.lengthBytes : 0;
}

class Encoder {
  branching = false;
  searched = false;
  readonly #lookaside: Lookaside;
  readonly #options: EncodeOptions;
  readonly #records: DataView[] = [];
  readonly #offsets = new Map<LayoutNode, number>();
  readonly #waiting: LayoutNode[] = [];

  constructor(lookaside: Lookaside, options: EncodeOptions) {
    this.#lookaside = lookaside;
    this.#options = options;
  }

  repeat(root: LayoutNode, extentBytes: number, dense: boolean): void {
    const record = this.#record();
    if (!dense) this.#stream(record, root, extentBytes);
    this.#place(root);
    // Children wait until their parent is written: preorder, but no deeper stack than this list.
    for (let node = this.#waiting.pop(); node !== undefined; node = this.#waiting.pop()) {
      this.#write(this.#recordAt(this.#place(node)), node);
    }
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.#records.length * NODE_BYTES);
    this.#records.forEach((record, i) => all.set(new Uint8Array(record.buffer), i * NODE_BYTES));
    return all;
  }

  #record(): DataView {
    const record = new DataView(new ArrayBuffer(NODE_BYTES));
    this.#records.push(record);
    return record;
  }

  #recordAt(offset: number): DataView {
    return this.#records[offset / NODE_BYTES] as DataView;
  }

  /** The offset of a node's record; a node met for the first time waits to be written. */
  #place(node: LayoutNode): number {
    const known = this.#offsets.get(node);
    if (known !== undefined) return known;
    const offset = this.#records.length * NODE_BYTES;
    this.#record();
    this.#offsets.set(node, offset);
    this.#waiting.push(node);
    return offset;
  }

  #write(record: DataView, node: LayoutNode): void {
    switch (node.kind) {
      case "dense":
        return record.setBigUint64(NODE.childBytes, BigInt(node.lengthBytes), true);
      case "stream":
        return this.#stream(record, node.child, node.strideBytes);
      case "blocks":
        return node.blocklengths === 1 ? this.#listed(record, node) : this.#blocks(record, node, node.blocklengths);
      case "sequence":
        return this.#sequence(record, node);
    }
  }

  #child(record: DataView, child: LayoutNode): void {
    record.setUint32(NODE.child, this.#place(child), true);
    writeDivisor(record, Math.max(1, child.sizeBytes));
  }

  #stream(record: DataView, child: LayoutNode, strideBytes: number): void {
    record.setUint32(NODE.kind, KIND.stream, true);
    record.setBigInt64(NODE.strideBytes, BigInt(strideBytes), true);
    this.#child(record, child);
  }

  #listed(record: DataView, node: Blocks): void {
    record.setUint32(NODE.kind, KIND.listed, true);
    const { displacementsBytes } = node;
    record.setBigUint64(NODE.entries, BigInt(this.#lookaside.add(this.#displacements(displacementsBytes))), true);
    this.#child(record, node.child);
  }

  #displacements(table: IntegerTable): Uint8Array {
    if (!this.#options.wide) return new Uint8Array(Int32Array.from(table).buffer);
    return new Uint8Array(BigInt64Array.from(table, BigInt).buffer);
  }

  #blocks(record: DataView, node: Blocks, blocklengths: IntegerTable): void {
    const even = isRuns(node) && this.#options.coarse ? equalPieces(node, MOST_PIECES_A_RUN) : undefined;
    if (even !== undefined) return this.#listed(record, uniformBlocks(even.displacementsBytes, dense(even.pieceBytes)));
    record.setUint32(NODE.kind, isRuns(node) ? KIND.runs : KIND.blocks, true);
    record.setBigInt64(NODE.strideBytes, BigInt(node.strideBytes), true);
    this.#list(record, listOf(node, blocklengths));
    this.#child(record, node.child);
  }

  #sequence(record: DataView, node: Extract<LayoutNode, { kind: "sequence" }>): void {
    this.branching = true;
    const members = node.members.filter((member) => member.node.sizeBytes > 0);
    record.setUint32(NODE.kind, KIND.sequence, true);
    const prefixes = prefixSums(members.length, (i) => members[i]?.node.sizeBytes ?? 0);
    record.setBigUint64(NODE.childBytes, BigInt(members.length), true);
    this.#list(record, {
      count: members.length,
      sizeBytes: node.sizeBytes,
      prefixBytes: (i) => prefixes[i] as number,
      displacementBytes: (i) => members[i]?.offsetBytes ?? 0,
    });
    const children = Uint32Array.from(members, (member) => this.#place(member.node));
    record.setBigUint64(NODE.children, BigInt(this.#lookaside.add(new Uint8Array(children.buffer))), true);
  }

  #list(record: DataView, list: BlockList): void {
    this.searched = true;
    const { entries, buckets, bucketShift } = addList(this.#lookaside, list, this.#options.wide, this.#options.coarse);
    record.setBigUint64(NODE.entries, BigInt(entries), true);
    record.setBigUint64(NODE.buckets, BigInt(buckets), true);
    record.setUint32(NODE.bucketShift, bucketShift, true);
  }
}

function writeDivisor(record: DataView, childBytes: number): void {
  const { multiplier, shift } = shortMagicOf(childBytes);
  const narrow = narrowMagicOf(childBytes);
  record.setBigUint64(NODE.multiplier, multiplier, true);
  record.setUint32(NODE.shift, shift, true);
  record.setUint32(NODE.narrowMultiplier, Number(narrow.multiplier), true);
  record.setUint32(NODE.narrowShift, narrow.shift, true);
  record.setBigUint64(NODE.childBytes, BigInt(childBytes), true);
}

/** The blocks of a list that hold something. */
function listOf(node: Blocks, blocklengths: IntegerTable): BlockList {
  const kept = Float64Array.from(Array.from(blocklengths.keys()).filter((i) => (blocklengths[i] as number) > 0));
  const childBytes = node.child.sizeBytes;
  const prefixes = prefixSums(kept.length, (i) => (blocklengths[kept[i] as number] as number) * childBytes);
  return {
    count: kept.length,
    sizeBytes: node.sizeBytes,
    prefixBytes: (i) => prefixes[i] as number,
    displacementBytes: (i) => node.displacementsBytes[kept[i] as number] as number,
  };
}

/** Sums of all that come before. */
function prefixSums(count: number, valueAt: (index: number) => number): Float64Array {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sums[i] = sum;
    sum += valueAt(i);
  }
  return sums;
}
