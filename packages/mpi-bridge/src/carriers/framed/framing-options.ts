import { FRAME_BYTES } from "./frame.js";

/** Which carriers may bring elements from GPU to GPU: see DupOptions.devices. */
export type DeviceCarriers = "ipc" | "nccl" | "auto";
export const DEVICE_CARRIERS = ["staged", "ipc", "nccl", "auto"] as const;

/** How messages that begin with a frame go, as all ranks agreed. */
export interface FramingOptions {
  readonly chunkBytes: number;
  readonly depth: number;
  readonly checksSignatures: boolean;
  /** Bytes of a piece of a message by NCCL. */
  readonly pieceBytes: number;
  readonly devices: "staged" | DeviceCarriers;
}

/** Bytes of a message that its first message holds. */
export const firstBytesOf = ({ chunkBytes }: FramingOptions, sizeBytes: number): number =>
  Math.min(sizeBytes, chunkBytes - FRAME_BYTES);
