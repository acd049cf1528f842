import { copyBytes, type Context, type LoadedKernel, type OwnStream } from "@stowage/cuda-driver";
import type { Kernel } from "@stowage/ptx";
import { genericKernel, specialisedKernel, type BuiltIn } from "./kernel/generic-kernel.js";
import { variantName, type Variant } from "./kernel/variant.js";
import { PlanMemory, type PlanRoom } from "./plan-memory.js";

/** What a backend holds on one device: kernels by variant, and the memory of plans. The context is not its own. */
export class DeviceState implements Disposable {
  readonly context: Context;
  readonly planMemory: PlanMemory;
  #uploads: OwnStream | undefined;
  readonly #kernels = new Map<string, LoadedKernel>();

  constructor(context: Context) {
    this.context = context;
    this.planMemory = new PlanMemory(context);
  }

  /** Bytes that stay as they are, there when this returns. */
  upload(bytes: Uint8Array): PlanRoom {
    const room = this.planMemory.room(bytes.byteLength);
    this.send(room.address, bytes);
    return room;
  }

  /** Copies bytes to the device, and waits for it. */
  send(address: number, bytes: Uint8Array): void {
    this.#uploads ??= this.context.stream();
    const own = bytes.slice();
    copyBytes(this.context, address, this.context.libcuda.addressOf(own), own.byteLength).run(this.#uploads);
    this.#uploads.synchronize();
  }

  generic(variant: Variant): LoadedKernel {
    return this.kernel(variantName(variant), () => genericKernel(variant));
  }

  /** `key` names the layouts as well as the variant. */
  specialised(key: string, variant: Variant, builtIn: readonly BuiltIn[]): LoadedKernel {
    return this.kernel(key, () => specialisedKernel(variant, builtIn));
  }

  /** Built when it is first asked for by this key. */
  kernel(key: string, build: () => Kernel): LoadedKernel {
    const known = this.#kernels.get(key);
    if (known !== undefined) return known;
    const loaded = this.context.kernel(build());
    this.#kernels.set(key, loaded);
    return loaded;
  }

  [Symbol.dispose](): void {
    this.#kernels.clear();
    this.#uploads?.[Symbol.dispose]();
  }
}
