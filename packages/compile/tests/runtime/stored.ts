import { conditions, copyMove, encodeArtifact, packMove, unpackMove, type Artifact } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import {
  canonicalise,
  contiguous,
  hindexed,
  indexed,
  indexedBlock,
  lower,
  predefined,
  resized,
  struct,
  vector,
  type Datatype,
} from "@stowage/ir";
import { gpuArtifact, ptxBackend } from "../../src/index.js";

const pairs = struct([3, 1], [0, 40], [predefined("MPI_INT"), vector(5, 1, 3, predefined("MPI_DOUBLE"))]);
const packed = struct([3, 5], [0, 16], [predefined("MPI_INT"), predefined("MPI_DOUBLE")]);

/** An artifact of three moves, with frames and a description. */
export function someArtifact(): Artifact {
  const [source, target] = [pairs, packed].map((type) => canonicalise(lower(type)));
  if (source === undefined || target === undefined) throw new Error("unreachable");
  const moves = [packMove(source), unpackMove(source), copyMove(source, target)];
  const artifact = new X64Backend({ level: "sse2", frames: true }).compile(moves, conditions());
  return { ...artifact, description: Uint8Array.of(1, 2, 3, 4, 5) };
}

export const stored = (changes: Partial<Artifact> = {}): Uint8Array =>
  encodeArtifact({ ...someArtifact(), ...changes });

const double = predefined("MPI_DOUBLE");
const int = predefined("MPI_INT");

/** One type for each kind of node, with tables of 32 and of 64 bits. */
const GPU_TYPES: readonly Datatype[] = [
  contiguous(5, double),
  vector(7, 2, 3, int),
  indexedBlock(2, [9, 0, 4, 17, 30], double),
  indexed([3, 1, 7, 2], [0, 9, 20, 11], int),
  indexed([3, 1, 2], [0, 9, 20], resized(0, 32, vector(3, 1, 2, int))),
  struct([2, 1, 3], [0, 24, 64], [int, indexed([3, 1, 7], [0, 9, 20], int), vector(4, 1, 2, double)]),
  hindexed([1, 3], [0, 2 ** 33], int),
  contiguous(0, int),
];

/** An artifact of kernels for GPUs; `backend` keeps their texts. */
export const storedForGpu = (type: Datatype, backend: ReturnType<typeof ptxBackend>): Uint8Array =>
  gpuArtifact(canonicalise(lower(type)), Uint8Array.of(1, 2, 3), backend);

export function storedForGpus(): readonly Uint8Array[] {
  using backend = ptxBackend();
  return GPU_TYPES.map((type) => storedForGpu(type, backend));
}
