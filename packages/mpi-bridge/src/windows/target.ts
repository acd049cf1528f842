import { reachOf } from "@stowage/backend-api";
import { matchSignatures, quoted, type MessageSide } from "@stowage/ir";
import type { Placed } from "../message/place/placed.js";
import type { BridgeType } from "../message/datatype/bridge-type.js";
import type { TypeLike } from "../message/datatype/type-cache.js";
import { BridgeError } from "../errors.js";
import { ANYTHING, rulesOf } from "../option-rules.js";

/** Where an operation reaches in another rank's window, and as elements of which datatype. */
export interface Target {
  /**
   * Where the datatype's address 0 lies, from the window's start, in the displacement units of that rank. Default: 0.
   */
  readonly displacement?: number;
  /** The datatype of the elements there. Default: that of the message. */
  readonly datatype?: TypeLike;
  /** How many elements there are of it. Default: as many as the message has bytes for. */
  readonly count?: number;
}

/** A target that was checked against that rank's window. */
export interface CheckedTarget {
  readonly rank: number;
  readonly displacement: number;
  /** Where the datatype's address 0 lies in the window, in bytes. */
  readonly atBytes: number;
  readonly type: BridgeType;
  readonly count: number;
}

/** What one rank has put into a window. */
export interface Exposed {
  /** Undefined where it tells nothing: then nothing is checked. */
  readonly sizeBytes: number | undefined;
  readonly unitBytes: number;
  readonly isOnDevice: boolean;
}

export const TARGET_OPTIONS = rulesOf<Target>({ displacement: ANYTHING, datatype: ANYTHING, count: ANYTHING });

/** Throws a BridgeError for a target that lies outside the window, or holds something else than the origin. */
export function checkTarget(
  act: string,
  origin: Placed,
  rank: number,
  { sizeBytes, unitBytes }: Exposed,
  { displacement = 0, count }: Target,
  type: BridgeType,
): CheckedTarget {
  const subject = `${act} to rank ${rank}`;
  if (!Number.isSafeInteger(displacement)) throw new BridgeError(subject, "a displacement", quoted(displacement));
  const elements = count ?? (type.sizeBytes === 0 ? 0 : origin.sizeBytes / type.sizeBytes);
  const isWhole = Number.isSafeInteger(elements) && elements >= 0 && elements * type.sizeBytes === origin.sizeBytes;
  if (!isWhole) {
    const got =
      count === undefined ? `elements of ${type.sizeBytes}` : `${quoted(count)} elements of ${type.sizeBytes}`;
    throw new BridgeError(subject, `a target of the origin's ${origin.sizeBytes} bytes`, got);
  }
  const [from, into] = [origin, { type, count: elements }].map((side) => ({
    signature: side.type.signature,
    count: side.count,
  })) as [MessageSide, MessageSide];
  const match = matchSignatures(from, into);
  if (!match.ok) throw new BridgeError(subject, "the same basic types on both sides", match.reason);
  const atBytes = displacement * unitBytes;
  const { lowBytes, highBytes } = reachOf(type.layout, {
    count: elements,
    first: 0,
    length: elements * type.sizeBytes,
  });
  if (sizeBytes !== undefined && lowBytes < highBytes && (atBytes + lowBytes < 0 || atBytes + highBytes > sizeBytes)) {
    const got = `bytes [${atBytes + lowBytes}, ${atBytes + highBytes})`;
    throw new BridgeError(subject, `bytes within its window of ${sizeBytes}`, got);
  }
  return { rank, displacement, atBytes, type, count: elements };
}
