import { BindingError, type Queue } from "@stowage/backend-api";
import type { Context, StreamHandle } from "@stowage/cuda-driver";

/**
 * Checks that a queue is of the context's device, before either launches or copies are sent: launches to another
 * device's stream fail, but copies go. `subject` names the queue in the message. Throws a BindingError.
 */
export function requireOwnQueue(
  context: Context,
  queue: StreamHandle & Partial<Pick<Queue, "device">>,
  subject = "queue",
): void {
  const own = context.device.ordinal;
  if (queue.device === undefined || queue.device === own) return;
  throw new BindingError(subject, `a stream of device ${own}`, `one of device ${queue.device}`);
}
