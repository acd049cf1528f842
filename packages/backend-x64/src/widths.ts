/** Bytes of what registers hold, and of the parts by which they are shuffled. Intel SDM volume 1, section 4.4. */
export const DWORD_BYTES = 4;
export const WORD_BYTES = 8;
export const XMM_BYTES = 16;
export const YMM_BYTES = 32;
export const ZMM_BYTES = 64;

/** The greatest number that an instruction carries as it is, of four bytes and of one. */
export const MOST_IMMEDIATE = 0x7fffffff;
export const MOST_SHORT_IMMEDIATE = 0x7f;
