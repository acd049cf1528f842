import type { StreamHandle } from "@stowage/cuda-driver";

/**
 * Where a run without a queue goes: the device's legacy default stream. It waits for all blocking streams, and they for
 * it. CUDA programming guide, "Default stream".
 */
export const LEGACY_STREAM: StreamHandle = Object.freeze({ handle: 0 });

const CU_STREAM_LEGACY = 1;

/** Whether a queue is the legacy default stream, by either of its names. */
export const isLegacy = ({ handle }: StreamHandle): boolean => handle === 0 || handle === CU_STREAM_LEGACY;
