import { openSimulatedCuda, type Context, type Driver } from "@stowage/cuda-driver";
import { lower, type Datatype, type Layout } from "@stowage/ir";
import type { AccessCounters } from "@stowage/ptx";
import { createEngine, NoBackendError } from "@stowage/selector";

/** What the kernels of one backend asked of a GPU's memory, tables and parameters in memory included. */
export interface DeviceAccess {
  readonly backend: string;
  readonly direction: "pack" | "unpack";
  readonly loads: AccessCounters;
  readonly stores: AccessCounters;
}

export type DeviceAccesses =
  | { readonly ok: true; readonly runs: readonly DeviceAccess[] }
  | { readonly ok: false; readonly reason: string };

/** The driver of a GPU that is simulated. */
export const simulatedGpu = (): Driver => openSimulatedCuda();

const KERNEL_BACKENDS = ["cuda-strided", "cuda-generic"] as const;
/** A simulated kernel takes a second for some 100 MiB. */
const MOST_BYTES = 2 ** 26;
/** Only the pages that are touched are backed. */
const MOST_REACH_BYTES = 2 ** 50;

/**
 * Packs and unpacks one element on a simulated GPU by each backend that has kernels, and counts sectors and cache
 * lines.
 */
export function deviceAccesses(datatype: Datatype): DeviceAccesses {
  const layout = lower(datatype);
  const { sizeBytes, trueExtentBytes } = layout;
  if (sizeBytes > MOST_BYTES) return notCounted(`at most ${MOST_BYTES} bytes an element, got ${sizeBytes}`);
  if (trueExtentBytes > MOST_REACH_BYTES / 2)
    return notCounted(`at most ${MOST_REACH_BYTES / 2} bytes reached, got ${trueExtentBytes}`);
  return { ok: true, runs: KERNEL_BACKENDS.flatMap((backend) => accessesOf(backend, layout)) };
}

const notCounted = (expected: string): DeviceAccesses => ({ ok: false, reason: `not counted: expected ${expected}` });

function accessesOf(backend: string, layout: Layout): readonly DeviceAccess[] {
  const launches: Omit<DeviceAccess, "backend" | "direction">[] = [];
  const driver = openSimulatedCuda({
    backedBytes: 2 ** 29,
    memoryBytes: MOST_REACH_BYTES,
    launched: (_, { globalLoads: loads, globalStores: stores }) => void launches.push({ loads, stores }),
  });
  try {
    return (["pack", "unpack"] as const).flatMap((direction) => {
      launches.length = 0;
      run(driver, backend, layout, direction);
      return launches.map((launch) => ({ backend, direction, ...launch }));
    });
  } catch (error) {
    if (error instanceof NoBackendError) return [];
    throw error;
  }
}

function run(driver: Driver, backend: string, layout: Layout, direction: DeviceAccess["direction"]): void {
  using context: Context = driver.context();
  using engine = createEngine({ cuda: () => driver, backend });
  const committed = engine.commit(layout, { memory: "device", packedMemory: "device" });
  using scattered = context.deviceMemory(Math.max(1, layout.trueExtentBytes));
  using packed = context.deviceMemory(Math.max(1, layout.sizeBytes));
  const span = { memory: scattered, originBytes: -layout.trueLowerBoundBytes };
  if (direction === "pack") committed.pack(span, packed).wait();
  else committed.unpack(packed, span).wait();
}
