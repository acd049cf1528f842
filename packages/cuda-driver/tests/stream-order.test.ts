import { describe, expect, it } from "vitest";
import { copyBytes, openSimulatedCuda } from "../src/index.js";

describe("work runs in the order of its stream, and not before it is waited for", () => {
  const driver = openSimulatedCuda({ devices: 2 });
  const context = driver.context();

  it("host memory holds old bytes until the stream is waited for", () => {
    using stream = context.stream();
    using device = context.deviceMemory(16);
    using pinned = context.pinnedMemory(16);
    pinned.bytes.fill(1);
    device.fill(9, stream);
    copyBytes(context, pinned.address, device.address, 16).run(stream);
    expect(pinned.bytes[3]).toBe(1);
    stream.synchronize();
    expect(pinned.bytes[3]).toBe(9);
  });

  it("a query answers false until the work is over, and then true", () => {
    using stream = context.stream();
    using device = context.deviceMemory(16);
    using event = context.event();
    device.fill(1, stream);
    device.fill(2, stream);
    event.record(stream);
    const answers = Array.from({ length: 5 }, () => event.query());
    expect(answers[0]).toBe(false);
    expect(answers.at(-1)).toBe(true);
    expect(stream.query()).toBe(true);
  });

  it("pageable sources are read before the call returns", () => {
    using stream = context.stream();
    using device = context.deviceMemory(4);
    using pinned = context.pinnedMemory(4);
    const pageable = new Uint8Array([5, 5, 5, 5]);
    copyBytes(context, device.address, context.libcuda.addressOf(pageable), 4).run(stream);
    pageable.fill(6);
    copyBytes(context, pinned.address, device.address, 4).run(stream);
    stream.synchronize();
    expect([...pinned.bytes]).toEqual([5, 5, 5, 5]);
  });

  it("what is captured does not run until the graph is launched, and then each time", () => {
    using stream = context.stream();
    using device = context.deviceMemory(4);
    using pinned = context.pinnedMemory(4);
    pinned.bytes.fill(0);
    using graph = stream.capture(() => {
      device.fill(7, stream);
      copyBytes(context, pinned.address, device.address, 4).run(stream);
    });
    stream.synchronize();
    expect(pinned.bytes[0]).toBe(0);
    using executable = graph.instantiate();
    executable.launch(stream);
    stream.synchronize();
    expect(pinned.bytes[0]).toBe(7);
    pinned.bytes.fill(0);
    executable.launch(stream);
    stream.synchronize();
    expect(pinned.bytes[0]).toBe(7);
    expect(graph.nodes()).toHaveLength(2);
    expect(graph.kernelNodes()).toHaveLength(0);
  });

  it("waiting in a capture is refused, and the capture is given up", () => {
    using stream = context.stream();
    expect(() => stream.capture(() => stream.synchronize())).toThrow(/CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED/);
    expect(stream.capturing).toBe(false);
  });

  it("peers reach each other once enabled, and enabling twice is no error", () => {
    const other = driver.context(1);
    expect(context.canReach(other)).toBe(true);
    context.enablePeer(other);
    context.enablePeer(other);
    context.disablePeer(other);
    other[Symbol.dispose]();
  });

  it("limits read back as they were set", () => {
    expect(context.limit("l2FetchBytes")).toBe(64);
    context.setLimit("l2FetchBytes", 32);
    expect(context.limit("l2FetchBytes")).toBe(32);
    context.setLimit("l2FetchBytes", 64);
  });

  it("a foreign stream outlives our handle on it", () => {
    using own = context.stream();
    const foreign = context.foreignStream(own.handle);
    foreign.synchronize();
    foreign[Symbol.dispose]();
    expect(() => foreign.handle).toThrow(/disposed/);
    own.synchronize();
  });

  it("everything given back leaves the device's memory as it was", () => {
    const before = context.memoryInfo().freeBytes;
    for (let i = 0; i < 1000; i++) {
      const things = [context.deviceMemory(4096), context.event(), context.stream()];
      for (const thing of things) thing[Symbol.dispose]();
    }
    expect(context.memoryInfo().freeBytes).toBe(before);
  });
});
