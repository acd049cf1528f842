import { pack, unpack } from "../../message/place/pack.js";
import type { Placed } from "../../message/place/placed.js";
import type { StagingBuffer } from "../../message/place/staging.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";
import { packedAt } from "./channel.js";
import { piecesOf } from "./pieces.js";

export type Role = "send" | "receive";

/**
 * Which elements were packed, or unpacked, before. A kernel that runs for the first time is loaded, which may wait for
 * all that the GPU does: also for a message that waits for a rank that waits so itself (CUDA programming guide, "Lazy
 * Loading"). So its first run is a rehearsal, while no message is under way.
 */
export class Rehearsals {
  readonly #known = new WeakMap<BridgeType, Set<string>>();
  readonly #pieceBytes: number;

  constructor(pieceBytes: number) {
    this.#pieceBytes = pieceBytes;
  }

  has(role: Role, placed: Placed, sizeBytes: number): boolean {
    return placed.type.dense !== undefined || this.#of(placed.type).has(this.#keyOf(role, placed, sizeBytes));
  }

  /** Packs elements into staging; those that are to receive are unpacked again, so that they stay what they are. */
  run(role: Role, placed: Placed, arriving: number, staging: StagingBuffer): void {
    const { type, buffer, originBytes, count } = placed;
    const span = { memory: buffer, originBytes };
    for (const piece of piecesOf(arriving, this.#pieceBytes)) {
      const range = { count, ...piece };
      pack(type, span, packedAt(staging), range).wait();
      if (role === "receive") unpack(type, packedAt(staging), span, range).wait();
    }
    const known = this.#of(type);
    if (known.size >= MOST_KNOWN) known.clear();
    known.add(this.#keyOf(role, placed, arriving));
  }

  /** Kernels are chosen by size, and whether they move all of it. */
  #keyOf(role: Role, { sizeBytes }: Placed, arriving: number): string {
    const isWhole = arriving === sizeBytes && piecesOf(arriving, this.#pieceBytes).length === 1;
    return `${role} ${Math.ceil(Math.log2(sizeBytes))} ${isWhole}`;
  }

  #of(type: BridgeType): Set<string> {
    const known = this.#known.get(type) ?? new Set<string>();
    this.#known.set(type, known);
    return known;
  }
}

const MOST_KNOWN = 256;
