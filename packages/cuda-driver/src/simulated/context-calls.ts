import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { give } from "./give.js";
import type { Machine } from "./machine.js";

export type ContextCall = Extract<keyof Calls, `cuDevicePrimaryCtx${string}` | `cuCtx${string}`>;

/** A context's handle says whose it is. */
const contextHandle = (device: number): number => 0x0f00_0000 + device * 16;
const contextDevice = (context: number): number => (context - 0x0f00_0000) / 16;

export function contextCalls(machine: Machine): Pick<Calls, ContextCall> {
  const exists = (device: number): boolean => device >= 0 && device < machine.model.devices;
  return {
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
    // An H200's range: numbers fall as priorities rise.
    cuCtxGetStreamPriorityRange(least, greatest) {
      give(least, 0);
      return give(greatest, -5);
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
  };
}
