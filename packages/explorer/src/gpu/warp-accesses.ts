import { conditions, packMove, type Backend } from "@stowage/backend-api";
import type { Context, DeviceMemory } from "@stowage/cuda-driver";
import type { Layout } from "@stowage/ir";
import type { AccessCounters, WarpAccess } from "@stowage/ptx";
import { simulatedBackends } from "./simulated-backends.js";

/** What a lane of a warp asked for: whose memory it is, and where in it. */
export interface LaneAccess {
  readonly lane: number;
  readonly offsetBytes: number;
}

/**
 * One access of a warp. Sectors are numbers of 32-byte units of that memory, ascending; four of them are a cache line.
 */
export interface DrawnAccess {
  readonly writes: boolean;
  readonly memory: "data" | "packed" | "tables";
  readonly laneBytes: number;
  readonly lanes: readonly LaneAccess[];
  readonly sectors: readonly number[];
}

/** What one backend's kernel asked of the memory when it packed. */
export interface KernelAccesses {
  readonly backend: string;
  /** Why there is none. */
  readonly reason?: string;
  readonly loads: AccessCounters;
  readonly stores: AccessCounters;
  /** The first of them. */
  readonly accesses: readonly DrawnAccess[];
}

const NONE: AccessCounters = { requests: 0, bytes: 0, sectors: 0, lines: 0 };
const MOST_BYTES = 2 ** 20;
const MOST_REACH_BYTES = 2 ** 40;
const MOST_ACCESSES = 1024;
const SECTOR_BYTES = 32;
const ON_DEVICE = conditions({ sourceKind: "device", targetKind: "device" });

/** Packs one element on a simulated GPU by each backend that has a kernel. */
export function warpAccesses(layout: Layout): readonly KernelAccesses[] {
  return ["cuda-strided", "cuda-generic"].map((backend) => accessesOf(backend, layout));
}

function accessesOf(name: string, layout: Layout): KernelAccesses {
  const seen: WarpAccess[] = [];
  let [loads, stores] = [NONE, NONE];
  const { driver, backends } = simulatedBackends({
    backedBytes: 2 ** 28,
    memoryBytes: 2 * MOST_REACH_BYTES,
    accessed: (access) => void (seen.length < MOST_ACCESSES && seen.push(access)),
    launched: (_, counters) => void ([loads, stores] = [counters.globalLoads, counters.globalStores]),
  });
  const backend = backends.find((each) => each.name === name) as Backend;
  const refused = refusalOf(backend, layout);
  if (refused !== undefined) return { backend: name, reason: refused, loads, stores, accesses: [] };
  using context: Context = driver.context();
  using data = context.deviceMemory(Math.max(1, layout.trueExtentBytes));
  using packed = context.deviceMemory(Math.max(1, layout.sizeBytes));
  packOnce(backend, layout, data, packed);
  return { backend: name, loads, stores, accesses: seen.map((access) => drawn(access, data, packed)) };
}

function refusalOf(backend: Backend, layout: Layout): string | undefined {
  const { sizeBytes, trueExtentBytes } = layout;
  if (sizeBytes === 0) return "no byte moves";
  if (sizeBytes > MOST_BYTES) return `simulated up to ${MOST_BYTES} bytes an element, got ${sizeBytes}`;
  if (trueExtentBytes > MOST_REACH_BYTES)
    return `simulated up to ${MOST_REACH_BYTES} bytes reached, got ${trueExtentBytes}`;
  const support = backend.supports([packMove(layout)], ON_DEVICE);
  return support.ok ? undefined : support.reason;
}

function packOnce(backend: Backend, layout: Layout, data: DeviceMemory, packed: DeviceMemory): void {
  using kernel = backend.load(backend.compile([packMove(layout)], ON_DEVICE));
  using plan = kernel.bind([
    {
      source: { memory: data, originBytes: -layout.trueLowerBoundBytes },
      target: { memory: packed, originBytes: 0 },
      count: 1,
      first: 0,
      length: layout.sizeBytes,
    },
  ]);
  plan.run().wait();
}

function drawn(
  { writes, laneBytes, lanes, addresses }: WarpAccess,
  data: DeviceMemory,
  packed: DeviceMemory,
): DrawnAccess {
  const first = addresses[0] ?? 0;
  const inside = ({ address, sizeBytes }: DeviceMemory): boolean => first >= address && first < address + sizeBytes;
  const [memory, base] = inside(data)
    ? (["data", data.address] as const)
    : inside(packed)
      ? (["packed", packed.address] as const)
      : (["tables", Math.floor(Math.min(...addresses) / 128) * 128] as const);
  const offsets = addresses.map((address) => address - base);
  const sectors = offsets.flatMap((offset) => [
    Math.floor(offset / SECTOR_BYTES),
    Math.floor((offset + laneBytes - 1) / SECTOR_BYTES),
  ]);
  return {
    ...{ writes, memory, laneBytes },
    lanes: lanes.map((lane, i) => ({ lane, offsetBytes: offsets[i] as number })),
    sectors: [...new Set(sectors)].sort((a, b) => a - b),
  };
}
