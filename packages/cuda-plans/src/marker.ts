import type { Completion } from "@stowage/backend-api";
import type { StreamHandle } from "@stowage/cuda-driver";

/** Marks the ends of a plan's runs. */
export interface Marker extends Disposable {
  /** Marks the end of the work that the queue holds now. The completion tells when that work is done. */
  record(queue: StreamHandle): Completion;
  /** Waits until all that was marked is over. */
  wait(): void;
}
