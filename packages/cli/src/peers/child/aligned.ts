import koffi from "koffi";

const PAGE_BYTES = 4096;

/** Memory that starts on a page, as large arrays of applications do. The same for every contender. */
export function aligned(sizeBytes: number): Uint8Array {
  const whole = new Uint8Array(new ArrayBuffer(sizeBytes + PAGE_BYTES));
  const over = Number(koffi.address(whole)) % PAGE_BYTES;
  return whole.subarray(PAGE_BYTES - over, PAGE_BYTES - over + sizeBytes);
}

export const addressOf = (view: ArrayBufferView): number => Number(koffi.address(view));
