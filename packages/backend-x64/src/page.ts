/** Bytes of a page of memory. Intel SDM volume 3A, section 4.5. */
export const PAGE_BYTES = 4096;
