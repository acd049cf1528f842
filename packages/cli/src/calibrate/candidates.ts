import { conditions, type Conditions } from "@stowage/backend-api";
import { CPU_COSTS, CpuBackend } from "@stowage/backend-cpu";
import { CudaGenericBackend, genericCosts } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend, STRIDED_COSTS } from "@stowage/backend-cuda-strided";
import { DmaBackend, DMA_COSTS } from "@stowage/backend-dma";
import { X64_COSTS, X64Backend } from "@stowage/backend-x64";
import type { Backend, CostModel } from "@stowage/backend-api";
import { hostContender, type Cell, type Contender } from "@stowage/bench";
import { backendContender, packedKind, type CellInput, type DeviceRoute, type Gpu } from "@stowage/bench/device";
import { deviceCommit, engineCommit } from "../contenders/engine-commit.js";

/** One way that can be chosen, with what predicts it. */
export interface MeasuredBackend {
  readonly name: string;
  readonly backend: Backend;
  readonly model: CostModel;
  /** Of a host's: threads that share each of its calls. */
  readonly threads: number;
}

/** What moves bytes of the host: one thread, and x64 on several, which share every call. */
export function hostCandidates(threads: number): readonly MeasuredBackend[] {
  const alone: readonly MeasuredBackend[] = [
    { name: "cpu", backend: new CpuBackend(), model: CPU_COSTS, threads: 1 },
    { name: "x64", backend: new X64Backend(), model: X64_COSTS, threads: 1 },
  ];
  if (threads === 1) return alone;
  const backend = new X64Backend({ threadsFromBytes: 1 });
  return [...alone, { name: `x64 (${threads} threads)`, backend, model: X64_COSTS, threads }];
}

export const hostContenderOf = ({ name, backend, threads }: MeasuredBackend): Contender =>
  hostContender(name, engineCommit({ backends: [backend] }, { threads }));

/** What moves bytes of a GPU's memory, each tier by itself. */
export function deviceCandidates({ driver }: Gpu): readonly MeasuredBackend[] {
  const specialised = { driver, tuning: { tier: "specialised" as const }, name: "cuda-generic-specialised" };
  const backends: readonly (readonly [Backend, CostModel])[] = [
    [new CudaGenericBackend({ driver }), genericCosts("generic")],
    [new CudaGenericBackend(specialised), genericCosts("specialised")],
    [new CudaStridedBackend(() => driver), STRIDED_COSTS],
    [new DmaBackend(() => driver), DMA_COSTS],
  ];
  return backends.map(([backend, model]) => ({ name: backend.name, backend, model, threads: 1 }));
}

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
