import type { Calls } from "../calls.js";
import * as results from "../results.js";
import type { Machine } from "./machine.js";

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
    // A handle names the allocation's address. A simulated machine is one process, so this one may open its own.
    cuIpcGetMemHandle(handle, address) {
      if (space.ownerOf(address)?.kind !== "device") return results.INVALID_VALUE;
      new DataView(handle.buffer, handle.byteOffset).setBigUint64(0, BigInt(address), true);
      return results.SUCCESS;
    },
    cuIpcOpenMemHandle_v2(out, handle) {
      const address = new DataView(handle.buffer, handle.byteOffset).getBigUint64(0, true);
      const owner = space.ownerOf(Number(address));
      if (owner?.kind !== "device") return results.INVALID_VALUE;
      if (machine.current === undefined) return results.INVALID_CONTEXT;
      if (owner.device !== machine.current) machine.peers.add(machine.current, owner.device);
      out[0] = address;
      return results.SUCCESS;
    },
    cuIpcCloseMemHandle: (address) => (space.ownerOf(address) === undefined ? results.INVALID_VALUE : results.SUCCESS),
  };
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
