// All bytes of memory on a device, at once.
import { PIECE_BYTES } from "@stowage/bench/device";

export function bytesOn(gpu, memory, sizeBytes = memory.sizeBytes, start = 0) {
  const bytes = new Uint8Array(sizeBytes);
  for (let at = 0; at < sizeBytes; at += PIECE_BYTES)
    bytes.set(gpu.read(memory, start + at, Math.min(PIECE_BYTES, sizeBytes - at)), at);
  return bytes;
}
