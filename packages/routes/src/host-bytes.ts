import { BindingError, type Buffer } from "@stowage/backend-api";
import { copyBytes, type Context } from "@stowage/cuda-driver";
import type { StagingBuffer } from "./pool/staging-buffer.js";

/**
 * Whether pageable memory is there still: views may have been detached since they were bound. Throws a BindingError.
 */
export function requireAttached({ bytes, sizeBytes }: Buffer, side: string, move: number): void {
  if (bytes === undefined || bytes.length >= sizeBytes) return;
  const got = `${bytes.length}: detached, or shrunk since`;
  throw new BindingError(`${side} of move ${move}`, `a view of ${sizeBytes} bytes`, got);
}

/** A place in pageable memory and one in a pinned buffer, and how many bytes lie there. */
export interface HostCopy {
  readonly pageable: Buffer;
  readonly offsetBytes: number;
  readonly staged: StagingBuffer;
  readonly stagedBytes: number;
  readonly length: number;
}

/** From the pinned buffer, by the processor; over when it returns. */
export function toPageable(context: Context, { pageable, offsetBytes, staged, stagedBytes, length }: HostCopy): void {
  const { bytes, address = 0 } = pageable;
  if (bytes !== undefined) bytes.set(staged.bytes.subarray(stagedBytes, stagedBytes + length), offsetBytes);
  else copyNow(context, address + offsetBytes, staged.address + stagedBytes, length);
}

/** To the pinned buffer, by the processor; over when it returns. */
export function fromPageable(context: Context, { pageable, offsetBytes, staged, stagedBytes, length }: HostCopy): void {
  const { bytes, address = 0 } = pageable;
  if (bytes !== undefined) staged.bytes.set(bytes.subarray(offsetBytes, offsetBytes + length), stagedBytes);
  else copyNow(context, staged.address + stagedBytes, address + offsetBytes, length);
}

/** Memory that JavaScript has no view of: the driver's own copy. */
function copyNow(context: Context, target: number, source: number, length: number): void {
  const stream = context.stream();
  try {
    copyBytes(context, target, source, length).run(stream);
    stream.synchronize();
  } finally {
    stream[Symbol.dispose]();
  }
}
