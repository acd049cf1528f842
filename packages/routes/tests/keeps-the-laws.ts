import { CpuBackend } from "@stowage/backend-cpu";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { X64Backend } from "@stowage/backend-x64";
import { describeBackend, type LawOptions } from "@stowage/conformance";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { Routes, type PoolLimits } from "../src/index.js";

const driver = openSimulatedCuda();
const context = driver.context();
const device = testMemory(context, "device");

export const pinned = testMemory(context, "pinned");

/** Chunks of a few bytes, so that small cases take many. */
const small = {
  machine: "small chunks",
  figures: { routes: { leastChunkBytes: 24, mostChunkBytes: 200 } },
};

/** The laws for one route with one packer; `runs` is a share of the usual number. */
export function keepsTheLaws(
  name: string,
  packed: LawOptions["packed"],
  {
    limits = {},
    share,
    directions = ["pack", "unpack"],
  }: Pick<LawOptions, "directions"> & { readonly limits?: Partial<PoolLimits>; readonly share: number },
): void {
  const runs = Math.ceil(Number(process.env["STOWAGE_LAW_RUNS"] ?? 400) * share);
  const options: LawOptions = {
    scattered: device,
    directions,
    runs,
    ...(packed === undefined ? {} : { packed }),
  };
  const factory = () => {
    const packers = [
      new CudaGenericBackend({ driver }),
      new CudaStridedBackend(() => driver),
      new DmaBackend(() => driver),
    ];
    const options = {
      driver: () => driver,
      limits,
      profile: () => small,
      hostPackers: [new CpuBackend(), new X64Backend()],
    };
    const { backends, bulk } = new Routes(packers, options);
    const found = [...backends, ...bulk].find((backend) => backend.name === name);
    if (found === undefined) throw new RangeError(`no route ${name}`);
    return found;
  };
  const memory = packed === undefined ? "pageable memory" : "pinned memory";
  describeBackend(`${name}, ${memory}${limits.buffers === 1 ? ", a pool of one buffer" : ""}`, factory, options);
}
