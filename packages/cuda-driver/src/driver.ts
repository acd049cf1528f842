import { ArgumentError, quoted } from "@stowage/ir";
import { Allocations } from "./allocations.js";
import type { Libcuda } from "./calls.js";
import { int32, otherInt32, takeInt } from "./cells.js";
import { check, DriverError, lossOf } from "./check.js";
import { Context } from "./context.js";
import { describeDevice, runsKernels, tooOld, type Device } from "./device.js";
import { nativeLibcuda } from "./native/libcuda.js";
import { simulatedLibcuda } from "./simulated/libcuda.js";
import { requireSimulated, type SimulatedOptions } from "./simulated/options.js";
import { copiesBatches, requireVersion } from "./version.js";

/** An initialised driver: the devices it has, and their primary contexts. */
export class Driver {
  /** The library that all calls go to. */
  readonly libcuda: Libcuda;
  /** The memory that was allocated through this object. */
  readonly allocations = new Allocations();
  /** CUDA's version number as the driver gives it: 12080 is CUDA 12.8. */
  readonly version: number;
  /** The devices that this process sees, by ordinal. */
  readonly devices: readonly Device[];
  /** Whether the devices are simulated: they move the right bytes, but are no measure of time. */
  readonly simulated: boolean;

  /** Throws a DriverError where there is no device, or the driver is older than CUDA 12.0. */
  constructor(libcuda: Libcuda, simulated: boolean) {
    this.libcuda = libcuda;
    this.simulated = simulated;
    check(libcuda, "cuInit", libcuda.cuInit(0));
    check(libcuda, "cuDriverGetVersion", libcuda.cuDriverGetVersion(int32));
    this.version = requireVersion(takeInt());
    check(libcuda, "cuDeviceGetCount", libcuda.cuDeviceGetCount(int32));
    const count = takeInt();
    if (count === 0) {
      throw new DriverError("cuDeviceGetCount", undefined, "expected a device, got none: check CUDA_VISIBLE_DEVICES");
    }
    this.devices = Array.from({ length: count }, (_, ordinal) => describeDevice(libcuda, ordinal));
  }

  /**
   * Retains the primary context of device number `ordinal`, the one that the CUDA runtime and MPI libraries share, and
   * enters it. Throws a DriverError where there is no such device.
   */
  context(ordinal = 0): Context {
    const device = this.#deviceOf(ordinal);
    if (device !== undefined) return new Context(this, device);
    const have = `0 to ${this.devices.length - 1}`;
    throw new DriverError("device", undefined, `expected an ordinal of ${have}, got ${quoted(ordinal)}`);
  }

  #deviceOf(ordinal: number): Device | undefined {
    return Number.isInteger(ordinal) ? this.devices[ordinal] : undefined;
  }

  /** Whether work can be sent: not to a device that was lost, which only a new process gets back. */
  get availability(): Availability {
    const reason = lossOf(this.libcuda);
    return reason === undefined ? { ok: true, driver: this } : { ok: false, reason };
  }

  /** Whether kernels can be sent: some device must be of an architecture that they are printed for. */
  get kernelAvailability(): Availability {
    if (this.devices.some(runsKernels)) return this.availability;
    return { ok: false, reason: this.devices.map(tooOld).join("; ") };
  }

  /**
   * Whether anything in this process, another library included, holds the primary context of a device. Throws an
   * ArgumentError for what is no integer, and a DriverError where there is no such device.
   */
  isHeld(ordinal: number): boolean {
    if (!Number.isInteger(ordinal)) throw new ArgumentError("ordinal of a device", "an integer", quoted(ordinal));
    check(
      this.libcuda,
      "cuDevicePrimaryCtxGetState",
      this.libcuda.cuDevicePrimaryCtxGetState(ordinal, otherInt32, int32),
    );
    return takeInt() !== 0;
  }

  /** Whether cuMemcpyBatchAsync exists: from CUDA 12.8 on. */
  get copiesBatches(): boolean {
    return copiesBatches(this);
  }
}

/**
 * Opens the driver of this machine's GPUs; `library` is its path or name. Throws a DriverError that says what is
 * missing: the library, a device, or a driver of CUDA 12.0 or newer.
 */
export function openCuda(library = "libcuda.so.1"): Driver {
  if (typeof library !== "string") throw new ArgumentError("library", "a path", quoted(library));
  return new Driver(loadLibcuda(library), false);
}

/**
 * Opens simulated GPUs behind the same interface: every kernel, copy, stream and graph, without a GPU. Throws an
 * ArgumentError for wrong options, and a DriverError where they ask for no device.
 */
export function openSimulatedCuda(options: SimulatedOptions = {}): Driver {
  return new Driver(simulatedLibcuda(requireSimulated(options)), true);
}

/** Whether a driver can be used here; where not, `reason` says why in one line. */
export type Availability =
  | { readonly ok: true; readonly driver: Driver }
  | { readonly ok: false; readonly reason: string };

/** Opens a driver, or says in one line why there is none: what a backend's supports() shows its user. */
export function tryOpen(open: () => Driver): Availability {
  if (typeof open !== "function") throw new ArgumentError("opener of a driver", "a function", quoted(open));
  try {
    return { ok: true, driver: open() };
  } catch (error) {
    if (error instanceof DriverError) return { ok: false, reason: error.message };
    throw error;
  }
}

function loadLibcuda(library: string): Libcuda {
  try {
    return nativeLibcuda(library);
  } catch (cause) {
    const got = cause instanceof Error ? cause.message : String(cause);
    if (got.startsWith("koffi: ")) throw new DriverError("koffi", undefined, got.slice("koffi: ".length), { cause });
    const text = `expected the NVIDIA driver's library, got none (${got}): install the NVIDIA driver`;
    throw new DriverError(library, undefined, text, { cause });
  }
}
