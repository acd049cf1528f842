import { addressSpace, isAddressSpace, type Buffer, type Memory } from "@stowage/backend-api";
import type { Context } from "@stowage/cuda-driver";

/** Views are no longer than this. */
const LARGEST_VIEW_BYTES = 2 ** 32;

/** Host memory as views show it: the addresses of a simulated driver are not the process's own. */
export function throughViews(memory: Memory, context: Context): Memory {
  if (!isAddressSpace(memory)) return viewed(memory, context);
  return addressSpace(
    memory.regions.map(({ startBytes, buffer }) => ({ startBytes, buffer: viewed(buffer, context) })),
  );
}

function viewed(buffer: Buffer, { libcuda }: Context): Buffer {
  const { kind, sizeBytes, address } = buffer;
  if (buffer.bytes !== undefined) return { kind, sizeBytes, bytes: buffer.bytes };
  if (kind !== "pinned" || address === undefined || sizeBytes > LARGEST_VIEW_BYTES) return buffer;
  return { kind, sizeBytes, bytes: libcuda.bytesAt(address, sizeBytes) };
}
