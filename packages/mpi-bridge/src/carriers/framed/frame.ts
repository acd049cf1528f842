import { BridgeError } from "../../errors.js";

/** What the first message of a framed one says ahead of its bytes. */
export interface Frame {
  /** Packed bytes of the whole message. */
  readonly sizeBytes: number;
  /** The tag of its later chunks. */
  readonly chain: number;
  /** The carrier whose offer stands in place of the first bytes, by its place among all; else NO_OFFER. */
  readonly offer: number;
  /** The sender's type signature: basic elements, a hash of their sequence, and a text for people. */
  readonly signature: SentSignature;
}

export const NO_OFFER = -1;

export interface SentSignature {
  readonly elements: number;
  /** Empty where every signature matches: MPI_PACKED, or nothing to compare. */
  readonly hash: string;
  readonly text: string;
}

/** Bytes of a frame in memory. */
export const FRAME_BYTES = 128;
const MAGIC = 0x53_74_77_31;
const [SIZE, CHAIN, OFFER, ELEMENTS, HASH, TEXT] = [8, 16, 20, 24, 32, 64] as const;
const HASH_BYTES = 28;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function writeFrame(bytes: Uint8Array, { sizeBytes, chain, offer, signature }: Frame): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, FRAME_BYTES);
  bytes.fill(0, 0, FRAME_BYTES);
  view.setUint32(0, MAGIC, true);
  view.setFloat64(SIZE, sizeBytes, true);
  view.setInt32(CHAIN, chain, true);
  view.setInt32(OFFER, offer, true);
  view.setFloat64(ELEMENTS, signature.elements, true);
  encoder.encodeInto(signature.hash, bytes.subarray(HASH, HASH + HASH_BYTES));
  encoder.encodeInto(signature.text, bytes.subarray(TEXT, FRAME_BYTES));
}

/**
 * Reads the frame of a message of so many bytes. Throws a BridgeError for one that is no frame: its sender did not opt
 * in.
 */
export function readFrame(bytes: Uint8Array, arrivedBytes: number, subject: string): Frame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, FRAME_BYTES);
  if (arrivedBytes < FRAME_BYTES || view.getUint32(0, true) !== MAGIC) {
    const expected = "the first message of a framed one, as all ranks agreed";
    throw new BridgeError(subject, expected, `a plain message of ${arrivedBytes} bytes`);
  }
  return {
    sizeBytes: view.getFloat64(SIZE, true),
    chain: view.getInt32(CHAIN, true),
    offer: view.getInt32(OFFER, true),
    signature: {
      elements: view.getFloat64(ELEMENTS, true),
      hash: textAt(bytes, HASH, HASH + HASH_BYTES),
      text: textAt(bytes, TEXT, FRAME_BYTES),
    },
  };
}

const textAt = (bytes: Uint8Array, start: number, end: number): string =>
  decoder.decode(bytes.subarray(start, end)).replace(/\0.*$/s, "");
