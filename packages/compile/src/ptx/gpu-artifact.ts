import { artifactKey, conditions, encodeArtifact, packMove, unpackMove } from "@stowage/backend-api";
import { blockStatistics, type Layout } from "@stowage/ir";
import { GPU_CODE_VERSION, gpuCode } from "./gpu-code.js";
import { ptxMove, type ptxBackend } from "./stored-kernel.js";

/**
 * The fields by which artifacts of kernels for GPUs say what they are: PTX, which each driver compiles for its own
 * device.
 */
export const GPU_ARTIFACT = { backend: "ptx", formatVersion: GPU_CODE_VERSION, level: "ptx" } as const;
/** Alignments, in bytes, of both addresses of a move: a kernel each, for words of so many bytes. */
const ALIGNMENTS = [16, 8, 4, 2, 1];

/**
 * The container of a layout's kernels for GPUs: a pack and an unpack, as runtime/stowage_cuda.h launches them.
 * `description` is what describeType made of the datatype. Throws an UnsupportedMoveError where the layout has more
 * nodes than fit a launch.
 */
export function gpuArtifact(
  layout: Layout,
  description: Uint8Array,
  backend: ReturnType<typeof ptxBackend>,
): Uint8Array {
  const moves = [packMove(layout), unpackMove(layout)];
  const known = conditions({ sourceKind: "device", targetKind: "device" });
  const kernels = moves.map((move) => ptxMove(move, "a datatype", ALIGNMENTS, backend));
  const code = gpuCode(kernels, blockStatistics(layout.root).meanBytes);
  const { level, ...made } = GPU_ARTIFACT;
  return encodeArtifact({
    ...made,
    key: artifactKey(made.backend, made.formatVersion, moves, known),
    moves,
    conditions: known,
    payload: { level, code, entries: Int32Array.of(0, 0) },
    description,
  });
}
