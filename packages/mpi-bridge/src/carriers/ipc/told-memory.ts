import type { Buffer } from "@stowage/backend-api";
import { BridgeError } from "../../errors.js";
import type { Context } from "../../message/context.js";
import { lineOf } from "../../message/line-of.js";
import { OFFER_BYTES, readOffer, writeOffer, type Offer } from "../../message/devices/offer.js";

const REASON_BYTES = 200;
/** Bytes in which a rank tells of its memory: why others cannot open it, or by which handle. */
export const TOLD_BYTES = REASON_BYTES + OFFER_BYTES;
const NO_TEXT = new Uint8Array(0);
const [ENCODER, DECODER] = [new TextEncoder(), new TextDecoder()];

export function tellMemory({ devices }: Context, memory: Buffer, originBytes: number): Uint8Array {
  const bytes = new Uint8Array(TOLD_BYTES);
  try {
    const { context } = devices.of(memory);
    const shared = devices.shared.of(memory, context);
    const origin = (memory.address as number) - shared.startAddress + originBytes;
    writeOffer(bytes, REASON_BYTES, { ...shared, gpu: context.device.uuid, originBytes: origin, count: 1 }, NO_TEXT);
  } catch (error) {
    ENCODER.encodeInto(lineOf(error), bytes.subarray(0, REASON_BYTES));
  }
  return bytes;
}

/** What a rank told, of what all did. Throws a BridgeError where it cannot share its memory, or is on another host. */
export function toldMemory(subject: string, all: Uint8Array, rank: number): Offer {
  const own = all.subarray(rank * TOLD_BYTES, (rank + 1) * TOLD_BYTES);
  const reason = DECODER.decode(own.subarray(0, REASON_BYTES)).replace(/\0.*$/s, "");
  if (reason === "") return readOffer(own, REASON_BYTES);
  throw new BridgeError(subject, `one that rank ${rank} can share`, reason);
}
