import { conditions, copyMove, encodeArtifact, packMove, unpackMove, type Artifact } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { canonicalise, lower, predefined, struct, vector } from "@stowage/ir";

const pairs = struct([3, 1], [0, 40], [predefined("MPI_INT"), vector(5, 1, 3, predefined("MPI_DOUBLE"))]);
const packed = struct([3, 5], [0, 16], [predefined("MPI_INT"), predefined("MPI_DOUBLE")]);

/** An artifact of three moves, with a description. */
export function someArtifact(): Artifact {
  const [source, target] = [pairs, packed].map((type) => canonicalise(lower(type)));
  if (source === undefined || target === undefined) throw new Error("unreachable");
  const moves = [packMove(source), unpackMove(source), copyMove(source, target)];
  const artifact = new X64Backend({ level: "sse2" }).compile(moves, conditions());
  return { ...artifact, description: Uint8Array.of(1, 2, 3, 4, 5) };
}

export const stored = (changes: Partial<Artifact> = {}): Uint8Array =>
  encodeArtifact({ ...someArtifact(), ...changes });
