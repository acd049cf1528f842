import { describe, expect, it } from "vitest";
import { buildKernel } from "@stowage/ptx";
import { copy2D, copyBytes, DriverError, openCuda, openSimulatedCuda, tryOpen, type Driver } from "../src/index.js";

const reasonOf = (open: () => Driver): string => {
  const found = tryOpen(open);
  return found.ok ? "" : found.reason;
};

/** The one line of the error that `act` throws. */
function lineOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(DriverError);
    const { message } = error as DriverError;
    expect(message).not.toContain("\n");
    return message;
  }
  throw new Error("expected a DriverError, got none");
}

describe("what can be wrong with a machine is one line: the call, CUDA's name and text, what to do", () => {
  it("no driver", () => {
    const reason = reasonOf(() => openCuda("libcuda-that-is-not-there.so.1"));
    expect(reason).toMatch(
      /^libcuda-that-is-not-there\.so\.1: expected the NVIDIA driver's library, got none \(.+\): install/,
    );
  });

  it("an old driver", () => {
    const reason = reasonOf(() => openSimulatedCuda({ version: 11_040 }));
    expect(reason).toBe("cuDriverGetVersion: expected CUDA 12.0 or later, got 11.4: update the NVIDIA driver");
  });

  it("no device", () => {
    const reason = reasonOf(() => openSimulatedCuda({ devices: 0 }));
    expect(reason).toBe(
      "cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected): check nvidia-smi and CUDA_VISIBLE_DEVICES",
    );
  });

  it("a device that is not there", () => {
    expect(lineOf(() => openSimulatedCuda({ devices: 2 }).context(2))).toBe(
      "device: expected an ordinal of 0 to 1, got 2",
    );
  });

  it("a lost device", () => {
    let lost = false;
    const driver = openSimulatedCuda({ fault: () => (lost ? 999 : undefined) });
    const stream = driver.context().stream();
    lost = true;
    expect(lineOf(() => stream.synchronize())).toBe(
      "cuStreamSynchronize: CUDA_ERROR_UNKNOWN (unknown error): the device may be lost: see the kernel log",
    );
    expect(driver.availability).toEqual({
      ok: false,
      reason: "cuStreamSynchronize: CUDA_ERROR_UNKNOWN (unknown error): the device may be lost: see the kernel log",
    });
  });

  it("out of device memory", () => {
    using context = openSimulatedCuda({ memoryBytes: 2 ** 20 }).context();
    using held = context.deviceMemory(2 ** 19);
    expect(lineOf(() => context.deviceMemory(2 ** 20))).toBe(
      "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (out of memory): 1048576 bytes of device memory were asked for: free some or ask for less",
    );
    expect(context.memoryInfo().freeBytes).toBe(2 ** 20 - held.sizeBytes);
  });

  it("a wrong architecture", () => {
    const text = ".version 7.8\n.target sm_120\n.address_size 64\n";
    using context = openSimulatedCuda({ architecture: 75 }).context();
    expect(lineOf(() => context.module(text))).toMatch(
      /^cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX \(.+\): render the kernel for this device's architecture; compiler: .+/,
    );
  });

  it("a device too old for any kernel", () => {
    const kernel = buildKernel("nothing", { parameters: { unused: "u64" } }, () => undefined);
    const driver = openSimulatedCuda({ architecture: 70, devices: 2 });
    using context = driver.context(1);
    expect(lineOf(() => context.kernel(kernel))).toBe(
      "kernel: device 1: expected compute capability 7.5 or later, got 7.0 (Simulated GPU 1): name another, or copy without kernels",
    );
    expect(driver.availability.ok).toBe(true);
    expect(driver.kernelAvailability).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^device 0: .+; device 1: .+/) as string,
    });
  });

  it("a pitch past the device's maximum", () => {
    using context = openSimulatedCuda().context();
    const side = { address: 4096, host: false, pitchBytes: 2 ** 31 };
    expect(lineOf(() => copy2D(context, side, side, { widthBytes: 8, rows: 2 }))).toBe(
      "pitch of a 2D or 3D copy: expected 8 to 2147483647 bytes, got 2147483648",
    );
  });

  it("an object that was disposed of", () => {
    using context = openSimulatedCuda().context();
    const memory = context.deviceMemory(16);
    memory[Symbol.dispose]();
    expect(lineOf(() => memory.address)).toBe("device memory: expected one in use, got a disposed one");
  });

  it("a kernel that reaches outside memory: its own fault, then every later call's", () => {
    const wild = buildKernel("wild", { parameters: { target: "u64" } }, (builder, { target }) => {
      builder.store("global", target, [builder.constant("u32", 1).add(0)], { bits: 32 });
    });
    const context = openSimulatedCuda().context();
    const stream = context.stream();
    const memory = context.deviceMemory(16);
    const launch = context.kernel(wild).launch(8, { grid: { x: 1 }, block: { x: 1 } });
    launch.parameters.setBigUint64(0, 12_345_678n, true);
    launch.run(stream);
    expect(lineOf(() => stream.synchronize())).toMatch(
      /^cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS \(.+\): the context is lost/,
    );
    expect(lineOf(() => copyBytes(context, memory.address, memory.address, 16).run(stream))).toMatch(
      /CUDA_ERROR_ILLEGAL_ADDRESS/,
    );
  });
});
