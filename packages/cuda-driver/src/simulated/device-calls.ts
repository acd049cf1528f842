import type { Calls } from "../calls.js";
import * as results from "../results.js";
import type { ContextCall } from "./context-calls.js";
import { give } from "./give.js";
import type { Machine } from "./machine.js";

type DeviceCall = Exclude<
  Extract<
    keyof Calls,
    `cuDevice${string}` | `cuCtx${string}` | "cuInit" | "cuDriverGetVersion" | `cuProfiler${string}`
  >,
  ContextCall
>;

// CUdevice_attribute: an H200's figures.
const ATTRIBUTES: Readonly<Record<number, number>> = {
  10: 32,
  11: 2 ** 31 - 1,
  16: 132,
  38: 62_914_560,
  39: 2048,
  40: 3,
  97: 232_448,
};

export function deviceCalls(machine: Machine): Pick<Calls, DeviceCall> {
  const { model } = machine;
  const exists = (device: number): boolean => device >= 0 && device < model.devices;
  return {
    cuInit() {
      machine.initialised = true;
      return model.devices === 0 ? results.NO_DEVICE : results.SUCCESS;
    },
    cuDriverGetVersion: (version) => give(version, model.version),
    cuDeviceGetCount: (count) => give(count, model.devices),
    cuDeviceGet: (device, ordinal) => (exists(ordinal) ? give(device, ordinal) : results.INVALID_DEVICE),
    cuDeviceGetName(name, lengthBytes, device) {
      name.set(new TextEncoder().encode(`Simulated GPU ${device}\0`.slice(0, lengthBytes)));
      return results.SUCCESS;
    },
    cuDeviceGetUuid_v2(uuid, device) {
      uuid.set(new TextEncoder().encode("Simulated GPU ".padEnd(15)));
      uuid[15] = model.gpus[device] as number;
      return results.SUCCESS;
    },
    cuDeviceGetAttribute(value, attribute) {
      if (attribute === 75) return give(value, Math.floor(model.architecture / 10));
      if (attribute === 76) return give(value, model.architecture % 10);
      const known = ATTRIBUTES[attribute];
      return known === undefined ? results.INVALID_VALUE : give(value, known);
    },
    cuDeviceTotalMem_v2(bytes) {
      bytes[0] = BigInt(model.memoryBytes);
      return results.SUCCESS;
    },
    cuDeviceCanAccessPeer: (can, device, peer) => give(can, exists(peer) && device !== peer ? 1 : 0),
    cuProfilerStart: () => results.SUCCESS,
    cuProfilerStop: () => results.SUCCESS,
  };
}
