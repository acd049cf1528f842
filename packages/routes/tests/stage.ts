import {
  conditions,
  packMove,
  unpackMove,
  type Binding,
  type Buffer,
  type Kernel,
  type Move,
} from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { X64Backend } from "@stowage/backend-x64";
import { copyBytes, openSimulatedCuda, type Driver, type SimulatedOptions } from "@stowage/cuda-driver";
import { lower, predefined, runs, vector, type Layout } from "@stowage/ir";
import { Routes, type PoolLimits } from "../src/index.js";

/** Chunks of a few bytes, so that small messages take many. */
const figures = { routes: { leastChunkBytes: 64, mostChunkBytes: 256 } };

/** Every other double of 256, and room for what it packs to. */
export const LAYOUT: Layout = lower(vector(128, 1, 2, predefined("MPI_DOUBLE")));
export const SIZE_BYTES = LAYOUT.sizeBytes;
export const REACH_BYTES = LAYOUT.trueExtentBytes;

/** Routes on a simulated device, and the data of one datatype there. */
export function stageOf(options: SimulatedOptions = {}, limits: Partial<PoolLimits> = {}) {
  const driver: Driver = openSimulatedCuda(options);
  const context = driver.context();
  const packers = [
    new CudaGenericBackend({ driver }),
    new CudaStridedBackend(() => driver),
    new DmaBackend(() => driver),
  ];
  const routes = new Routes(packers, {
    driver: () => driver,
    limits,
    hostPackers: [new X64Backend()],
    profile: () => ({ machine: "small chunks", figures }),
  });
  const kernel = (name: string, move: Move, host: "host" | "pinned"): Kernel => {
    const backend = routes.backends.find((each) => each.name === name);
    if (backend === undefined) throw new RangeError(`no route ${name}`);
    const packs = move.source === LAYOUT;
    const kinds = packs
      ? { sourceKind: "device" as const, targetKind: host }
      : { sourceKind: host, targetKind: "device" as const };
    return backend.load(backend.compile([move], conditions(kinds)));
  };
  const fill = (address: number, seed: number): Uint8Array => {
    const bytes = Uint8Array.from({ length: REACH_BYTES }, (_, i) => (i * 7 + seed) & 255);
    copyBytes(context, address, context.libcuda.addressOf(bytes), bytes.length).run({ handle: 0 });
    context.synchronize();
    return bytes;
  };
  return { driver, context, routes, kernel, fill, pool: () => routes.pools.on(0) };
}

/** The bulk way on a simulated device, packed by machine code. */
export function bulkStage(options: SimulatedOptions = {}, limits: Partial<PoolLimits> = {}) {
  const stage = stageOf(options, limits);
  const [backend] = stage.routes.bulk;
  if (backend === undefined) throw new RangeError("no bulk way");
  const given = conditions({ sourceKind: "device", targetKind: "host" });
  return { ...stage, bulk: (): Kernel => backend.load(backend.compile([PACK], given)) };
}

export const PACK = packMove(LAYOUT);
export const UNPACK = unpackMove(LAYOUT);

export const packedOf = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from(
    Array.from(runs(LAYOUT, { count: 1, first: 0, length: SIZE_BYTES })).flatMap(({ offsetBytes, lengthBytes }) =>
      Array.from(bytes.subarray(offsetBytes, offsetBytes + lengthBytes)),
    ),
  );

export const bindingOf = (source: Buffer, target: Buffer): Binding => ({
  source: { memory: source, originBytes: 0 },
  target: { memory: target, originBytes: 0 },
  count: 1,
  first: 0,
  length: SIZE_BYTES,
});

/** Pageable memory. */
export const hostBuffer = (sizeBytes: number): Buffer & { readonly bytes: Uint8Array } => ({
  kind: "host",
  sizeBytes,
  bytes: new Uint8Array(sizeBytes),
});
