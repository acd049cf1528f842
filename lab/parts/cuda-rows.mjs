// Vectors and faces: rows of so many bytes at one pitch.
import { contiguous, predefined, vector } from "@stowage/ir";

const double = predefined("MPI_DOUBLE");

/** So many packed bytes in blocks at a pitch, of doubles. */
export function vectorOf(blockBytes, pitchBytes, sizeBytes) {
  if (blockBytes === pitchBytes) return contiguous(sizeBytes / 8, double);
  return vector(sizeBytes / blockBytes, blockBytes / 8, pitchBytes / 8, double);
}

export const BLOCKS = [8, 16, 32, 64, 128, 512, 4096];
