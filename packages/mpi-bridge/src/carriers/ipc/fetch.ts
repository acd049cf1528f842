import type { Completion, Span } from "@stowage/backend-api";
import type { CommittedCopy } from "@stowage/selector";
import { pack, unpack } from "../../message/place/pack.js";
import type { Placed } from "../../message/place/placed.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";
import type { KnownTypes } from "../../message/datatype/known-types.js";
import type { Offer } from "../../message/devices/offer.js";

/** Copies from one datatype's places to another's, by one kernel: kept for as long as both types are. */
export type CopyBetween = (from: BridgeType, to: BridgeType) => CommittedCopy;

/**
 * Begins to fetch what another rank's GPU holds into elements of this one's: by one kernel from layout to layout, or by
 * one that unpacks, or packs, where one side is a run of bytes; or says why the layouts cannot be paired.
 */
export function beginFetch(
  offer: Offer,
  source: Span,
  placed: Placed,
  arrivedBytes: number,
  { types, copyBetween }: { readonly types: KnownTypes; readonly copyBetween: CopyBetween },
): Completion | { readonly reason: string } {
  const { type, buffer, originBytes, count } = placed;
  const target = { memory: buffer, originBytes };
  const range = { count, first: 0, length: arrivedBytes };
  if (offer.datatype === "") return unpack(type, source, target, range);
  const from = types.of(offer.datatype);
  if (from.dense !== undefined) {
    const first = { memory: source.memory, originBytes: source.originBytes + from.layout.trueLowerBoundBytes };
    return unpack(type, first, target, range);
  }
  if (type.dense !== undefined) {
    const into = { memory: buffer, originBytes: originBytes + type.layout.trueLowerBoundBytes };
    return pack(from, source, into, { count: offer.count });
  }
  if (from.sizeBytes !== type.sizeBytes)
    return { reason: `its elements are of ${from.sizeBytes} bytes each, and go to ones of ${type.sizeBytes}` };
  return copyBetween(from, type).copy(source, target, { count: offer.count });
}
