import type { Backend } from "@stowage/backend-api";
import { openSimulatedCuda, type SimulatedOptions } from "@stowage/cuda-driver";
import { createEngine } from "@stowage/selector";
import { describe, expect, test } from "vitest";
import { workloadSubject, type Interruption, type ResultRow } from "@stowage/bench";
import { benchOnDevice, Gpu, type DeviceBench } from "@stowage/bench/device";
import { deviceContenders, type AskedBackends } from "../../src/contenders/device-contenders.js";
import { tampering } from "./tampering.js";

const never: Interruption = {
  seen: () => Promise.resolve(false),
  throwIfSeen: () => undefined,
  [Symbol.dispose]: () => undefined,
};

interface Asked extends Partial<Omit<DeviceBench, "contenders">> {
  readonly backends?: AskedBackends;
  readonly options?: SimulatedOptions;
  readonly own?: (driver: ReturnType<typeof openSimulatedCuda>) => readonly Backend[];
}

async function benched(workloads: readonly string[], { options, own, backends = "all", ...asked }: Asked = {}) {
  const driver = openSimulatedCuda(options);
  using gpu = new Gpu(driver);
  using engine = createEngine(own === undefined ? { cuda: () => driver } : { backends: own(driver) });
  const remarks: string[] = [];
  const kept: number[] = [];
  const { rows, differences } = await benchOnDevice(gpu, {
    subjects: workloads.map(workloadSubject),
    contenders: (input, _, route) => deviceContenders(gpu, engine, backends, input, route),
    routes: ["device"],
    budgetMs: 1,
    interrupted: never,
    keep: (sofar) => kept.push(sofar.length),
    remark: (line) => remarks.push(line),
    ...asked,
  });
  const { freeBytes, totalBytes } = gpu.context.memoryInfo();
  return { rows, differences, remarks, kept, heldBytes: totalBytes - freeBytes };
}

const contenders = (rows: readonly ResultRow[], direction: string, route: string): string[] =>
  rows
    .filter((row) => row.direction === direction && row.route === route && row.mode === "bound")
    .map(({ contender }) => contender);

describe("every backend that takes device memory, beside the driver's copies", () => {
  test.each([
    ["contiguous@4KiB", ["cuda-generic", "cuda-generic-specialised", "cuda-strided", "dma", "memcpy"]],
    ["vector-8@1KiB", ["cuda-generic", "cuda-generic-specialised", "cuda-strided", "dma", "cuMemcpy2D", "memcpy"]],
    ["subarray4d-4", ["cuda-generic", "cuda-generic-specialised", "cuda-strided", "dma", "cuMemcpyBatch", "memcpy"]],
    ["indexed-random@8KiB", ["cuda-generic", "cuda-generic-specialised", "dma", "cuMemcpyBatch", "memcpy"]],
    ["struct24@1700", ["cuda-generic", "cuda-generic-specialised", "cuda-strided", "dma", "cuMemcpy2D", "memcpy"]],
    ["face-64-xz", ["cuda-generic", "cuda-generic-specialised", "cuda-strided", "dma", "cuMemcpy2D", "memcpy"]],
  ])("%s: both directions, both routes, every row checked", async (name, expected) => {
    const { rows, differences, heldBytes } = await benched([name], { routes: ["device", "one-shot"] });
    expect(differences).toEqual([]);
    for (const direction of ["pack", "unpack"]) {
      for (const route of ["device", "one-shot"]) expect(contenders(rows, direction, route)).toEqual(expected);
    }
    expect(rows.every(({ verified, medianNs }) => verified && medianNs > 0)).toBe(true);
    expect(heldBytes).toBe(0);
  });

  test("what a backend refuses is one line", async () => {
    const { remarks } = await benched(["indexed-random@1KiB"], { routes: ["device", "one-shot"] });
    expect(remarks).toEqual([expect.stringMatching(/^indexed-random@1KiB: cuda-strided: move 0 is not strided/)]);
  });

  test("the engine's own choice, or those that are named", async () => {
    const auto = await benched(["vector-8@1KiB"], { backends: "auto" });
    expect(contenders(auto.rows, "pack", "device")).toEqual([
      expect.stringMatching(/^cuda-(generic|strided)/),
      "cuMemcpy2D",
      "memcpy",
    ]);
    const named = await benched(["vector-8@1KiB"], { backends: ["cuda-generic"] });
    expect(contenders(named.rows, "unpack", "device")).toEqual(["cuda-generic", "cuMemcpy2D", "memcpy"]);
  });
});

describe("what is not as it should be", () => {
  test.each([
    [
      "a byte that was packed",
      "vector-8@1KiB",
      "pack",
      77,
      /^vector-8: tampering: byte 77 of the pack: expected \d+, got 238$/,
    ],
    ["a byte that was unpacked", "vector-8@1KiB", "unpack", 514, /byte 514 of the unpack: expected \d+, got 238$/],
    [
      "a byte that an unpack must leave",
      "vector-8@1KiB",
      "unpack",
      300,
      /byte 300 of the unpack: expected 90, got 238$/,
    ],
    ["a byte unpacked out of order", "lammps-atoms@4800", "unpack", 0, /byte 0 of the unpack: expected \d+, got 238$/],
  ] as const)("%s is named, and its cell has no rows", async (_, name, direction, offset, message) => {
    const { rows, differences, remarks } = await benched([name, "contiguous@1KiB"], {
      own: (driver) => [tampering(driver, direction, offset)],
    });
    expect(differences[0]).toMatch(message);
    expect(remarks).toEqual(expect.arrayContaining([expect.stringMatching(message)]));
    expect(rows.filter((row) => row.workload === name.split("@")[0] && row.direction === direction)).toEqual([]);
  });

  test("too little device memory is why a contender takes no part", async () => {
    const { remarks, rows } = await benched(["contiguous@1MiB"], { options: { memoryBytes: 2 ** 20 + 2 ** 19 } });
    expect(
      remarks.some((line) =>
        /memcpy: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY .*1048576 bytes of device memory/.test(line),
      ),
    ).toBe(true);
    expect(rows).toEqual([]);
  });
});

test("what was measured until the user stopped is kept", async () => {
  let asked = 0;
  const afterTwo: Interruption = { ...never, seen: () => Promise.resolve(++asked >= 2) };
  const { rows, kept } = await benched(["contiguous@1KiB", "vector-8@1KiB", "vector-16@1KiB"], {
    interrupted: afterTwo,
  });
  expect(new Set(rows.map(({ workload }) => workload))).toEqual(new Set(["contiguous"]));
  expect(kept.at(-1)).toBe(rows.length);
});
