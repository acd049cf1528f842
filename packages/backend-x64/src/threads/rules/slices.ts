/** Slices a thread: a thread that the system takes off its core then keeps the others waiting for one of them only. */
export const SLICES_A_THREAD = 4;

/** Packed bytes from which a slice takes non-temporal stores, so that a launch of `nonTemporalBytes` does. */
export const nonTemporalBytesOfSlice = (nonTemporalBytes: number, threads: number): number =>
  Math.floor(nonTemporalBytes / (threads * SLICES_A_THREAD));

/** Launches of more bytes are not looked at for one from which sharing is quicker. */
export const MOST_SHARED_BYTES = 2 ** 40;
