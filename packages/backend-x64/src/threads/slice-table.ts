import koffi from "koffi";
import { RECORD_WORDS } from "../memory/launch-code.js";
import type { LaunchRecord } from "../records.js";
import { SLICE_BYTES } from "./pool-words.js";

/** Slices as the threads of a pool read them. */
export interface SliceTable {
  readonly address: bigint;
  readonly count: number;
  /** Where they lie; to be kept as long as they are used. */
  readonly words: BigInt64Array<ArrayBuffer>;
}

/** The table first, its last slice in front: threads take entries from the end. Then the records. */
export function sliceTable(slices: readonly (readonly LaunchRecord[])[]): SliceTable {
  const tableWords = (slices.length * SLICE_BYTES) / 8;
  const records = slices.reduce((sum, slice) => sum + slice.length, 0);
  const words = new BigInt64Array(tableWords + records * RECORD_WORDS);
  const address = koffi.address(words);
  let at = tableWords;
  for (const [i, slice] of slices.entries()) {
    const entry = tableWords - (i + 1) * (SLICE_BYTES / 8);
    words[entry] = address + BigInt(8 * at);
    words[entry + 1] = BigInt(slice.length);
    for (const record of slice) {
      for (const value of record) words[at++] = BigInt(value);
    }
  }
  return { address, count: slices.length, words };
}
