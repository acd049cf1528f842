import { isTabled, type Artifact, type Kernel } from "@stowage/backend-api";
import type { Context } from "@stowage/cuda-driver";
import { CudaKernel, type Devices } from "@stowage/cuda-plans";
import type { DeviceState } from "./device-state.js";
import { explain } from "./explain.js";
import { GenericWork } from "./generic-work.js";
import type { Tuning } from "./options.js";
import type { Payload } from "./payload.js";
import { TabledPlan } from "./tabled/tabled-plan.js";
import { DeviceTables } from "./tables.js";

/** What a kernel has of its backend. */
export interface GenericParts {
  readonly devices: Devices;
  readonly tuning: Tuning;
  readonly stateOn: (context: Context) => DeviceState;
}

/** One artifact, loaded; its tables go to a device when the first plan there is bound. */
export function genericKernel(artifact: Artifact, payload: Payload, parts: GenericParts): Kernel {
  const { moves, conditions } = artifact;
  const { devices, tuning, stateOn } = parts;
  const held = new Map<Context, DeviceTables>();
  const tablesOn = (context: Context): DeviceTables => {
    const known = held.get(context);
    if (known !== undefined) return known;
    const tables = new DeviceTables(stateOn(context), payload.lookaside);
    tables.hold();
    held.set(context, tables);
    return tables;
  };
  const partsOn = (context: Context) => {
    const [device, tables] = [stateOn(context), tablesOn(context)];
    return { moves, conditions, payload, device, tuning, tables };
  };
  return new CudaKernel(artifact, {
    contextFor: (bindings) => devices.contextFor(bindings),
    prepare: (on, bound, usage) => new GenericWork({ ...partsOn(on), usage }, bound),
    asksPointers: true,
    ...(moves.some(isTabled)
      ? { planOn: (context, bindings) => new TabledPlan({ ...partsOn(context), context }, bindings) }
      : {}),
    explain: () => explain(moves, payload),
    release: () => held.forEach((tables) => tables.release()),
  });
}
