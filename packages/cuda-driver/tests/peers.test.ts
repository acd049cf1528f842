import { describe, expect, it } from "vitest";
import { buildKernel } from "@stowage/ptx";
import {
  copyBytes,
  copyToPeer,
  openSharedMemory,
  openSimulatedCuda,
  shareEvent,
  shareMemory,
  type Context,
  type DeviceMemory,
} from "../src/index.js";

/** Copies one word a thread. */
const copyWords = buildKernel(
  "copy_words",
  { parameters: { target: "u64", source: "u64" } },
  (builder, { target, source }) => {
    const offset = builder.globalThread().shl(2);
    builder.store("global", target.add(offset), [builder.load("global", source.add(offset), { bits: 32 })], {
      bits: 32,
    });
  },
);

const BYTES = 256;

function setUp() {
  const driver = openSimulatedCuda({ devices: 2 });
  const [own, other] = [driver.context(0), driver.context(1)];
  const [here, there] = [own.deviceMemory(BYTES), other.deviceMemory(BYTES)];
  for (const [context, memory, value] of [
    [own, here, 1],
    [other, there, 2],
  ] as const) {
    using stream = context.stream();
    memory.fill(value, stream);
    stream.synchronize();
  }
  return { own, other, here, there };
}

function runKernel(context: Context, target: number, source: number): void {
  using stream = context.stream();
  const launch = context.kernel(copyWords).launch(16, { grid: { x: 1 }, block: { x: BYTES / 4 } });
  launch.parameters.setBigUint64(0, BigInt(target), true);
  launch.parameters.setBigUint64(8, BigInt(source), true);
  launch.run(stream);
  stream.synchronize();
}

function bytesOf(context: Context, memory: DeviceMemory): Uint8Array {
  using stream = context.stream();
  using pinned = context.pinnedMemory(BYTES);
  copyBytes(context, pinned.address, memory.address, BYTES).run(stream);
  stream.synchronize();
  return pinned.bytes.slice();
}

describe("peer access", () => {
  it("lets kernels of one device read and write the other's memory, in its own direction only", () => {
    const { own, other, here, there } = setUp();
    expect([own.canReach(other), own.canReach(own)]).toEqual([true, false]);
    own.enablePeer(other);
    own.enablePeer(other);
    runKernel(own, here.address, there.address);
    expect(bytesOf(own, here)[BYTES - 1]).toBe(2);
    expect(() => runKernel(other, there.address, here.address)).toThrow("CUDA_ERROR_ILLEGAL_ADDRESS");
  });

  it("is needed by kernels, as an H200 needs it", () => {
    const { own, here, there } = setUp();
    expect(() => runKernel(own, here.address, there.address)).toThrow(
      /ILLEGAL_ADDRESS \(.+expected memory that the device reaches/,
    );
  });

  it("ends when it is disabled, and with the peer's context", () => {
    const { own, other, here, there } = setUp();
    own.enablePeer(other);
    own.disablePeer(other);
    expect(() => runKernel(own, here.address, there.address)).toThrow("CUDA_ERROR_ILLEGAL_ADDRESS");
  });

  it("is not needed by copies", () => {
    const { own, other, here, there } = setUp();
    using stream = own.stream();
    copyToPeer(other, there.address, own, here.address, BYTES).run(stream);
    stream.synchronize();
    expect(bytesOf(other, there)[0]).toBe(1);
  });

  it("is refused where it cannot be: the same words as an H200's driver gives", () => {
    const { own, other } = setUp();
    expect(() => own.enablePeer(own)).toThrow("cuCtxEnablePeerAccess: CUDA_ERROR_PEER_ACCESS_UNSUPPORTED");
    expect(() => own.disablePeer(other)).toThrow(
      "cuCtxDisablePeerAccess: CUDA_ERROR_PEER_ACCESS_NOT_ENABLED (peer access has not been enabled): enable it first",
    );
  });
});

describe("a GPU's UUID", () => {
  it("is its own, whatever ordinal a process gives it", () => {
    const uuids = (visible: readonly number[]): readonly string[] =>
      openSimulatedCuda({ visible }).devices.map(({ uuid }) => uuid);
    const [first, second] = uuids([0, 1]);
    expect(uuids([1, 0])).toEqual([second, first]);
    expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(first).not.toBe(second);
  });
});

describe("handles for other processes", () => {
  it("open the memory on a device that reaches it, kernels included", () => {
    const { own, other, here, there } = setUp();
    const shared = openSharedMemory(other, shareMemory(here), BYTES);
    runKernel(other, there.address, shared.address);
    expect(bytesOf(other, there)[0]).toBe(1);
    shared[Symbol.dispose]();
    expect(() => shared.address).toThrow("device memory: expected one in use, got a disposed one");
    expect(bytesOf(own, here)[0]).toBe(1);
  });

  it("of nothing are refused", () => {
    const { own } = setUp();
    expect(() => openSharedMemory(own, new Uint8Array(64).fill(7), BYTES)).toThrow(
      /^cuIpcOpenMemHandle: CUDA_ERROR_INVALID_VALUE \(.+\): expected a handle of another process's living memory$/,
    );
    expect(() => own.event({ handle: new Uint8Array(64).fill(7) })).toThrow(
      /^cuIpcOpenEventHandle: .+: expected a handle of another process's living event$/,
    );
  });

  it("are refused where they came from a process that shares no pages", () => {
    const { here, own } = setUp();
    const elsewhere = openSimulatedCuda().context();
    const refused =
      /^cuIpcOpen\w+Handle: CUDA_ERROR_NOT_SUPPORTED \(.+shares no pages.+\): expected a handle of another process/;
    expect(() => openSharedMemory(elsewhere, shareMemory(here), BYTES)).toThrow(refused);
    expect(() => elsewhere.event({ handle: shareEvent(own.event({ shared: true })) })).toThrow(refused);
  });

  it("are given of shared events only", () => {
    const { own } = setUp();
    expect(() => shareEvent(own.event())).toThrow(
      /^cuIpcGetEventHandle: CUDA_ERROR_INVALID_HANDLE \(.+\): expected an event made with `shared`$/,
    );
  });
});
