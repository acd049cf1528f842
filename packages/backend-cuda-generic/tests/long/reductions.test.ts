import {
  conditions,
  ELEMENT_NAMES,
  ELEMENTS,
  hostMemory,
  isDefinedFor,
  OPERATION_NAMES,
  reduceMove,
  type Binding,
} from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { canonicalise, hvector, lower, predefined } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { CudaGenericBackend } from "../../src/index.js";

const driver = openSimulatedCuda();
const memory = testMemory(driver.context(), "device");
const BYTE = predefined("MPI_BYTE");
const ON_DEVICE = conditions({ sourceKind: "device", targetKind: "device" });
const COUNT = 9;

describe("reductions on a simulated device", () => {
  // Elements 3 bytes from any word need an access a byte; others share words of 8 bytes, with some before and behind
  // them.
  test.each([0, 3])("give what cpu gives, for every operation and element, %i bytes from a word", (skew) => {
    for (const op of OPERATION_NAMES) {
      for (const element of ELEMENT_NAMES.filter((each) => isDefinedFor(op, each))) {
        const { sizeBytes, kind } = ELEMENTS[element];
        const move = reduceMove(canonicalise(lower(hvector(2, sizeBytes, 3 * sizeBytes, BYTE))), { op, element });
        const byte = (i: number, seed: number) => {
          const mixed = Math.imul(i + seed, 0x9e3779b1) >>> 20;
          if (kind === "float" || kind === "complex") return (i & 3) === 3 ? 0x40 : mixed & 0x7f;
          return mixed % 3 === 0 ? 0 : mixed & 255;
        };
        const length = (COUNT - 1) * 2 * sizeBytes;
        const arriving = Uint8Array.from({ length: COUNT * 2 * sizeBytes }, (_, i) => byte(i, 7));
        const there = Uint8Array.from({ length: skew + COUNT * 4 * sizeBytes }, (_, i) => byte(i, 1009));
        const range = { count: COUNT, first: sizeBytes, length };
        const expected = there.slice();
        bound(new CpuBackend(), [
          { source: span(hostMemory(arriving)), target: span(hostMemory(expected), skew), ...range },
        ]);
        const [from, into] = [memory.allocate(arriving.length), memory.allocate(there.length)];
        memory.write(from, 0, arriving);
        memory.write(into, 0, there);
        bound(new CudaGenericBackend({ driver }), [{ source: span(from), target: span(into, skew), ...range }]);
        const got = memory.read(into, 0, there.length);
        if (got.join() !== expected.join()) expect(`${op} ${element}: ${got.join()}`).toBe(expected.join());
        for (const buffer of [from, into]) memory.free(buffer);

        function bound(backend: CpuBackend | CudaGenericBackend, bindings: readonly Binding[]): void {
          const given = backend instanceof CpuBackend ? conditions() : ON_DEVICE;
          using kernel = backend.load(backend.compile([move], given));
          using plan = kernel.bind(bindings);
          plan.run().wait();
        }
      }
    }
  });
});

function span(memory: Binding["source"]["memory"], originBytes = 0) {
  return { memory, originBytes };
}
