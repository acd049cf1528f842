import { Gpu, PIECE_BYTES } from "@stowage/bench/device";
import type { Driver } from "@stowage/cuda-driver";
import type { HaloOptions, World } from "@stowage/mpi-bridge";
import { createEngine, type Engine } from "@stowage/selector";
import { applyStencil } from "./stencil-loops.js";
import { ENTRY, PARAMETER_BYTES, stencilPtx, THREADS } from "./stencil-ptx.js";
import { valuesOf, type Element, type Stencil, type Values } from "./stencil.js";

/** An array of values in the memory that an application runs in. */
export interface PlacedArray extends Disposable {
  readonly memory: HaloOptions["array"]["memory"];
  /** Overwrites all of it. */
  write(values: Values): void;
  /** So many values from one on. */
  read(first: number, length: number): Values;
}

/** Where an application's data lie and its loops run. */
export interface Platform extends Disposable {
  readonly kind: "host" | "device" | "simulated";
  readonly gpu: Gpu | undefined;
  array(element: Element, length: number): PlacedArray;
  /** What applies a stencil to the inner points of one array, into another, and waits. */
  stencil(stencil: Stencil, element: Element, sizes: readonly number[]): (from: PlacedArray, to: PlacedArray) => void;
  /** An engine, all of whose work is one backend's where a name is given. */
  engine(backend?: string): Engine;
  readonly halo: Pick<HaloOptions, "queue" | "pinned">;
}

/**
 * Where an application runs: without a driver in the host's memory, else in that of the host's GPUs, which ranks take
 * in turns.
 */
export function platformOf(mpi: World, driver: Driver | undefined): Platform {
  if (driver === undefined) return hostPlatform();
  using shared = mpi.world.splitShared();
  return new DevicePlatform(driver, shared.rank % driver.devices.length);
}

class HostArray implements PlacedArray {
  readonly memory: Values;

  constructor(element: Element, length: number) {
    this.memory = valuesOf(element, length);
  }
  write(values: Values): void {
    this.memory.set(values);
  }
  read(first: number, length: number): Values {
    return this.memory.subarray(first, first + length);
  }
  [Symbol.dispose](): void {
    // The garbage collector's.
  }
}

function hostPlatform(): Platform {
  const engines: Engine[] = [];
  return {
    kind: "host",
    gpu: undefined,
    array: (element, length) => new HostArray(element, length),
    stencil(stencil, element, sizes) {
      const box = boxWithin(sizes, stencil.radius);
      return (from, to) =>
        applyStencil(stencil, element, [(from as HostArray).memory, (to as HostArray).memory], sizes, box);
    },
    engine: (backend) => kept(engines, createEngine(backend === undefined ? {} : { backend })),
    halo: {},
    [Symbol.dispose]: () => engines.forEach((engine) => engine[Symbol.dispose]()),
  };
}

const boxWithin = (sizes: readonly number[], radius: number) => ({
  low: sizes.map(() => radius),
  high: sizes.map((size) => size - radius),
});

function kept<Thing>(list: Thing[], thing: Thing): Thing {
  list.push(thing);
  return thing;
}

class DevicePlatform implements Platform {
  readonly kind: "device" | "simulated";
  readonly gpu: Gpu;
  readonly halo: Platform["halo"];
  readonly #engines: Engine[] = [];

  constructor(driver: Driver, ordinal: number) {
    this.gpu = new Gpu(driver, ordinal);
    this.kind = driver.simulated ? "simulated" : "device";
    const { context, stream } = this.gpu;
    this.halo = { queue: stream, pinned: (sizeBytes) => context.pinnedMemory(sizeBytes) };
    this.gpu.warmUp();
  }

  array(element: Element, length: number): PlacedArray {
    const { gpu } = this;
    const { BYTES_PER_ELEMENT } = valuesOf(element, 0);
    const memory = gpu.context.deviceMemory(length * BYTES_PER_ELEMENT);
    return {
      memory,
      write: (values) => gpu.write(memory, bytesOf(values)),
      read(first, count) {
        const values = valuesOf(element, count);
        const bytes = bytesOf(values);
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
          const piece = Math.min(PIECE_BYTES, bytes.length - at);
          bytes.set(gpu.read(memory, first * BYTES_PER_ELEMENT + at, piece), at);
        }
        return values;
      },
      [Symbol.dispose]: () => memory[Symbol.dispose](),
    };
  }

  stencil(stencil: Stencil, element: Element, sizes: readonly number[]) {
    if (this.kind === "simulated") return this.#simulatedStencil(stencil, element, sizes);
    const { context, stream } = this.gpu;
    const inner = sizes.map((size) => size - 2 * stencil.radius).reverse();
    const [x = 1, y = 1, z = 1] = inner;
    const kernel = context.module(stencilPtx(stencil, element, sizes)).kernel(ENTRY);
    const shape = { grid: { x: Math.ceil(x / THREADS), y, z }, block: { x: THREADS } };
    const launch = kernel.launch(PARAMETER_BYTES, shape);
    return (from: PlacedArray, to: PlacedArray) => {
      [from, to].forEach((array, i) => launch.setWord(8 * i, addressOf(array)));
      launch.run(stream);
      stream.synchronize();
    };
  }

  /** Simulated devices run kernels of packages/ptx alone, which has no floating point: loops on the host, on a copy. */
  #simulatedStencil(stencil: Stencil, element: Element, sizes: readonly number[]) {
    const length = sizes.reduce((a, b) => a * b, 1);
    const box = boxWithin(sizes, stencil.radius);
    return (from: PlacedArray, to: PlacedArray) => {
      const into = to.read(0, length);
      applyStencil(stencil, element, [from.read(0, length), into], sizes, box);
      to.write(into);
    };
  }

  engine(backend?: string): Engine {
    const { driver } = this.gpu;
    return kept(this.#engines, createEngine({ cuda: () => driver, ...(backend === undefined ? {} : { backend }) }));
  }

  [Symbol.dispose](): void {
    for (const engine of this.#engines) engine[Symbol.dispose]();
    this.gpu[Symbol.dispose]();
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Values): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const addressOf = ({ memory }: PlacedArray): number => (memory as { readonly address: number }).address;
