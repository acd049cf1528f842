import { conditions, packMove } from "@stowage/backend-api";
import { canonicalise, hvector, indexed, lower, predefined, struct } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { DeviceState } from "../../src/device-state.js";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { CudaGenericBackend, DEFAULT_TUNING } from "../../src/index.js";
import type { Variant } from "../../src/kernel/variant.js";
import { payloadOf } from "../../src/payload.js";
import { GenericWork } from "../../src/generic-work.js";
import { DeviceTables } from "../../src/tables.js";

class TraversedDevice extends DeviceState {
  override generic(variant: Variant) {
    return super.generic({ ...variant, traverses: true });
  }
}

const double = predefined("MPI_DOUBLE");
const TYPES = {
  "words of a strided type": hvector(40, 1, 24, double),
  "words of a searched list": indexed([1, 5, 2, 7], [0, 3, 20, 30], double),
  "chunks of a struct": hvector(30, 1, 24, struct([1, 1], [0, 8], [double, predefined("MPI_CHAR")])),
};

describe("a kernel that only walks", () => {
  test.each(Object.entries(TYPES))("%s: it writes nothing, where the one that moves writes all", (_, type) => {
    const driver = openSimulatedCuda();
    const context = driver.context();
    const layout = canonicalise(lower(type));
    const source = context.pinnedMemory(layout.trueExtentBytes);
    source.bytes.fill(7);
    const target = context.pinnedMemory(layout.sizeBytes);
    target.bytes.fill(0x5a);
    const kinds = conditions({ sourceKind: "pinned", targetKind: "pinned" });
    const moves = [packMove(layout)];
    const payload = payloadOf(new CudaGenericBackend({ driver }).compile(moves, kinds));
    const whole = { count: 1, first: 0, length: layout.sizeBytes };
    const binding = {
      source: { memory: source, originBytes: 0 },
      target: { memory: target, originBytes: 0 },
      ...whole,
    };
    const runOn = (device: DeviceState): void => {
      const tables = new DeviceTables(device, payload.lookaside);
      const parts = {
        moves,
        conditions: kinds,
        payload,
        device,
        tuning: DEFAULT_TUNING,
        tables,
        usage: { rebound: false },
      };
      new GenericWork(parts, [binding]).send({ handle: 0 });
      context.synchronize();
    };
    runOn(new TraversedDevice(context));
    expect(target.bytes.every((byte) => byte === 0x5a)).toBe(true);
    runOn(new DeviceState(context));
    expect(target.bytes.every((byte) => byte === 7)).toBe(true);
  });
});
