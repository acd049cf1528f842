import type { Binding } from "@stowage/backend-api";
import type { Context, Launch, StreamHandle } from "@stowage/cuda-driver";

/** What a backend made of bindings: calls of the driver, ready to be sent again and again. */
export interface Work extends Disposable {
  /** Whether nothing is to be sent. */
  readonly empty: boolean;
  /** Addresses that differ by a multiple of this may be exchanged: 16 where words are chosen by alignment, else 1. */
  readonly congruentBytes: number;
  /** Whether what was sent reads device memory that goes with the work, so that its end must be waited for. */
  readonly readsOwnMemory: boolean;
  send(queue: StreamHandle): void;
  /**
   * Before work is sent to a capture: what it uploads in stream order is uploaded now. Absent where there is no such
   * thing.
   */
  settle?(): void;
  /** As send, to a capturing stream, when it was settled. Absent where send does. */
  sendCaptured?(queue: StreamHandle): void;
  /** The launches, where sending is nothing but running these in order. */
  readonly launches?: readonly Launch[] | undefined;
  /**
   * Gives move i other addresses of its sides' datatype address 0, for later runs. What was sent keeps its own. It
   * allocates nothing and asks the driver nothing.
   */
  readdress(i: number, sourceAddress: number, targetAddress: number): void;
}

/** How a plan is used, so far. */
export interface Usage {
  /** Whether moves are bound again: then addresses are better where they are cheap to exchange than cheap to read. */
  readonly rebound: boolean;
}

/** Makes work of bindings that have been checked. */
export type Prepare = (context: Context, bindings: readonly Binding[], usage: Usage) => Work;
