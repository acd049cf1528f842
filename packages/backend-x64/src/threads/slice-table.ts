import { SLICE_BYTES } from "./pool-words.js";
import { koffi, RECORD_NUMBERS, type LaunchRecord } from "@stowage/host-plans";

/** Slices as the threads of a pool read them. */
export interface SliceTable {
  readonly address: number;
  readonly count: number;
  /** Where they lie; to be kept as long as they are used. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

/** The table first, its last slice in front: threads take entries from the end. Then the records. */
export function sliceTable(slices: readonly (readonly LaunchRecord[])[]): SliceTable {
  const tableNumbers = (slices.length * SLICE_BYTES) / 8;
  const records = slices.reduce((sum, slice) => sum + slice.length, 0);
  const numbers = new Float64Array(tableNumbers + records * RECORD_NUMBERS);
  const address = Number(koffi().address(numbers));
  let at = tableNumbers;
  for (const [i, slice] of slices.entries()) {
    const entry = tableNumbers - (i + 1) * (SLICE_BYTES / 8);
    numbers[entry] = address + 8 * at;
    numbers[entry + 1] = slice.length;
    for (const record of slice) {
      numbers.set(record, at);
      at += RECORD_NUMBERS;
    }
  }
  return { address, count: slices.length, numbers };
}
