import type { StreamHandle } from "@stowage/cuda-driver";

/**
 * The queue of runs that name none: the device's legacy default stream. It waits for all blocking streams, and they for
 * it (CUDA programming guide, "Default stream").
 */
export const LEGACY_STREAM: StreamHandle = Object.freeze({ handle: 0 });

const CU_STREAM_LEGACY = 1;

/** Whether a queue is the legacy default stream, by either of its handles: 0 and CU_STREAM_LEGACY. */
export const isLegacy = ({ handle }: StreamHandle): boolean => handle === 0 || handle === CU_STREAM_LEGACY;
