import { BridgeError } from "../../errors.js";
import type { FramingOptions } from "../framed/framing-options.js";
import { openNcclPaths, type Ranks } from "../nccl/open-nccl.js";
import type { Context } from "../../message/context.js";
import { DirectPaths } from "./direct-paths.js";

/**
 * The ways from GPU to GPU that a new communicator was given. All ranks call it. Where NCCL alone was asked for and
 * cannot be had, every rank frees the communicator and gets the same BridgeError.
 */
export function openDirectPaths(
  comm: Ranks & { free(): void },
  context: Context,
  { devices, pieceBytes }: FramingOptions,
  gpu: number | undefined,
): DirectPaths | undefined {
  if (devices === "staged") return undefined;
  const nccl = devices === "direct" ? undefined : openNcclPaths(comm, context, { gpu, pieceBytes });
  if (devices === "auto" || !(nccl instanceof BridgeError)) return new DirectPaths(context, devices, nccl);
  comm.free();
  throw nccl;
}
