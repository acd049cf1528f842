import { openSimulatedCuda, type SimulatedOptions } from "@stowage/cuda-driver";
import { copyBytes } from "@stowage/cuda-driver";
import { forEachRun, indexed, lower, predefined, vector, type Datatype } from "@stowage/ir";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { describe, expect, test } from "vitest";
import { createEngine } from "../src/index.js";

const DOUBLE = predefined("MPI_DOUBLE");
const column = vector(6, 1, 4, DOUBLE);
const pairs = vector(3, 2, 5, DOUBLE);
const ragged = indexed([1, 3, 2], [0, 5, 13], DOUBLE);

function twoGpus(options: SimulatedOptions = {}) {
  const driver = openSimulatedCuda({ devices: 2, ...options });
  const contexts = [driver.context(0), driver.context(1)] as const;
  return { driver, contexts, engine: createEngine({ cuda: () => driver }) };
}

/** The bytes of a type, in packed order. */
function packedBytes(type: Datatype, data: Uint8Array): number[] {
  const layout = lower(type);
  const bytes: number[] = [];
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
    bytes.push(...data.subarray(offset, offset + length));
  });
  return bytes;
}

const BYTES = 256;

describe.each(["cuda-strided", "cuda-generic", "dma"])(
  "copies by %s from one GPU's memory to the other's",
  (backend) => {
    test.each([
      ["strided to strided", column, pairs],
      ["strided to a list", column, ragged],
      ["a list to strided", ragged, pairs],
    ])("%s", (_, fromType, toType) => {
      const { contexts, engine } = twoGpus();
      const memory = contexts.map((context) => context.deviceMemory(BYTES)) as [
        ReturnType<(typeof contexts)[0]["deviceMemory"]>,
        ReturnType<(typeof contexts)[0]["deviceMemory"]>,
      ];
      const data = Uint8Array.from({ length: BYTES }, (_each, i) => i);
      const [first] = contexts;
      copyBytes(first, memory[0].address, first.libcuda.addressOf(data), BYTES).run({ handle: 0 });
      first.synchronize();
      const options = { fromMemory: "device", toMemory: "device", backend } as const;
      if (backend === "cuda-strided" && (fromType === ragged || toType === ragged)) {
        expect(() => engine.copy(memory[0], fromType, memory[1], toType, options)).toThrow("is not strided");
        return;
      }
      engine.copy(memory[0], fromType, memory[1], toType, options).wait();
      const got = new Uint8Array(BYTES);
      copyBytes(contexts[1], contexts[1].libcuda.addressOf(got), memory[1].address, BYTES).run({ handle: 0 });
      contexts[1].synchronize();
      expect(packedBytes(toType, got)).toEqual(packedBytes(fromType, data));
      engine[Symbol.dispose]();
    });
  },
);

test("GPUs that do not reach each other's memory are refused in one line", () => {
  const fault: SimulatedOptions["fault"] = (call) => (call === "cuCtxEnablePeerAccess" ? 217 : undefined);
  const { contexts, engine } = twoGpus({ fault });
  const [from, to] = contexts.map((context) => context.deviceMemory(BYTES)) as [never, never];
  const options = { fromMemory: "device", toMemory: "device", backend: "cuda-strided" } as const;
  expect(() => engine.copy(from, column, to, pairs, options)).toThrow(/cuCtxEnablePeerAccess: CUDA_ERROR_PEER_ACCESS/);
});

test("a kernel of the target's device pulls, in its own queue", () => {
  const driver = openSimulatedCuda({ devices: 2 });
  const [here, there] = [driver.context(0), driver.context(1)];
  using engine = createEngine({ backends: [new CudaStridedBackend(() => driver, { runsOn: "target" })] });
  const [from, to] = [here.deviceMemory(BYTES), there.deviceMemory(BYTES)];
  const data = Uint8Array.from({ length: BYTES }, (_, i) => i);
  copyBytes(here, from.address, here.libcuda.addressOf(data), BYTES).run({ handle: 0 });
  here.synchronize();
  using queue = there.stream();
  engine.copy(from, column, to, pairs, { fromMemory: "device", toMemory: "device", queue }).wait();
  const got = new Uint8Array(BYTES);
  copyBytes(there, there.libcuda.addressOf(got), to.address, BYTES).run({ handle: 0 });
  there.synchronize();
  expect(packedBytes(pairs, got)).toEqual(packedBytes(column, data));
});
