import {
  copyMove,
  tabledMove,
  type Binding,
  type Buffer,
  type Conditions,
  type Move,
  type Span,
  type TableIndex,
} from "@stowage/backend-api";
import { openSimulatedCuda, type Driver } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { denseLayout } from "@stowage/ir";
import type { Kernel } from "@stowage/ptx";
import { CudaGenericBackend } from "../src/index.js";

export const POOL_PAGES = 8;
export const KINDS: Partial<Conditions> = {
  sourceKind: "device",
  targetKind: "device",
  tableKind: "device",
};

/** Pools whose bytes tell pool, page and place apart, and a table on each side. */
export class Pools {
  readonly launched: Kernel[] = [];
  readonly driver: Driver = openSimulatedCuda({ launched: (kernel) => this.launched.push(kernel) });
  readonly context = this.driver.context();
  readonly backend = new CudaGenericBackend({ driver: this.driver });
  readonly device = testMemory(this.context, "device");
  readonly pinned = testMemory(this.context, "pinned");

  filled(bytes: Uint8Array, memory: "device" | "pinned" = "device"): Buffer {
    const buffer = this[memory].allocate(bytes.length);
    if (bytes.length > 0) this[memory].write(buffer, 0, bytes);
    return buffer;
  }

  pool(pageBytes: number, seed: number, memory: "device" | "pinned" = "device"): Buffer {
    return this.filled(poolBytes(pageBytes, seed), memory);
  }

  table(pages: readonly number[], index: TableIndex, memory: "device" | "pinned" = "device"): Buffer {
    const list = index === "u32" ? Uint32Array.from(pages) : BigInt64Array.from(pages, BigInt);
    return this.filled(new Uint8Array(list.buffer), memory);
  }
}

export const poolBytes = (pageBytes: number, seed: number): Uint8Array =>
  Uint8Array.from({ length: POOL_PAGES * pageBytes }, (_, i) => (seed * 41 + i * 7 + (i >> 8) * 13) & 0xff);

export const at = (memory: Buffer, originBytes = 0): Span => ({ memory, originBytes });
export const pageMove = (pageBytes: number, index: TableIndex = "u32"): Move =>
  tabledMove(copyMove(denseLayout(pageBytes), denseLayout(pageBytes)), {
    source: { index, strideBytes: pageBytes },
    target: { index, strideBytes: pageBytes },
    skips: true,
  });

export interface Tables {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly source: Buffer;
  readonly target: Buffer;
  readonly count?: Buffer;
}

export const binding = (pageBytes: number, source: Buffer, target: Buffer, tables: Tables): Binding => ({
  source: at(source),
  target: at(target),
  count: tables.from.length,
  first: 0,
  length: tables.from.length * pageBytes,
  tables: {
    source: at(tables.source),
    target: at(tables.target),
    ...(tables.count === undefined ? {} : { count: at(tables.count) }),
  },
});

/** What a pool of zeros holds once so many of the pages have been copied to it. */
export function expected(pageBytes: number, seed: number, { from, to }: Tables, moved = from.length): Uint8Array {
  const [source, target] = [poolBytes(pageBytes, seed), new Uint8Array(POOL_PAGES * pageBytes)];
  from.slice(0, moved).forEach((page, k) => {
    if (page < 0 || (to[k] as number) < 0) return;
    target.set(source.subarray(page * pageBytes, (page + 1) * pageBytes), (to[k] as number) * pageBytes);
  });
  return target;
}
