import { describe, expect, it } from "vitest";
import { buildKernel } from "@stowage/ptx";
import { openSimulatedCuda } from "../src/index.js";

const nothing = buildKernel("nothing", { parameters: { unused: "u64" } }, () => undefined);

describe("a device's primary context is held as long as someone holds it, and no longer", () => {
  it("by contexts, each of which counts", () => {
    const driver = openSimulatedCuda({ devices: 2 });
    expect([driver.isHeld(0), driver.isHeld(1)]).toEqual([false, false]);
    const [one, two] = [driver.context(0), driver.context(0)];
    one[Symbol.dispose]();
    one[Symbol.dispose]();
    expect([driver.isHeld(0), driver.isHeld(1)]).toEqual([true, false]);
    two[Symbol.dispose]();
    expect(driver.isHeld(0)).toBe(false);
  });
});

describe("what outlives its context", () => {
  it("was freed with the context, and is refused from then on", () => {
    const driver = openSimulatedCuda({ memoryBytes: 2 ** 20 });
    const context = driver.context();
    const [memory, stream, event] = [context.deviceMemory(2 ** 20), context.stream(), context.event()];
    const launch = context.kernel(nothing).launch(8, { grid: { x: 1 }, block: { x: 1 } });
    context[Symbol.dispose]();
    expect(() => memory.address).toThrow("device memory: expected one in use, got a disposed one");
    expect(() => stream.handle).toThrow("stream: expected one in use, got a disposed one");
    expect(() => event.query()).toThrow("event: expected one in use, got a disposed one");
    expect(() => launch.run({ handle: 0 })).toThrow("context: expected one in use, got a disposed one");
    for (const each of [memory, stream, event]) each[Symbol.dispose]();
    using later = driver.context();
    expect(later.memoryInfo().freeBytes).toBe(2 ** 20);
  });

  it("or a loss, is disposed of without another error: the first one stands", () => {
    let lost = false;
    const driver = openSimulatedCuda({ fault: () => (lost ? 719 : undefined) });
    const context = driver.context();
    const stream = context.stream();
    const held = [context.deviceMemory(16), context.pinnedMemory(16), context.event(), stream, context];
    context.kernel(nothing);
    lost = true;
    expect(() => stream.synchronize()).toThrow(/^cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED/);
    for (const each of held) expect(() => each[Symbol.dispose]()).not.toThrow();
  });

  it("leaves another holder's memory alone", () => {
    const driver = openSimulatedCuda();
    const [one, two] = [driver.context(), driver.context()];
    using memory = two.deviceMemory(16);
    one[Symbol.dispose]();
    using stream = two.stream();
    memory.fill(3, stream);
    stream.synchronize();
    expect(memory.address).toBeGreaterThan(0);
  });
});
