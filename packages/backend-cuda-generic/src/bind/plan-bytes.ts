import { narrowMagicOf } from "@stowage/ptx";
import { NODE, NODE_BYTES } from "../encode/node-record.js";
import {
  HEADER,
  HEADER_BYTES,
  MESSAGE,
  MESSAGE_BYTES,
  REGION_BYTES,
  REGION_LIST_HEADER_BYTES,
} from "../kernel/plan-block.js";
import { MODES } from "../kernel/variant.js";
import { piecesOf, type Message } from "./message.js";
import type { Shape } from "./shape.js";
import type { SidePlace } from "./side-place.js";

/** The plan block of a launch: header, messages, nodes, regions. With `builtIn`, each message's layouts are in the kernel. */
export function planBytes(
  messages: readonly Message[],
  { tiles, firstTiles }: Shape,
  lookasideAddress: number,
  builtIn?: readonly number[],
): Uint8Array {
  const writer = new PlanWriter(HEADER_BYTES + messages.length * MESSAGE_BYTES);
  const records = messages.map((message, i) => {
    const { source, target } = message.encoded;
    const nodes =
      builtIn === undefined ? { source: writer.nodes(source.nodes), target: writer.nodes(target.nodes) } : undefined;
    return {
      message,
      nodes,
      builtIn: builtIn?.[i] ?? 0,
      source: writer.regions(message.source),
      target: writer.regions(message.target),
    };
  });
  const view = writer.view();
  view.setBigUint64(HEADER.lookaside, BigInt(lookasideAddress), true);
  view.setUint32(HEADER.messages, messages.length, true);
  view.setUint32(HEADER.tiles, tiles, true);
  records.forEach(({ message, nodes, builtIn: own, source, target }, i) => {
    const at = HEADER_BYTES + i * MESSAGE_BYTES;
    const u32 = (field: number, value: number): void => view.setUint32(at + field, value, true);
    const s64 = (field: number, value: number): void => view.setBigInt64(at + field, BigInt(value), true);
    u32(MESSAGE.firstTile, firstTiles[i] as number);
    u32(MESSAGE.mode, MODES.indexOf(message.mode));
    s64(MESSAGE.source, message.source.baseBytes);
    s64(MESSAGE.target, message.target.baseBytes);
    if (nodes === undefined) u32(MESSAGE.builtIn, own);
    else {
      u32(MESSAGE.sourceNode, nodes.source + message.root * NODE_BYTES);
      u32(MESSAGE.targetNode, nodes.target + message.root * NODE_BYTES);
    }
    s64(MESSAGE.bodyFirst, message.bodyFirst);
    s64(MESSAGE.words, message.words);
    u32(MESSAGE.headBytes, message.headBytes);
    u32(MESSAGE.tailBytes, message.tailBytes);
    u32(MESSAGE.sourceRegions, source);
    u32(MESSAGE.targetRegions, target);
    s64(MESSAGE.readLow, message.readLow);
    s64(MESSAGE.readHigh, message.readHigh);
    if (message.runBytes === 0) return;
    const magic = narrowMagicOf(piecesOf(message.runBytes));
    u32(MESSAGE.runBytes, message.runBytes);
    u32(MESSAGE.pieces, piecesOf(message.runBytes));
    u32(MESSAGE.piecesMultiplier, Number(magic.multiplier));
    u32(MESSAGE.piecesShift, magic.shift);
  });
  return new Uint8Array(view.buffer);
}

/** Equal nodes of up to so many bytes are written once. */
const MOST_COMPARED_BYTES = 1024;

/** Pieces of a plan block behind its messages, equal nodes once. */
class PlanWriter {
  readonly #pieces: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  readonly #known: { readonly nodes: Uint8Array; readonly at: number }[] = [];
  #sizeBytes: number;

  constructor(headBytes: number) {
    this.#sizeBytes = headBytes;
  }

  /** Child offsets count from a side's own first record; in the block they count from the block's start. */
  nodes(nodes: Uint8Array): number {
    const known = this.#known.find(({ nodes: other }) => sameBytes(nodes, other));
    if (known !== undefined) return known.at;
    const placed = nodes.slice();
    const at = this.#add(placed);
    const view = new DataView(placed.buffer);
    for (let record = 0; record < nodes.byteLength; record += NODE_BYTES) {
      view.setUint32(record + NODE.child, view.getUint32(record + NODE.child, true) + at, true);
    }
    if (nodes.byteLength <= MOST_COMPARED_BYTES) this.#known.push({ nodes, at });
    return at;
  }

  regions({ regions }: SidePlace): number {
    if (regions.length === 0) return 0;
    const bytes = new Uint8Array(REGION_LIST_HEADER_BYTES + regions.length * REGION_BYTES);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, regions.length, true);
    regions.forEach(({ startBytes, deltaBytes }, i) => {
      view.setBigInt64(REGION_LIST_HEADER_BYTES + i * REGION_BYTES, BigInt(startBytes), true);
      view.setBigInt64(REGION_LIST_HEADER_BYTES + i * REGION_BYTES + 8, BigInt(deltaBytes), true);
    });
    return this.#add(bytes);
  }

  view(): DataView {
    const all = new Uint8Array(this.#sizeBytes);
    for (const { at, bytes } of this.#pieces) all.set(bytes, at);
    return new DataView(all.buffer);
  }

  #add(bytes: Uint8Array): number {
    const at = this.#sizeBytes;
    this.#pieces.push({ at, bytes });
    this.#sizeBytes += bytes.byteLength;
    return at;
  }
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && a.every((byte, i) => byte === b[i]);
