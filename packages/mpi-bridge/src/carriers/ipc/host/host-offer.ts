import { BridgeError } from "../../../errors.js";
import { DATA_END, DATA_START, piecesOf, RING_BYTES, RING_PIECES, SLOTS, type Place } from "./segment.js";

/** Numbers of an offer, in their order: 8 bytes each, little-endian. */
const FIELDS = ["slot", "turn", "startBytes", "ringPieces"] as const satisfies readonly (keyof Place)[];
export const HOST_OFFER_BYTES = 8 * FIELDS.length;

const viewOf = (bytes: Uint8Array, at: number): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset + at, HOST_OFFER_BYTES);

/** Writes where a message lies in its sender's segment; returns how many bytes that took. */
export function writeHostOffer(bytes: Uint8Array, at: number, place: Place): number {
  const view = viewOf(bytes, at);
  FIELDS.forEach((field, i) => view.setFloat64(8 * i, place[field], true));
  return HOST_OFFER_BYTES;
}

/**
 * Reads where a message of so many bytes lies. Throws a BridgeError for an offer that leads outside a segment, to the
 * message's last byte: it is another process's word.
 */
export function readHostOffer(bytes: Uint8Array, at: number, sizeBytes: number): Place {
  const view = viewOf(bytes, at);
  const [slot, turn, startBytes, ringPieces] = FIELDS.map((_, i) => view.getFloat64(8 * i, true)) as [
    number,
    number,
    number,
    number,
  ];
  const isWithin = (value: number, least: number, end: number): boolean =>
    Number.isInteger(value) && least <= value && value < end;
  const place = { slot, turn, startBytes, ringPieces };
  if (
    isWithin(slot, 0, SLOTS) &&
    ringPieces === Math.min(piecesOf(sizeBytes), RING_PIECES) &&
    isWithin(startBytes, DATA_START, DATA_END - Math.min(sizeBytes, RING_BYTES) + 1)
  )
    return place;
  const got = `slot ${slot}, ${ringPieces} pieces from ${startBytes}`;
  throw new BridgeError("offer of shared memory", `a place in ${DATA_END} bytes, ${RING_BYTES} at most`, got);
}
