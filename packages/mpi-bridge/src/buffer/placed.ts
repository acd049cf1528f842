import type { HostBuffer } from "@stowage/backend-api";
import type { BridgeType } from "../datatype/bridge-type.js";

/** The elements of a message: where they lie, what they are and how many. They were checked to lie within their memory. */
export interface Placed {
  readonly type: BridgeType;
  readonly count: number;
  /** Holds the memory. */
  readonly buffer: HostBuffer;
  /** Where in it the datatype's address 0 lies. */
  readonly originBytes: number;
  /** The same as an address. */
  readonly address: number;
  readonly sizeBytes: number;
}
