/** Bytes of the packed stream on the stack at once: with the lines of both sides they stay in L1d. */
export const BUFFER_BYTES = 8 * 1024;
