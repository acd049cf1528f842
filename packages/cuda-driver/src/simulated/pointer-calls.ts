import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { isForeign, type Machine } from "./machine.js";
import { nameIn, writeName } from "./handle-name.js";

type PointerCall = Extract<keyof Calls, "cuPointerGetAttributes" | `cuIpc${string}Mem${string}`>;

// CU_MEMORYTYPE_HOST and _DEVICE.
const [HOST, DEVICE] = [1, 2];

export function pointerCalls(machine: Machine): Pick<Calls, PointerCall> {
  const { space } = machine;
  return {
    cuPointerGetAttributes(_count, attributes, values, address) {
      const facts = factsOf(machine, address);
      attributes.forEach((attribute, i) => {
        const fact = BigUint64Array.of(BigInt(facts[attribute] ?? 0));
        space.write(Number(values[i]), new Uint8Array(fact.buffer));
      });
      return results.SUCCESS;
    },
    // A handle names the allocation's address, and the pages by which other processes see it.
    cuIpcGetMemHandle(handle, address) {
      const owner = space.ownerOf(address);
      if (owner?.kind !== "device") return results.INVALID_VALUE;
      const gpu = machine.model.gpus[owner.device] as number;
      writeHandle(handle, { ...owner, address, gpu, name: space.share(owner.startAddress) ?? machine.name });
      return results.SUCCESS;
    },
    cuIpcOpenMemHandle_v2(out, handle) {
      if (machine.current === undefined) return results.INVALID_CONTEXT;
      const { address, gpu, sizeBytes, name } = readHandle(handle);
      const device = machine.ordinalOf(gpu);
      if (isForeign(machine, name)) return results.NOT_SUPPORTED;
      const opened = name === machine.name ? ownAddress(machine, address) : space.open(name, device, sizeBytes);
      if (opened === undefined) return results.INVALID_VALUE;
      if (device !== machine.current) machine.peers.add(machine.current, device);
      out[0] = BigInt(opened);
      return results.SUCCESS;
    },
    cuIpcCloseMemHandle: (address) => closeMemory(machine, address),
  };
}

interface MemoryHandle {
  readonly address: number;
  /** By its number in the machine: processes may give it other ordinals. */
  readonly gpu: number;
  readonly sizeBytes: number;
  /** The machine's own where no other sees it. */
  readonly name: string;
}

/** 64 bytes: address, size and GPU, then the name of its pages. */
function writeHandle(handle: Uint8Array, { address, gpu, sizeBytes, name }: MemoryHandle): void {
  const view = new DataView(handle.buffer, handle.byteOffset);
  handle.fill(0);
  view.setFloat64(0, address, true);
  view.setFloat64(8, sizeBytes, true);
  view.setUint32(16, gpu, true);
  writeName(handle, name);
}

function readHandle(handle: Uint8Array): MemoryHandle {
  const view = new DataView(handle.buffer, handle.byteOffset);
  return {
    address: view.getFloat64(0, true),
    sizeBytes: view.getFloat64(8, true),
    gpu: view.getUint32(16, true),
    name: nameIn(handle),
  };
}

/** A machine that shares no pages is one process, and may open its own. */
const ownAddress = ({ space }: Machine, address: number): number | undefined =>
  space.ownerOf(address)?.kind === "device" ? address : undefined;

function closeMemory({ space }: Machine, address: number): number {
  if (space.ownerOf(address) === undefined) return results.INVALID_VALUE;
  space.close(address);
  return results.SUCCESS;
}
/** By CUpointer_attribute; none of an address that the driver does not know. */
function factsOf({ space }: Machine, address: number): Readonly<Record<number, number>> {
  const owner = space.ownerOf(address);
  if (owner === undefined) return {};
  return {
    2: owner.kind === "pinned" ? HOST : DEVICE,
    8: owner.kind === "managed" ? 1 : 0,
    9: owner.device,
    11: owner.startAddress,
    12: owner.sizeBytes,
  };
}
