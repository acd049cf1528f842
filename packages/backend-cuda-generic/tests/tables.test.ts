import { conditions, packMove, tabledMove, type Binding, type Buffer } from "@stowage/backend-api";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { denseLayout } from "@stowage/ir";
import { afterAll, describe, expect, test } from "vitest";
import { CudaGenericBackend } from "../src/index.js";

const PAGE_BYTES = 48;
const driver = openSimulatedCuda();
const context = driver.context();
const device = testMemory(context, "device");
const backend = new CudaGenericBackend({ driver });
afterAll(() => backend[Symbol.dispose]());

const move = tabledMove(packMove(denseLayout(PAGE_BYTES)), { source: { index: "u32", strideBytes: PAGE_BYTES } });
const known = conditions({ sourceKind: "device", targetKind: "device", tableKind: "device" });

function filled(bytes: Uint8Array): Buffer {
  const buffer = device.allocate(bytes.length);
  device.write(buffer, 0, bytes);
  return buffer;
}

const pages = filled(Uint8Array.from({ length: 4 * PAGE_BYTES }, (_, i) => 1 + Math.floor(i / PAGE_BYTES)));
const firstBytesOf = (packed: Buffer, count: number): readonly number[] =>
  Array.from({ length: count }, (_, k) => device.read(packed, k * PAGE_BYTES, 1)[0] as number);

function bindingOf(table: Buffer, packed: Buffer, count: number): Binding {
  const at = (memory: Buffer) => ({ memory, originBytes: 0 });
  const length = count * PAGE_BYTES;
  return { source: at(pages), target: at(packed), count, first: 0, length, tables: { source: at(table) } };
}

describe("tables that lie on the device", () => {
  test("are read when the work runs; an entry that leads outside moves nothing, and is told of once", () => {
    using kernel = backend.load(backend.compile([move], known));
    const packed = filled(new Uint8Array(3 * PAGE_BYTES));
    const table = filled(new Uint8Array(Uint32Array.of(3, 4, 0).buffer));
    using plan = kernel.bind([bindingOf(table, packed, 3)]);
    expect(() => plan.run().wait()).toThrow("entry 1 of a displacement table: expected an element within its memory");
    expect(firstBytesOf(packed, 3)).toEqual([4, 0, 1]);
    device.write(table, 0, new Uint8Array(Uint32Array.of(1, 2, 2 ** 32 - 1).buffer));
    expect(() => plan.run().wait()).toThrow("entry 2 of a displacement table");
    device.write(table, 0, new Uint8Array(Uint32Array.of(1, 2, 3).buffer));
    plan.run().wait();
    expect(firstBytesOf(packed, 3)).toEqual([2, 3, 4]);
  });

  test("are read by each launch of a captured plan", () => {
    using kernel = backend.load(backend.compile([move], known));
    const packed = filled(new Uint8Array(2 * PAGE_BYTES));
    const table = filled(new Uint8Array(Uint32Array.of(0, 1).buffer));
    using plan = kernel.bind([bindingOf(table, packed, 2)]);
    using stream = context.stream();
    using captured = plan.capture?.(stream);
    captured?.run(stream).wait();
    expect(firstBytesOf(packed, 2)).toEqual([1, 2]);
    device.write(table, 0, new Uint8Array(Uint32Array.of(3, 9).buffer));
    expect(() => captured?.run(stream).wait()).toThrow("entry 1 of a displacement table");
    expect(firstBytesOf(packed, 2)).toEqual([4, 2]);
  });

  test("of host memory are refused where those of a device were promised", () => {
    using kernel = backend.load(backend.compile([move], known));
    const table: Buffer = { kind: "host", sizeBytes: 8, bytes: new Uint8Array(8) };
    const packed = filled(new Uint8Array(2 * PAGE_BYTES));
    expect(() => kernel.bind([bindingOf(table, packed, 2)])).toThrow(
      "source table of move 0: expected device memory, got host memory",
    );
  });
});
