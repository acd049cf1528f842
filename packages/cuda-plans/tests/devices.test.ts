import { openSimulatedCuda } from "@stowage/cuda-driver";
import { describe, expect, it } from "vitest";
import { Devices } from "../src/index.js";

describe("the devices of a backend are held as long as it uses them", () => {
  it("as long as the backend: contexts go with it, on each device that it used", () => {
    const driver = openSimulatedCuda({ devices: 3 });
    const devices = new Devices(() => driver);
    devices.context(0).stream();
    devices.context(2);
    expect([0, 1, 2].map((ordinal) => driver.isHeld(ordinal))).toEqual([true, false, true]);
    devices[Symbol.dispose]();
    devices[Symbol.dispose]();
    expect([0, 1, 2].map((ordinal) => driver.isHeld(ordinal))).toEqual([false, false, false]);
    expect(() => devices.context(0)).toThrow("devices: expected one in use, got a disposed one");
  });

  it("no longer: not by devices that were never entered", () => {
    const driver = openSimulatedCuda();
    const devices = new Devices(() => driver);
    expect(devices.availability.ok).toBe(true);
    devices[Symbol.dispose]();
    expect(driver.isHeld(0)).toBe(false);
  });

  it("and every round of opening and disposing leaves memory and counts where they were", () => {
    const driver = openSimulatedCuda({ memoryBytes: 2 ** 20 });
    using watcher = driver.context();
    for (let round = 0; round < 50; round++) {
      using devices = new Devices(() => driver);
      using memory = devices.context(0).deviceMemory(2 ** 19);
      memory.fill(1, { handle: 0 });
    }
    expect(watcher.memoryInfo().freeBytes).toBe(2 ** 20);
    watcher[Symbol.dispose]();
    expect(driver.isHeld(0)).toBe(false);
  });

  it("or a loss, is disposed of without another error: the first one stands", () => {
    let lost = false;
    const driver = openSimulatedCuda({ fault: () => (lost ? 719 : undefined) });
    const devices = new Devices(() => driver);
    const context = devices.context(0);
    const stream = context.stream();
    const held = [context.deviceMemory(16), context.pinnedMemory(16), context.event(), context.stream()];
    lost = true;
    expect(() => stream.synchronize()).toThrow(/^cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED/);
    for (const each of [...held, devices]) expect(() => each[Symbol.dispose]()).not.toThrow();
    expect(() => devices.context(0)).toThrow("devices: expected one in use, got a disposed one");
  });
});
