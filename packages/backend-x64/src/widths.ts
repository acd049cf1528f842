/** Bytes that one load and one store move. */
export type Width = 1 | 2 | 4 | 8 | 16 | 32 | 64;

/** Bytes of what registers hold, and of the parts by which they are shuffled. Intel SDM volume 1, section 4.4. */
export const DWORD_BYTES = 4;
export const WORD_BYTES = 8;
export const XMM_BYTES = 16;
export const YMM_BYTES = 32;
export const ZMM_BYTES = 64;

/** The greatest number that an instruction carries as it is, of four bytes and of one. */
export const MOST_IMMEDIATE = 0x7fffffff;
export const MOST_SHORT_IMMEDIATE = 0x7f;

/** Whether an instruction carries a number as one signed byte. */
export const fitsByte = (value: number): boolean => value >= -MOST_SHORT_IMMEDIATE - 1 && value <= MOST_SHORT_IMMEDIATE;

/** The greatest number that moves to a register of 32 bits, whose upper half becomes zero. */
export const MOST_UNSIGNED = 0xffffffff;

/** Whether a displacement leaves room for what is added to it within one block. */
export const fitsDisplacement = (offset: number): boolean => Math.abs(offset) <= 0x7fffff00;
