import { hostname } from "node:os";
import { BridgeError } from "../../errors.js";

/** What a sender says of elements in its GPU's memory, that the receiver may fetch them there. */
export interface Offer {
  /** The allocation's handle, by which other processes open it (CUDA IPC). */
  readonly handle: Uint8Array;
  /** The sender's process. */
  readonly process: number;
  /** The UUID of its GPU: ordinals differ between processes where CUDA_VISIBLE_DEVICES does. */
  readonly gpu: string;
  /** No other allocation of that process ever had it. */
  readonly id: number;
  /** Where the allocation starts for the sender, and its length. */
  readonly startAddress: number;
  readonly sizeBytes: number;
  /** Where the datatype's address 0, or the first packed byte, lies in the allocation. */
  readonly originBytes: number;
  readonly count: number;
  /** Text of the elements' datatype; empty where they were packed. */
  readonly datatype: string;
}

const [HANDLE_BYTES, HOST_BYTES, GPU_BYTES] = [64, 32, 36];
const GPU_AT = HANDLE_BYTES + HOST_BYTES;
const NUMBERS_AT = GPU_AT + GPU_BYTES;
const NUMBERS = 7;
/** Without the datatype's text. */
export const OFFER_BYTES = NUMBERS_AT + 8 * NUMBERS;
const [ENCODER, DECODER] = [new TextEncoder(), new TextDecoder()];
const HOST = ENCODER.encode(hostname().padEnd(HOST_BYTES)).subarray(-HOST_BYTES);

/** The datatype is given as its bytes, which the sender keeps. Returns how many bytes were written. */
export function writeOffer(
  bytes: Uint8Array,
  at: number,
  offer: Omit<Offer, "datatype">,
  datatype: Uint8Array,
): number {
  bytes.set(offer.handle, at);
  bytes.set(HOST, at + HANDLE_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + NUMBERS_AT, 8 * NUMBERS);
  const { process: sender, id, startAddress, sizeBytes, originBytes, count } = offer;
  ENCODER.encodeInto(offer.gpu, bytes.subarray(at + GPU_AT, at + NUMBERS_AT));
  [sender, id, startAddress, sizeBytes, originBytes, count, datatype.length].forEach((value, i) =>
    view.setFloat64(8 * i, value, true),
  );
  bytes.set(datatype, at + OFFER_BYTES);
  return OFFER_BYTES + datatype.length;
}

/** Throws a BridgeError for one of another host. */
export function readOffer(bytes: Uint8Array, at: number): Offer {
  const host = bytes.subarray(at + HANDLE_BYTES, at + GPU_AT);
  if (Buffer.compare(host, HOST) !== 0)
    throw new BridgeError("GPU memory of another rank", "one of this host", `one of ${DECODER.decode(host).trim()}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + NUMBERS_AT, 8 * NUMBERS);
  const [sender, id, startAddress, sizeBytes, originBytes, count, length] = Array.from({ length: NUMBERS }, (_, i) =>
    view.getFloat64(8 * i, true),
  ) as [number, number, number, number, number, number, number];
  const text = bytes.subarray(at + OFFER_BYTES, at + OFFER_BYTES + length);
  return {
    handle: bytes.slice(at, at + HANDLE_BYTES),
    gpu: DECODER.decode(bytes.subarray(at + GPU_AT, at + NUMBERS_AT)),
    ...{ process: sender, id, startAddress, sizeBytes, originBytes, count },
    datatype: DECODER.decode(text),
  };
}
