import { describe, expect, it } from "vitest";
import { copyBytes, openSimulatedCuda, type DeviceMemory, type PinnedMemory, type StreamHandle } from "../src/index.js";

const LEGACY: StreamHandle = { handle: 0 };

/** Sends the value to the device by one stream and reads it by another; what is read once the second is waited for. */
function readBy(writer: (handles: Streams) => StreamHandle, reader: (handles: Streams) => StreamHandle): number {
  using context = openSimulatedCuda().context();
  using blocking = context.stream({ blocking: true });
  using other = context.stream({ blocking: true });
  using apart = context.stream();
  using device: DeviceMemory = context.deviceMemory(16);
  using pinned: PinnedMemory = context.pinnedMemory(16);
  const streams = { blocking, other, apart };
  using event = context.event();
  device.fill(0, apart);
  apart.synchronize();
  device.fill(7, writer(streams));
  copyBytes(context, pinned.address, device.address, 16).run(reader(streams));
  event.record(reader(streams));
  event.synchronize();
  return pinned.bytes[0] ?? -1;
}

interface Streams {
  readonly blocking: StreamHandle;
  readonly other: StreamHandle;
  readonly apart: StreamHandle;
}

describe("the legacy default stream and blocking streams wait for each other (CUDA programming guide, default stream)", () => {
  it("it comes after what blocking streams hold", () =>
    expect(
      readBy(
        (s) => s.blocking,
        () => LEGACY,
      ),
    ).toBe(7));
  it("and before what they are sent later", () =>
    expect(
      readBy(
        () => LEGACY,
        (s) => s.blocking,
      ),
    ).toBe(7));
  it("under either name", () =>
    expect(
      readBy(
        () => ({ handle: 1 }),
        (s) => s.blocking,
      ),
    ).toBe(7));
  it("not so streams that do not block", () => {
    expect(
      readBy(
        (s) => s.apart,
        () => LEGACY,
      ),
    ).toBe(0);
    expect(
      readBy(
        () => LEGACY,
        (s) => s.apart,
      ),
    ).toBe(0);
  });
  it("nor two blocking streams", () =>
    expect(
      readBy(
        (s) => s.blocking,
        (s) => s.other,
      ),
    ).toBe(0));
});
