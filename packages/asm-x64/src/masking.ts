import type { Register } from "./registers.js";

/** The elements that an EVEX instruction writes: those whose bit of the mask is set. */
export interface Masking {
  /** The mask register, k1 to k7. */
  readonly mask: Register;
  /** Whether the other elements are zeroed in a register. Default: false, they are kept. */
  readonly zeroing?: boolean;
}
