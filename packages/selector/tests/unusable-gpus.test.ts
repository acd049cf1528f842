import { conditions, DeviceError, packMove, type Backend } from "@stowage/backend-api";
import { openCuda, openSimulatedCuda, type Driver } from "@stowage/cuda-driver";
import { canonicalise, indexed, lower, predefined, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { createEngine, NoBackendError, type CommitOptions } from "../src/index.js";

const DOUBLE = predefined("MPI_DOUBLE");
const column = vector(4, 1, 4, DOUBLE);
const ON_DEVICE: CommitOptions = { memory: "device", packedMemory: "device" };
const MOVES = [packMove(canonicalise(lower(column)))];
const KINDS = conditions({ sourceKind: "device", targetKind: "device" });

const reasonOf = (backend: Backend): string => {
  const support = backend.supports(MOVES, KINDS);
  return support.ok ? "none" : support.reason;
};

/** A device that a kernel's fault has lost. */
function lost(): Driver {
  let fails = false;
  const driver = openSimulatedCuda({ fault: (call) => (fails && call === "cuStreamSynchronize" ? 719 : undefined) });
  const context = driver.context();
  const stream = context.stream();
  fails = true;
  expect(() => stream.synchronize()).toThrow("CUDA_ERROR_LAUNCH_FAILED");
  fails = false;
  return driver;
}

const old =
  "device 0: expected compute capability 7.5 or later, got 7.0 (Simulated GPU 0): name another, or copy without kernels";
const UNUSABLE: readonly (readonly [
  what: string,
  open: () => Driver,
  kernels: RegExp | string,
  copies: RegExp | string,
])[] = [
  [
    "no driver",
    () => openCuda("libcuda-that-is-not-there.so.1"),
    /expected the NVIDIA driver's library, got none/,
    /expected the NVIDIA driver's library/,
  ],
  [
    "an old driver",
    () => openSimulatedCuda({ version: 11_040 }),
    /^cuDriverGetVersion: expected CUDA 12.0 or later, got 11.4: update/,
    /got 11.4/,
  ],
  [
    "no device",
    () => openSimulatedCuda({ devices: 0 }),
    /^cuInit: CUDA_ERROR_NO_DEVICE \(.+\): check nvidia-smi/,
    /CUDA_ERROR_NO_DEVICE/,
  ],
  [
    "a lost device",
    lost,
    /^cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED \(.+\): the context is lost: start a new process$/,
    /CUDA_ERROR_LAUNCH_FAILED/,
  ],
  ["a device too old for kernels", () => openSimulatedCuda({ architecture: 70 }), old, "none"],
];

describe.each(UNUSABLE)("%s", (_, open, kernels, copies) => {
  test("is the reason of supports(), one line, for every backend that needs it", () => {
    using engine = createEngine({ cuda: open });
    const reasons = Object.fromEntries(engine.backends.map((backend) => [backend.name, reasonOf(backend)]));
    for (const name of ["cuda-generic", "cuda-strided"]) expect(reasons[name]).toMatch(kernels);
    expect(reasons["dma"]).toMatch(copies);
    for (const reason of Object.values(reasons)) expect(reason).not.toContain("\n");
  });

  test("changes nothing for host memory", () => {
    using engine = createEngine({ cuda: open });
    const data = Uint8Array.from({ length: 128 }, (_, i) => i);
    const packed = new Uint8Array(32);
    engine.commit(column).pack(data, packed).wait();
    expect([...packed]).toEqual([0, 32, 64, 96].flatMap((start) => [...data.subarray(start, start + 8)]));
  });
});

test("a device too old for kernels still copies", () => {
  const driver = openSimulatedCuda({ architecture: 70 });
  using context = driver.context();
  using engine = createEngine({ cuda: () => driver, backend: "dma" });
  const [source, packed] = [context.managedMemory(128), context.managedMemory(32)];
  source.bytes.forEach((_, i) => (source.bytes[i] = i));
  engine.commit(column, { memory: "managed", packedMemory: "managed" }).pack(source, packed).wait();
  expect([...packed.bytes.subarray(8, 16)]).toEqual([...source.bytes.subarray(32, 40)]);
});

describe("a device short of memory", () => {
  test("is said by the plan that needed some, and the next one finds what was freed", () => {
    const driver = openSimulatedCuda({ memoryBytes: 2 ** 16 });
    using context = driver.context();
    using engine = createEngine({ cuda: () => driver, backend: "cuda-generic" });
    const ragged = indexed([1, 3, 2], [0, 5, 13], DOUBLE);
    const [source, packed] = [context.deviceMemory(256), context.deviceMemory(64)];
    const filler = context.deviceMemory(2 ** 16 - 320);
    const committed = engine.commit(ragged, ON_DEVICE);
    expect(() => committed.pack(source, packed)).toThrow(DeviceError);
    expect(() => committed.pack(source, packed)).toThrow(
      /^cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY \(out of memory\): \d+ bytes of device memory were asked for: free some/,
    );
    filler[Symbol.dispose]();
    committed.pack(source, packed).wait();
  });
});

test("with no backend left, the engine names each one's reason", () => {
  using engine = createEngine({ cuda: () => openSimulatedCuda({ devices: 0 }) });
  expect(() => engine.commit(column, ON_DEVICE)).toThrow(NoBackendError);
  expect(() => engine.commit(column, ON_DEVICE)).toThrow(/cuda-strided.*CUDA_ERROR_NO_DEVICE/s);
});
