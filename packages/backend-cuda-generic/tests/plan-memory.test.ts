import { openSimulatedCuda } from "@stowage/cuda-driver";
import { expect, test, vi } from "vitest";
import { PlanMemory } from "../src/plan-memory.js";

test("plans share one allocation, none lies over another, and a room that was given back is taken again", () => {
  const context = openSimulatedCuda().context();
  const allocations = vi.spyOn(context, "deviceMemory");
  const memory = new PlanMemory(context);
  const rooms = [100, 1024, 900].map((bytes) => memory.room(bytes));
  const starts = rooms.map(({ address }) => address).sort((a, b) => a - b);
  expect(rooms.every(({ sizeBytes }) => sizeBytes === 1024)).toBe(true);
  expect(starts.every((start, i) => i === 0 || start - (starts[i - 1] as number) >= 1024)).toBe(true);
  rooms[1]?.release();
  expect(memory.room(512).address).toBe(rooms[1]?.address);
  expect(allocations).toHaveBeenCalledTimes(1);
  expect(memory.room(5000).sizeBytes).toBe(8192);
  expect(allocations).toHaveBeenCalledTimes(2);
});

test("it is freed with the last that holds it, and there again for the next", () => {
  const context = openSimulatedCuda().context();
  const held = (): number => context.memoryInfo().totalBytes - context.memoryInfo().freeBytes;
  const memory = new PlanMemory(context);
  memory.hold();
  memory.hold();
  memory.room(100).release();
  memory.release();
  expect(held()).toBeGreaterThan(0);
  memory.release();
  expect(held()).toBe(0);
  memory.hold();
  expect(memory.room(100).address).toBeGreaterThan(0);
});

test("a plan too large to share has an allocation of its own, freed when it is given back", () => {
  const context = openSimulatedCuda().context();
  const memory = new PlanMemory(context);
  const freed = vi.spyOn(context.libcuda, "cuMemFree_v2");
  const room = memory.room(300_000);
  expect(room.sizeBytes).toBe(300_000);
  room.release();
  expect(freed).toHaveBeenCalledWith(room.address);
});
