import { conditions, packMove, reachOf, unpackMove, type Buffer, type Move, type Span } from "@stowage/backend-api";
import { openSimulatedCuda, type Context } from "@stowage/cuda-driver";
import type { Layout, PackedRange } from "@stowage/ir";
import type { Kernel } from "@stowage/ptx";
import { CudaGenericBackend } from "../../src/index.js";
import type { Tuning } from "../../src/options.js";

const KINDS = conditions({ sourceKind: "device", targetKind: "device" });

/**
 * The kernels that a backend of this tuning renders for these layouts, packed and unpacked: each alone, then all at
 * once.
 */
export function renderedKernels(layouts: readonly Layout[], count: number, tuning: Partial<Tuning>): readonly Kernel[] {
  const driver = openSimulatedCuda();
  const { libcuda } = driver;
  const { rendered } = libcuda;
  const kernels = new Map<string, Kernel>();
  libcuda.rendered = (text, kernel) => {
    kernels.set(text, kernel);
    rendered(text, kernel);
  };
  using context = driver.context();
  using backend = new CudaGenericBackend({ driver, tuning });
  const bind = (moves: readonly Move[]): void => {
    using kernel = backend.load(backend.compile(moves, KINDS));
    kernel.bind(moves.map((move) => bindingOf(context, move, count)))[Symbol.dispose]();
  };
  for (const moves of [layouts.map(packMove), layouts.map(unpackMove)]) {
    for (const move of moves) bind([move]);
    bind(moves);
  }
  return [...kernels.values()];
}

function bindingOf(context: Context, move: Move, count: number) {
  const length = move.source.sizeBytes * count;
  const side = (layout: Layout) => spanOf(context, layout, { count, first: 0, length });
  return { source: side(move.source), target: side(move.target), count, first: 0, length };
}

/** Memory of the bytes that a side reaches. */
function spanOf(context: Context, layout: Layout, range: PackedRange): Span {
  const { lowBytes, highBytes } = reachOf(layout, range);
  const { address, device, sizeBytes } = context.deviceMemory(Math.max(1, highBytes - lowBytes));
  const memory: Buffer = { kind: "device", address, device, sizeBytes };
  return { memory, originBytes: -lowBytes };
}
