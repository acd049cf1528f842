import { ArtifactError, conditions, type Data, type Move } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { ArgumentError } from "@stowage/ir";

/** A kernel's text, and how it is launched. */
export interface PtxKernel {
  readonly entry: string;
  readonly ptx: string;
  readonly parameterBytes: number;
  /** What divides both addresses, and what a thread moves at a time. */
  readonly wordBytes: number;
  readonly threads: number;
  readonly unroll: number;
}

/** One side of a move as a kernel reads it. */
export interface PtxSide {
  readonly nodes: Uint8Array;
  readonly startBytes: number;
}

/** A move for GPUs: for addresses that are aligned to the widest word, and for any. */
export interface PtxMove {
  readonly kernels: readonly PtxKernel[];
  readonly source: PtxSide;
  readonly target: PtxSide;
  readonly lookaside: Uint8Array;
}

const WIDEST_WORD_BYTES = 16;

/** What the generic kernel needs of a move (docs/gpu-generic.md). Throws an ArgumentError where its nodes are no launch's parameters. */
export function ptxMove(move: Move, symbol: string): PtxMove {
  const [wide, narrow] = [WIDEST_WORD_BYTES, 1].map((alignment) => compiled(move, alignment, symbol));
  if (wide === undefined || narrow === undefined) throw new RangeError("compiled moves: expected two, got fewer");
  const kernels = wide.kernel.wordBytes === 1 ? [narrow.kernel] : [wide.kernel, narrow.kernel];
  return { kernels, source: wide.source, target: wide.target, lookaside: wide.lookaside };
}

function compiled(move: Move, alignment: number, symbol: string) {
  // Compiling needs no GPU: the simulated driver says that one could be there.
  using backend = new CudaGenericBackend({ driver: openSimulatedCuda });
  const device = { sourceKind: "device", targetKind: "device" } as const;
  const known = conditions({ ...device, sourceAlignment: alignment, targetAlignment: alignment });
  const { standalone, moves, lookaside } = record(backend.compile([move], known).payload);
  const { entry, ptx, parameterBytes, planSpace, wordBytes, threads, unroll } = record(standalone);
  if (planSpace !== "parameters")
    throw new ArgumentError(`layout of ${symbol} for a GPU`, "nodes that fit a launch's parameters", "more");
  const [encoded] = Array.isArray(moves) ? (moves as readonly Data[]) : [];
  const { source, target } = record(encoded);
  const kernel: PtxKernel = {
    entry: textOf(entry),
    ptx: textOf(ptx),
    parameterBytes: Number(parameterBytes),
    wordBytes: Number(wordBytes),
    threads: Number(threads),
    unroll: Number(unroll),
  };
  return { kernel, source: sideOf(source), target: sideOf(target), lookaside: bytes(lookaside) };
}

function sideOf(side: Data | undefined): PtxSide {
  const { nodes, startBytes } = record(side);
  return { nodes: bytes(nodes), startBytes: Number(startBytes) };
}

function record(data: Data | undefined): Readonly<Record<string, Data | undefined>> {
  if (typeof data === "object" && data !== null && !Array.isArray(data) && !ArrayBuffer.isView(data))
    return data as Readonly<Record<string, Data>>;
  throw new ArtifactError("payload of cuda-generic: expected a record, got other data");
}

function bytes(data: Data | undefined): Uint8Array {
  if (data instanceof Uint8Array) return data;
  throw new ArtifactError("payload of cuda-generic: expected bytes, got other data");
}

function textOf(data: Data | undefined): string {
  if (typeof data === "string") return data;
  throw new ArtifactError("payload of cuda-generic: expected a text, got other data");
}
