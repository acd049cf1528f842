import type { Buffer, HostBuffer } from "@stowage/backend-api";
import type { BridgeType } from "../datatype/bridge-type.js";
import type { DeviceSide } from "../devices/device-side.js";

/**
 * The elements of a message: where they lie, what they are and how many. They were checked to lie within their memory.
 */
export interface Placed {
  readonly type: BridgeType;
  readonly count: number;
  /** Holds the memory. */
  readonly buffer: HostBuffer | Buffer;
  /** Where in it the datatype's address 0 lies. */
  readonly originBytes: number;
  /** The address at which the datatype's address 0 lies. */
  readonly address: number;
  readonly sizeBytes: number;
  /** The GPU whose memory it is; undefined where the host touches it. */
  readonly device: DeviceSide | undefined;
}

/** Elements that the host touches. */
export interface HostPlaced extends Placed {
  readonly buffer: HostBuffer;
}

export const isOnHost = (placed: Placed): placed is HostPlaced => placed.device === undefined;

/** Memory that JavaScript may give back to the system while a message is under way. */
export const mayShrink = (placed: Placed): boolean => isOnHost(placed) && placed.buffer.canChangeSize;

/** Views may be detached, and allocations of a device freed. */
export const isThere = (placed: Placed): boolean =>
  isOnHost(placed) ? placed.buffer.isAttached : (placed.buffer as { readonly disposed?: boolean }).disposed !== true;
