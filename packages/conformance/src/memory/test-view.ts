import type { Buffer } from "@stowage/backend-api";

/** One way in which callers hold memory, such as a view of a part of shared memory. */
export interface TestView {
  /** The view's name in a counterexample. */
  readonly what: string;
  /** Allocates a new buffer, whose first byte lies `offsetBytes` behind an address that 16 divides. */
  readonly allocate: (sizeBytes: number, offsetBytes: number) => Buffer;
}
