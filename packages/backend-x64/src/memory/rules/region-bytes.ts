import { PAGE_BYTES } from "../../page.js";

/** Bytes of one region, which is two mappings. It takes no memory but where code lies. */
const REGION_BYTES = 2 ** 25;

/** Bytes of a region for so much code, and more: what every region keeps for itself is less than a page. */
export const regionBytesFor = (codeBytes: number): number => Math.max(REGION_BYTES, codeBytes + PAGE_BYTES);

/**
 * Pages that are there at once: each would cost its first writer a fault, several times what writing a program takes.
 */
export const POPULATED_BYTES = 64 * 1024;

/** Free memory that is worth a call to give back. */
export const DISCARDED_BYTES = 64 * 1024;
