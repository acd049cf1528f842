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

/** A move for GPUs: kernels for the widest words first, the last of them for any addresses. */
export interface PtxMove {
  readonly kernels: readonly PtxKernel[];
  /** Kernels for launches of several transfers; empty unless they were asked for. */
  readonly several: readonly PtxKernel[];
  readonly source: PtxSide;
  readonly target: PtxSide;
  readonly lookaside: Uint8Array;
  /** Bytes of a number in the tables. */
  readonly tableBytes: 4 | 8;
}

/** For addresses that are aligned to the widest word, and for any. */
const WIDEST_AND_ANY = [16, 1] as const;

/**
 * A backend that makes kernels and needs no GPU: the simulated driver says that one could be there. A backend that is
 * kept prints each kernel's text once.
 */
export const ptxBackend = (): CudaGenericBackend => new CudaGenericBackend({ driver: openSimulatedCuda });

/**
 * What the generic kernel needs of a move (docs/design/gpu-generic.md): a kernel for each alignment that gives one of
 * its own, widest first; with a backend, which then makes them, kernels for launches of several transfers too.
 * Throws an ArgumentError where its nodes are no launch's parameters, and where there are no alignments.
 */
export function ptxMove(
  move: Move,
  symbol: string,
  alignments: readonly number[] = WIDEST_AND_ANY,
  several?: CudaGenericBackend,
): PtxMove {
  if (several !== undefined)
    return { ...kernelsBy(several, move, symbol, alignments), several: kernelsOfSeveral(several) };
  using own = ptxBackend();
  return { ...kernelsBy(own, move, symbol, alignments), several: [] };

  /** A launch of two takes parameters that have room for dozens. */
  function kernelsOfSeveral(backend: CudaGenericBackend): readonly PtxKernel[] {
    return distinct(alignments.map((alignment) => compiled(backend, [move, move], alignment, symbol)));
  }
}

function kernelsBy(
  backend: CudaGenericBackend,
  move: Move,
  symbol: string,
  alignments: readonly number[],
): Omit<PtxMove, "several"> {
  const all = alignments.map((alignment) => compiled(backend, [move], alignment, symbol));
  const [widest] = all;
  if (widest === undefined) throw new ArgumentError(`alignments of ${symbol}`, "one or more", "none");
  const { kernel: _, ...sides } = widest;
  return { kernels: distinct(all), ...sides };
}

const distinct = (all: readonly { readonly kernel: PtxKernel }[]): readonly PtxKernel[] => [
  ...new Map(all.map(({ kernel }) => [kernel.entry, kernel])).values(),
];

function compiled(backend: CudaGenericBackend, compiledMoves: readonly Move[], alignment: number, symbol: string) {
  const device = { sourceKind: "device", targetKind: "device" } as const;
  const known = conditions({ ...device, sourceAlignment: alignment, targetAlignment: alignment });
  const { standalone, moves, lookaside, tableBits } = record(backend.compile(compiledMoves, known).payload);
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
  const tableBytes: 4 | 8 = tableBits === 64 ? 8 : 4;
  return { kernel, source: sideOf(source), target: sideOf(target), lookaside: bytes(lookaside), tableBytes };
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
