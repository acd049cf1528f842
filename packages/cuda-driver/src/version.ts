import { DriverError } from "./check.js";

/** cuLaunchKernelEx came with CUDA 11.8, kernel nodes' second form with 12.0. */
const OLDEST_VERSION = 12_000;
const FIRST_WITH_BATCHES = 12_080;

/** 12080 is CUDA 12.8. */
export const versionName = (version: number): string => `${Math.floor(version / 1000)}.${(version % 1000) / 10}`;

/** Throws a DriverError where the driver is older than CUDA 12.0. */
export function requireVersion(version: number): number {
  if (version >= OLDEST_VERSION) return version;
  const text = `expected CUDA 12.0 or later, got ${versionName(version)}: update the NVIDIA driver`;
  throw new DriverError("cuDriverGetVersion", undefined, text);
}

/** Whether cuMemcpyBatchAsync exists: from CUDA 12.8 on. */
export const copiesBatches = ({ version }: { readonly version: number }): boolean => version >= FIRST_WITH_BATCHES;
