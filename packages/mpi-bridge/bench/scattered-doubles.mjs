// Datatypes of so many doubles, which lie in twice as many.
import { indexedBlock, predefined, vector } from "@stowage/ir";

const DOUBLE = predefined("MPI_DOUBLE");

export const SCATTERED_DOUBLES = {
  "blocks of 8 B": (doubles) => vector(doubles, 1, 2, DOUBLE),
  "blocks of 64 B": (doubles) => vector(doubles / 8, 8, 16, DOUBLE),
  "blocks of 1 KiB": (doubles) => vector(doubles / 128, 128, 256, DOUBLE),
  "8 B by index": (doubles) => indexedBlock(1, shuffled(doubles), DOUBLE),
};

/** Every other place, in an order that no prefetcher guesses. */
function shuffled(count) {
  const places = Int32Array.from({ length: count }, (_, i) => 2 * i);
  for (let i = count - 1, seed = 1; i > 0; i--) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    const other = seed % (i + 1);
    [places[i], places[other]] = [places[other], places[i]];
  }
  return places;
}
