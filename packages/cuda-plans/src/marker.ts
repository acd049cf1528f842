import type { Completion } from "@stowage/backend-api";
import type { StreamHandle } from "@stowage/cuda-driver";

/** Marks the ends of runs. */
export interface Marker extends Disposable {
  /** Marks the end of what the queue holds now. */
  record(queue: StreamHandle): Completion;
  /** Returns when all that was marked is over. */
  wait(): void;
}
