import { expect, it } from "vitest";
import { openSimulatedCuda } from "../src/index.js";

it("what the driver object allocated is known from any address in it, until it is freed", () => {
  const driver = openSimulatedCuda();
  const context = driver.context();
  const held = Array.from({ length: 40 }, (_, i) => context.deviceMemory(100 + i));
  const { allocations } = driver;
  for (const memory of held) {
    expect(allocations.holding(memory.address, memory.sizeBytes)).toBe(memory);
    expect(allocations.holding(memory.address + 99, 1)).toBe(memory);
    expect(allocations.holding(memory.address + 99, memory.sizeBytes)).toBeUndefined();
    expect(allocations.holding(memory.address - 1, 1)).toBeUndefined();
  }
  const [first, second] = held as [(typeof held)[0], (typeof held)[0]];
  const { address } = first;
  first[Symbol.dispose]();
  expect(allocations.holding(address, 1)).toBeUndefined();
  expect(allocations.holding(second.address, 1)).toBe(second);
  context[Symbol.dispose]();
  expect(() => second.address).toThrow("disposed");
  expect(allocations.holding(address, 100)).toBeUndefined();
});
