// Datatypes of so many doubles, which lie in twice as many.
import { indexedBlock, predefined, vector } from "@stowage/ir";
import { shuffled } from "./shuffled.mjs";

const DOUBLE = predefined("MPI_DOUBLE");
/** Every other place, in an order that no prefetcher guesses. */
const everyOther = (count) => Int32Array.from(shuffled(count), (i) => 2 * i);

export const SCATTERED_DOUBLES = {
  "blocks of 8 B": (doubles) => vector(doubles, 1, 2, DOUBLE),
  "blocks of 64 B": (doubles) => vector(doubles / 8, 8, 16, DOUBLE),
  "blocks of 1 KiB": (doubles) => vector(doubles / 128, 128, 256, DOUBLE),
  "8 B by index": (doubles) => indexedBlock(1, everyOther(doubles), DOUBLE),
};
