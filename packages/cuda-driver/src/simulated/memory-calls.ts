import { SimulationError } from "@stowage/ptx";
import type { Calls } from "../calls.js";
import * as results from "../results.js";
import type { Machine } from "./machine.js";
import type { OwnerKind } from "./space.js";

type MemoryCall = Extract<keyof Calls, `cuMem${"Get" | "Alloc" | "Free" | "Host"}${string}`>;

const FREED_BY_MEMFREE: readonly OwnerKind[] = ["device", "managed"];

export function memoryCalls(machine: Machine): Pick<Calls, MemoryCall> {
  const { space, model } = machine;
  const allocate = (kind: OwnerKind, out: BigUint64Array, bytes: number): number => {
    if (machine.current === undefined) return results.INVALID_CONTEXT;
    if (bytes === 0) return results.INVALID_VALUE;
    const device = machine.current;
    if (kind === "device" && space.usedBytes(device) + bytes > model.memoryBytes) return results.OUT_OF_MEMORY;
    try {
      out[0] = BigInt(space.allocate(kind, device, bytes));
      return results.SUCCESS;
    } catch (error) {
      if (error instanceof SimulationError) return results.OUT_OF_MEMORY;
      throw error;
    }
  };
  const free = (address: number, kinds: readonly OwnerKind[]): number => {
    machine.drainAll(); // cuMemFree waits for the device
    return space.free(address, kinds) ? results.SUCCESS : results.INVALID_VALUE;
  };
  return {
    cuMemGetInfo_v2(freeBytes, total) {
      freeBytes[0] = BigInt(model.memoryBytes - space.usedBytes(machine.current ?? 0));
      total[0] = BigInt(model.memoryBytes);
      return results.SUCCESS;
    },
    cuMemAlloc_v2: (address, bytes) => allocate("device", address, bytes),
    cuMemHostAlloc: (address, bytes) => allocate("pinned", address, bytes),
    cuMemAllocManaged: (address, bytes) => allocate("managed", address, bytes),
    cuMemFree_v2: (address) => free(address, FREED_BY_MEMFREE),
    cuMemFreeHost: (address) => free(address, ["pinned"]),
    cuMemHostRegister_v2(address, bytes) {
      if (space.host.bytesAt(address, bytes) === undefined) return results.INVALID_VALUE;
      if (machine.registered.has(address)) return 712; // CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
      machine.registered.set(address, bytes);
      return results.SUCCESS;
    },
    cuMemHostUnregister(address) {
      return machine.registered.delete(address) ? results.SUCCESS : 713; // CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
    },
    cuMemHostGetDevicePointer_v2(out, address) {
      const pinned = space.ownerOf(address)?.kind === "pinned";
      if (!pinned && !machine.registered.has(address)) return results.INVALID_VALUE;
      out[0] = BigInt(address);
      return results.SUCCESS;
    },
  };
}
