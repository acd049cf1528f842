import { conditions, type Backend, type Conditions } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { X64Backend } from "@stowage/backend-x64";
import { hostContender, type Cell, type Contender } from "@stowage/bench";
import { backendContender, packedKind, type CellInput, type DeviceRoute, type Gpu } from "@stowage/bench/device";
import type { Driver } from "@stowage/cuda-driver";
import { Routes } from "@stowage/routes";
import { deviceCommit, engineCommit } from "../contenders/engine-commit.js";

/** One way that can be chosen. */
export interface MeasuredBackend {
  readonly name: string;
  readonly backend: Backend;
  /** Threads that share each call of a host's backend. */
  readonly threads: number;
}

/** What moves bytes of the host: one thread, and x64 on several, which share every call. */
export function hostCandidates(threads: number): readonly MeasuredBackend[] {
  const single: readonly MeasuredBackend[] = [
    { name: "cpu", backend: new CpuBackend(), threads: 1 },
    { name: "x64", backend: new X64Backend(), threads: 1 },
  ];
  if (threads === 1) return single;
  const backend = new X64Backend({ threadsFromBytes: 1 });
  return [...single, { name: `x64 (${threads} threads)`, backend, threads }];
}

export const hostContenderOf = ({ name, backend, threads }: MeasuredBackend): Contender =>
  hostContender(name, engineCommit({ backends: [backend] }, { threads }));

/** What moves bytes of a GPU's memory, each tier by itself. */
export function deviceCandidates(driver: Driver): readonly MeasuredBackend[] {
  const specialised = { driver, tuning: { tier: "specialised" as const }, name: "cuda-generic-specialised" };
  return [
    new CudaGenericBackend({ driver }),
    new CudaGenericBackend(specialised),
    new CudaStridedBackend(() => driver),
    new DmaBackend(() => driver),
  ].map(alone);
}

/** Ways between a GPU's memory and the host's, as an engine has them; they hold what is to be let go of. */
export function routesOf(driver: Driver): Routes {
  const packers = [
    new CudaStridedBackend(() => driver),
    new CudaGenericBackend({ driver }),
    new DmaBackend(() => driver),
  ];
  return new Routes(packers, { driver: () => driver });
}

/** The bulk way packs only, and engines commit both directions: it is measured by a bench of its own. */
export const routeCandidates = ({ backends }: Routes): readonly MeasuredBackend[] => backends.map(alone);

const alone = (backend: Backend): MeasuredBackend => ({ name: backend.name, backend, threads: 1 });

export const deviceContenderOf = (
  gpu: Gpu,
  input: CellInput,
  { backend }: MeasuredBackend,
  route: DeviceRoute,
): Contender => backendContender(gpu, input, backend, route, deviceCommit);

/** Where a cell's bytes lie. */
export function conditionsOf(
  { direction, count }: Pick<Cell, "direction" | "count">,
  route: "host" | DeviceRoute,
): Conditions {
  if (route === "host") return conditions({ count });
  const packed = packedKind(route);
  return direction === "pack"
    ? conditions({ sourceKind: "device", targetKind: packed, count })
    : conditions({ sourceKind: packed, targetKind: "device", count });
}
