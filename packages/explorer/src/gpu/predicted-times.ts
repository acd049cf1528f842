import { conditions, packMove, type Backend, type Conditions, type Profile } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { DmaBackend } from "@stowage/backend-dma";
import { X64Backend } from "@stowage/backend-x64";
import type { Layout } from "@stowage/ir";
import { simulatedBackends } from "./simulated-backends.js";

/** What a backend's cost model says of packing the elements; a reason where it does not take them. */
export interface PredictedTime {
  readonly memory: "host" | "device";
  readonly backend: string;
  readonly runNs?: number;
  readonly commitNs?: number;
  readonly reason?: string;
}

/** Predicted times of all candidates. Machine code is predicted here for machines that run it: a page is none. */
export function predictedTimes(layout: Layout, count: number, profile: Profile): readonly PredictedTime[] {
  const { driver, backends } = simulatedBackends();
  const host = conditions({ count });
  const device = conditions({ count, sourceKind: "device", targetKind: "device" });
  return [
    ...[new X64Backend(), new CpuBackend()].map((backend) => predictedBy(backend, layout, host, "host", profile)),
    ...[...backends, new DmaBackend(() => driver)].map((backend) =>
      predictedBy(backend, layout, device, "device", profile),
    ),
  ];
}

function predictedBy(
  backend: Backend,
  layout: Layout,
  given: Conditions,
  memory: PredictedTime["memory"],
  profile: Profile,
): PredictedTime {
  const moves = [packMove(layout)];
  const support = memory === "host" ? undefined : backend.supports(moves, given);
  if (support?.ok === false) return { memory, backend: backend.name, reason: support.reason };
  return { memory, backend: backend.name, ...backend.predict?.(moves, given, profile) };
}
