import type { Register } from "./registers.js";

/** Which elements an EVEX instruction touches: k1 to k7; the others are kept, or zeroed in a register. */
export interface Masking {
  readonly mask: Register;
  readonly zeroing?: boolean;
}
