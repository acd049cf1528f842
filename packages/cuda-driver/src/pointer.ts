import { check } from "./check.js";
import type { ContextHandle } from "./context-handle.js";
import { INVALID_VALUE } from "./results.js";

/** What the driver knows of an address. */
export interface PointerFacts {
  readonly kind: "host" | "pinned" | "device" | "managed";
  /** The ordinal of the device that owns it, or that it was pinned through; absent for pageable host memory. */
  readonly device?: number;
  /** The allocation that the address lies in. */
  readonly startAddress?: number;
  readonly sizeBytes?: number;
}

// CUpointer_attribute, cuda.h 13.0.
const ATTRIBUTE = { memoryType: 2, isManaged: 8, device: 9, rangeStart: 11, rangeBytes: 12 } as const;
const HOST = 1;

/** Which memory an address lies in; an address unknown to the driver is pageable host memory. */
export function describePointer(context: ContextHandle, address: number): PointerFacts {
  context.enter();
  const type = attribute(context, ATTRIBUTE.memoryType, address);
  if (type === undefined) return { kind: "host" };
  const managed = attribute(context, ATTRIBUTE.isManaged, address) === 1;
  const device = attribute(context, ATTRIBUTE.device, address);
  const startAddress = attribute(context, ATTRIBUTE.rangeStart, address);
  const sizeBytes = attribute(context, ATTRIBUTE.rangeBytes, address);
  return {
    kind: managed ? "managed" : type === HOST ? "pinned" : "device",
    ...(device === undefined ? {} : { device }),
    ...(startAddress === undefined ? {} : { startAddress }),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
  };
}

function attribute(context: ContextHandle, number: number, address: number): number | undefined {
  const value = new BigUint64Array(1);
  const result = context.libcuda.cuPointerGetAttribute(value, number, address);
  if (result === INVALID_VALUE) return undefined;
  check(context.libcuda, "cuPointerGetAttribute", result);
  return Number(value[0]);
}
