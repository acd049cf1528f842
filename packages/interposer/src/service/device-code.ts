import { artifactKey, conditions, encodeArtifact, packMove, typeKey, unpackMove } from "@stowage/backend-api";
import { ptxMove, type ptxBackend } from "@stowage/compile";
import { blockStatistics, canonicalise, lower } from "@stowage/ir";
import { datatypeOf } from "../description/datatype-of.js";
import { VERSION } from "../version.js";
import { gpuCode } from "./gpu-code.js";

/** Code for GPUs is of one level: PTX, which each driver compiles for its own. */
export const DEVICE_LEVEL = "ptx";
/** As runtime/stowage_cuda.c reads it. */
const BACKEND = "ptx";
const FORMAT_VERSION = 4;
/** Of both addresses of a move: words of so many bytes. */
const ALIGNMENTS = [16, 8, 4, 2, 1];

/**
 * The container of a described type's kernels for GPUs: a pack and an unpack, as runtime/stowage_cuda.h launches them.
 * @throws StowageError where the bytes are no description, or the type has more nodes than fit a launch
 */
export function deviceCode(description: Uint8Array, backend: ReturnType<typeof ptxBackend>): Uint8Array {
  const layout = canonicalise(lower(datatypeOf(description)));
  const moves = [packMove(layout), unpackMove(layout)];
  const known = conditions({ sourceKind: "device", targetKind: "device" });
  const kernels = moves.map((move) => ptxMove(move, "a datatype", ALIGNMENTS, backend));
  const code = gpuCode(kernels, blockStatistics(layout.root).meanBytes);
  return encodeArtifact({
    backend: BACKEND,
    formatVersion: FORMAT_VERSION,
    key: artifactKey(BACKEND, FORMAT_VERSION, moves, known),
    moves,
    conditions: known,
    payload: { level: DEVICE_LEVEL, code, entries: Int32Array.of(0, 0) },
    description,
  });
}

/** What names a type's kernels: c/store/cache.c computes the same. */
export const deviceKeyOf = (description: Uint8Array): string =>
  typeKey(description, {
    direction: "pack",
    backend: BACKEND,
    formatVersion: FORMAT_VERSION,
    level: DEVICE_LEVEL,
    tuning: VERSION,
  });
