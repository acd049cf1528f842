/** The widest word a thread moves. */
export const WIDEST_WORD_BYTES = 16;
