import { DeviceError } from "@stowage/backend-api";
import {
  openCuda,
  tryOpen,
  type Availability,
  type Context,
  type Driver,
  type LoadedKernel,
  type OwnStream,
} from "@stowage/cuda-driver";
import type { Kernel } from "@stowage/ptx";
import { genericKernel, specialisedKernel, type BuiltIn } from "./kernel/generic-kernel.js";
import { PlanMemory } from "./plan-memory.js";
import { variantName, type Variant } from "./kernel/variant.js";

/** What a backend holds of one device: its context, and kernels by variant. */
export class DeviceState implements Disposable {
  readonly context: Context;
  readonly planMemory: PlanMemory;
  #uploads: OwnStream | undefined;
  readonly #kernels = new Map<string, LoadedKernel>();

  constructor(context: Context) {
    this.context = context;
    this.planMemory = new PlanMemory(context);
  }

  /** The stream on which tables go to the device. */
  get uploads(): OwnStream {
    return (this.#uploads ??= this.context.stream());
  }

  generic(variant: Variant): LoadedKernel {
    return this.#kernel(variantName(variant), () => genericKernel(variant));
  }

  /** `key` names the layouts as well as the variant; `alone`: the launch has but one message. */
  specialised(key: string, variant: Variant, builtIn: readonly BuiltIn[], alone: boolean): LoadedKernel {
    return this.#kernel(key, () => specialisedKernel(variant, builtIn, alone));
  }

  #kernel(key: string, build: () => Kernel): LoadedKernel {
    const known = this.#kernels.get(key);
    if (known !== undefined) return known;
    const loaded = this.context.kernel(build());
    this.#kernels.set(key, loaded);
    return loaded;
  }

  [Symbol.dispose](): void {
    this.#kernels.clear();
    this.#uploads?.[Symbol.dispose]();
    this.context[Symbol.dispose]();
  }
}

/** The devices of a driver, each entered when it is first needed. */
export class Devices implements Disposable {
  readonly #states = new Map<number, DeviceState>();
  readonly #open: () => Driver;
  #opened: Availability | undefined;

  constructor(driver: Driver | (() => Driver) = openCuda) {
    this.#open = typeof driver === "function" ? driver : () => driver;
  }

  /** Whether there is a driver with a device that runs kernels, or in one line why not; opened once. */
  available(): Availability {
    this.#opened ??= tryOpen(this.#open);
    return this.#opened.ok ? this.#opened.driver.kernelAvailability : this.#opened;
  }

  /** Throws a DeviceError where there is no driver or no such device. */
  at(ordinal: number): DeviceState {
    const known = this.#states.get(ordinal);
    if (known !== undefined) return known;
    const availability = this.available();
    if (!availability.ok) throw new DeviceError(availability.reason);
    const state = new DeviceState(availability.driver.context(ordinal));
    this.#states.set(ordinal, state);
    return state;
  }

  [Symbol.dispose](): void {
    for (const state of this.#states.values()) state[Symbol.dispose]();
    this.#states.clear();
  }
}
