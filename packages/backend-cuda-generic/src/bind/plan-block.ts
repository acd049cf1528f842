import { narrowMagicOf } from "@stowage/ptx";
import { NODE, NODE_BYTES } from "../encode/node-record.js";
import {
  HEADER,
  HEADER_BYTES,
  REGION_BYTES,
  REGION_LIST_HEADER_BYTES,
  TRANSFER,
  TRANSFER_BYTES,
} from "../kernel/plan-block.js";
import { MODES } from "../kernel/variant.js";
import type { Shape } from "./shape.js";
import type { SidePlace } from "./side-place.js";
import { piecesOf, type Transfer } from "./transfer.js";

/** What a launch is told, in the two parts that may lie apart. */
export interface PlanBlock {
  readonly list: Uint8Array;
  readonly nodes: Uint8Array;
}

/** How the list of transfers is written. */
export interface ListOptions {
  readonly shape: Shape;
  readonly lookasideAddress: number;
  /** For a specialised kernel: which of its built-in layouts each transfer has. There are no nodes then. */
  readonly builtIn?: readonly number[] | undefined;
}

export function planBlock(
  transfers: readonly Transfer[],
  { shape, lookasideAddress, builtIn }: ListOptions,
): PlanBlock {
  const regions = new Pieces(HEADER_BYTES + transfers.length * TRANSFER_BYTES);
  const nodes = new NodeList();
  const records = transfers.map(({ encoded, source, target }) => ({
    sourceRegions: regionsIn(regions, source),
    targetRegions: regionsIn(regions, target),
    ...(builtIn === undefined
      ? { sourceNode: nodes.at(encoded.source.nodes), targetNode: nodes.at(encoded.target.nodes) }
      : {}),
  }));
  const list = regions.bytes();
  const view = new DataView(list.buffer);
  view.setBigUint64(HEADER.lookaside, BigInt(lookasideAddress), true);
  view.setUint32(HEADER.transfers, transfers.length, true);
  view.setUint32(HEADER.tiles, shape.tiles, true);
  transfers.forEach((transfer, i) => {
    const record = new DataView(list.buffer, HEADER_BYTES + i * TRANSFER_BYTES, TRANSFER_BYTES);
    record.setUint32(TRANSFER.firstTile, shape.firstTiles[i] as number, true);
    if (builtIn !== undefined) record.setUint32(TRANSFER.builtIn, builtIn[i] as number, true);
    for (const [field, offset] of Object.entries(records[i] ?? {})) {
      const root = field.endsWith("Node") ? transfer.root * NODE_BYTES : 0;
      record.setUint32(TRANSFER[field as keyof (typeof records)[number]], offset + root, true);
    }
    writeTransfer(record, transfer);
  });
  return { list, nodes: nodes.bytes() };
}

/** Both parts as one, the nodes behind. */
export function joined({ list, nodes }: PlanBlock, transfers: number, builtIn: boolean): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(list.byteLength + nodes.byteLength);
  block.set(list);
  block.set(nodes, list.byteLength);
  if (builtIn) return block;
  const view = new DataView(block.buffer);
  const ahead = (at: number): void => view.setUint32(at, view.getUint32(at, true) + list.byteLength, true);
  for (let i = 0; i < transfers; i++) {
    ahead(HEADER_BYTES + i * TRANSFER_BYTES + TRANSFER.sourceNode);
    ahead(HEADER_BYTES + i * TRANSFER_BYTES + TRANSFER.targetNode);
  }
  for (let node = list.byteLength; node < block.byteLength; node += NODE_BYTES) ahead(node + NODE.child);
  return block;
}

function writeTransfer(record: DataView, transfer: Transfer): void {
  const u32 = (field: number, value: number): void => record.setUint32(field, value, true);
  const s64 = (field: number, value: number): void => record.setBigInt64(field, BigInt(value), true);
  u32(TRANSFER.mode, MODES.indexOf(transfer.mode));
  s64(TRANSFER.source, transfer.source.baseBytes);
  s64(TRANSFER.target, transfer.target.baseBytes);
  s64(TRANSFER.bodyFirst, transfer.bodyFirst);
  s64(TRANSFER.words, transfer.words);
  u32(TRANSFER.headBytes, transfer.headBytes);
  u32(TRANSFER.tailBytes, transfer.tailBytes);
  s64(TRANSFER.readLow, transfer.readLow);
  s64(TRANSFER.readHigh, transfer.readHigh);
  if (transfer.runBytes === 0) return;
  const pieces = piecesOf(transfer.runBytes);
  const magic = narrowMagicOf(pieces);
  u32(TRANSFER.runBytes, transfer.runBytes);
  u32(TRANSFER.pieces, pieces);
  u32(TRANSFER.piecesMultiplier, Number(magic.multiplier));
  u32(TRANSFER.piecesShift, magic.shift);
}

/** Writes a side's list of regions; 0 where one buffer holds it. */
function regionsIn(pieces: Pieces, { regions }: SidePlace): number {
  if (regions.length === 0) return 0;
  const bytes = new Uint8Array(REGION_LIST_HEADER_BYTES + regions.length * REGION_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, regions.length, true);
  regions.forEach(({ startBytes, deltaBytes }, i) => {
    view.setBigInt64(REGION_LIST_HEADER_BYTES + i * REGION_BYTES, BigInt(startBytes), true);
    view.setBigInt64(REGION_LIST_HEADER_BYTES + i * REGION_BYTES + 8, BigInt(deltaBytes), true);
  });
  return pieces.add(bytes);
}

/** Bytes that follow one another. */
class Pieces {
  readonly #pieces: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  #sizeBytes: number;

  constructor(headBytes: number) {
    this.#sizeBytes = headBytes;
  }

  add(bytes: Uint8Array): number {
    const at = this.#sizeBytes;
    this.#pieces.push({ at, bytes });
    this.#sizeBytes += bytes.byteLength;
    return at;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#sizeBytes);
    for (const { at, bytes } of this.#pieces) all.set(bytes, at);
    return all;
  }
}

/** Equal nodes of up to so many bytes are written once. */
const MOST_COMPARED_BYTES = 1024;

/** The nodes of layouts, equal ones once, behind so many bytes of others. */
export class NodeList {
  readonly #headBytes: number;
  readonly #pieces: Pieces;
  readonly #known: { readonly nodes: Uint8Array; readonly at: number }[] = [];

  constructor(headBytes = 0) {
    this.#headBytes = headBytes;
    this.#pieces = new Pieces(headBytes);
  }

  /** Child offsets count from a side's own first record; in the list they count from its start. */
  at(nodes: Uint8Array): number {
    const known = this.#known.find(({ nodes: other }) => sameBytes(nodes, other));
    if (known !== undefined) return known.at;
    const placed = nodes.slice();
    const at = this.#pieces.add(placed);
    const view = new DataView(placed.buffer);
    for (let record = 0; record < nodes.byteLength; record += NODE_BYTES) {
      view.setUint32(record + NODE.child, view.getUint32(record + NODE.child, true) + at, true);
    }
    if (nodes.byteLength <= MOST_COMPARED_BYTES) this.#known.push({ nodes, at });
    return at;
  }

  /** Without what they lie behind. */
  bytes(): Uint8Array {
    return this.#pieces.bytes().subarray(this.#headBytes);
  }
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && a.every((byte, i) => byte === b[i]);
