import { conditions, packMove, type Backend, type Completion } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { copyBytes, type Context, type Driver } from "@stowage/cuda-driver";
import { canonicalise, lower, predefined, vector } from "@stowage/ir";
import { Routes } from "@stowage/routes";

/** A way to pack the papers' vector into pinned host memory. */
export interface Packing {
  readonly name: string;
  send(): Completion;
  /** Throws one line where a byte is not where it should be. */
  verify(): void;
}

/** Who packs: on all multiprocessors as the papers do, by each route with its budget, and by the copy engine. */
const WAYS = [
  { name: "pack on every SM", backend: "cuda-strided", priority: "normal" },
  { name: "one-shot, 4 SMs", backend: "one-shot/cuda-strided", priority: "high" },
  { name: "any type, 4 SMs", backend: "one-shot/cuda-generic", priority: "high" },
  { name: "device, then copy", backend: "device/cuda-strided", priority: "high" },
  { name: "pipelined", backend: "pipelined/cuda-strided", priority: "high" },
  { name: "copy engine", backend: "dma", priority: "high" },
] as const;

const BLOCK_BYTES = 64;

/** All ways, on one vector: blocks of 8 doubles, as many left out between them. */
export class Packings implements Disposable {
  readonly all: readonly Packing[];
  readonly #held: Disposable[] = [];

  constructor(driver: Driver, context: Context, sizeBytes: number) {
    const packers: readonly (Backend & Disposable)[] = [
      new CudaStridedBackend(() => driver),
      new CudaGenericBackend({ driver }),
      new DmaBackend(() => driver),
    ];
    const routes = new Routes(packers, { driver: () => driver });
    const backends: readonly Backend[] = [...packers, ...routes.backends];
    const layout = canonicalise(lower(vector(sizeBytes / BLOCK_BYTES, 8, 16, predefined("MPI_DOUBLE"))));
    const [data, packed] = [context.deviceMemory(2 * sizeBytes), context.pinnedMemory(sizeBytes)];
    const expected = fill(context, data.address, sizeBytes);
    const kinds = conditions({ sourceKind: "device", targetKind: "pinned" });
    const binding = {
      source: { memory: data, originBytes: 0 },
      target: { memory: packed, originBytes: 0 },
      count: 1,
      first: 0,
      length: sizeBytes,
    };
    this.#held.push(data, packed, routes, ...packers);
    this.all = WAYS.map(({ name, backend, priority }): Packing => {
      const chosen = backends.find((each) => each.name === backend) as Backend;
      const queue = context.stream({ priority });
      const kernel = chosen.load(chosen.compile([packMove(layout)], kinds));
      const plan = kernel.bind([binding]);
      this.#held.unshift(plan, kernel, queue);
      const send = () => plan.run(queue);
      return { name, send, verify: () => verify(name, send, packed.bytes, expected) };
    });
  }

  [Symbol.dispose](): void {
    for (const held of this.#held) held[Symbol.dispose]();
  }
}

function verify(name: string, send: () => Completion, packed: Uint8Array, expected: Uint8Array): void {
  packed.fill(0);
  send().wait();
  const at = Buffer.compare(packed, expected) === 0 ? -1 : packed.findIndex((byte, i) => byte !== expected[i]);
  if (at >= 0) throw new Error(`${name}: expected byte ${at} to be ${expected[at]}, got ${packed[at]}`);
}

/** Fills the vector's memory; what it packs to. */
function fill(context: Context, address: number, sizeBytes: number): Uint8Array {
  const data = new Uint8Array(2 * sizeBytes);
  for (let i = 0; i < data.length; i++) data[i] = i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7;
  copyBytes(context, address, context.libcuda.addressOf(data), data.length).run({ handle: 0 });
  context.synchronize();
  const packed = new Uint8Array(sizeBytes);
  for (let i = 0; i < sizeBytes; i += BLOCK_BYTES) packed.set(data.subarray(2 * i, 2 * i + BLOCK_BYTES), i);
  return packed;
}
