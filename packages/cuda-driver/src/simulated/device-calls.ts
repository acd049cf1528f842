import type { Calls } from "../calls.js";
import * as results from "../results.js";
import type { Machine } from "./machine.js";

type DeviceCall = Extract<
  keyof Calls,
  `cuDevice${string}` | `cuCtx${string}` | "cuInit" | "cuDriverGetVersion" | `cuProfiler${string}`
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

/** A context's handle says whose it is. */
const contextHandle = (device: number): number => 0x0f00_0000 + device * 16;
export const contextDevice = (context: number): number => (context - 0x0f00_0000) / 16;

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
    cuDevicePrimaryCtxRetain(context, device) {
      if (!exists(device)) return results.INVALID_DEVICE;
      machine.retained.set(device, (machine.retained.get(device) ?? 0) + 1);
      context[0] = BigInt(contextHandle(device));
      return results.SUCCESS;
    },
    cuDevicePrimaryCtxRelease_v2(device) {
      const held = machine.retained.get(device) ?? 0;
      if (held === 0) return results.INVALID_CONTEXT;
      machine.retained.set(device, held - 1);
      if (held === 1) machine.destroyContext(device);
      return results.SUCCESS;
    },
    cuDevicePrimaryCtxGetState(device, flags, active) {
      if (!exists(device)) return results.INVALID_DEVICE;
      give(flags, 0);
      return give(active, (machine.retained.get(device) ?? 0) > 0 ? 1 : 0);
    },
    cuCtxSetCurrent(context) {
      const device = context === 0 ? undefined : contextDevice(context);
      if (device !== undefined && (machine.retained.get(device) ?? 0) === 0) return results.INVALID_CONTEXT;
      machine.current = device;
      return results.SUCCESS;
    },
    cuCtxSynchronize() {
      machine.drainAll();
      return machine.sticky?.result ?? results.SUCCESS;
    },
    cuCtxGetLimit(value, limit) {
      const known = machine.limits.get(limit);
      if (known === undefined) return results.UNSUPPORTED_LIMIT;
      value[0] = BigInt(known);
      return results.SUCCESS;
    },
    cuCtxSetLimit(limit, value) {
      if (!machine.limits.has(limit)) return results.UNSUPPORTED_LIMIT;
      machine.limits.set(limit, value);
      return results.SUCCESS;
    },
    cuCtxEnablePeerAccess(peer) {
      const [device, other] = [machine.current, contextDevice(peer)];
      if (device === undefined || (machine.retained.get(other) ?? 0) === 0) return results.INVALID_CONTEXT;
      if (device === other) return results.PEER_ACCESS_UNSUPPORTED;
      if (machine.peers.has(device, other)) return results.PEER_ACCESS_ALREADY_ENABLED;
      machine.peers.add(device, other);
      return results.SUCCESS;
    },
    cuCtxDisablePeerAccess(peer) {
      const device = machine.current;
      if (device === undefined) return results.INVALID_CONTEXT;
      return machine.peers.delete(device, contextDevice(peer)) ? results.SUCCESS : results.PEER_ACCESS_NOT_ENABLED;
    },
    cuProfilerStart: () => results.SUCCESS,
    cuProfilerStop: () => results.SUCCESS,
  };
}

export function give(output: Int32Array, value: number): number {
  output[0] = value;
  return results.SUCCESS;
}
