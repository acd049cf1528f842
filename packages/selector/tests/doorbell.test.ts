import { CpuBackend } from "@stowage/backend-cpu";
import { CudaStridedBackend, DoorbellBackend } from "@stowage/backend-cuda-strided";
import { conditions, packMove } from "@stowage/backend-api";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, lower, predefined, vector } from "@stowage/ir";
import { expect, test } from "vitest";
import { createEngine } from "../src/index.js";

test("a user who puts a doorbell among an engine's backends has short packs go by it", () => {
  const driver = openSimulatedCuda();
  const context = driver.context();
  const strided = new CudaStridedBackend(() => driver);
  const bell = new DoorbellBackend(strided, { idleMicroseconds: 1 });
  using engine = createEngine({ backends: [new CpuBackend(), strided, bell], profile: "shipped" });
  const type = vector(16, 1, 4, predefined("MPI_DOUBLE"));
  const toHost = conditions({ sourceKind: "device", targetKind: "pinned" });
  expect(engine.choiceFor([packMove(canonicalise(lower(type)))], toHost).chosen.name).toBe(bell.name);
  const memory = context.deviceMemory(64 * 8);
  const target = context.pinnedMemory(16 * 8);
  using stream = context.stream();
  memory.fill(7, stream);
  engine.commit(type, { memory: "device", packedMemory: "pinned" }).pack(memory, target, { queue: stream }).wait();
  expect(target.bytes.every((byte) => byte === 7)).toBe(true);
  const named = { memory: "device", packedMemory: "pinned", backend: bell.name } as const;
  expect(engine.commit(type, named).explain("pack")).toContain("a kernel that stays on the device is rung");
});
