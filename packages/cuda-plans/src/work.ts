import type { Binding } from "@stowage/backend-api";
import type { Context, Launch, StreamHandle } from "@stowage/cuda-driver";

/** What a backend made of bindings: calls of the driver, ready to be sent again and again. */
export interface Work extends Disposable {
  /** Whether nothing is to be sent. */
  readonly empty: boolean;
  /**
   * Addresses that differ by a multiple of so many bytes may be exchanged: 16 where words are chosen by alignment, else
   * 1.
   */
  readonly congruentBytes: number;
  /** Whether runs read device memory that goes with the work, so that their end must be waited for. */
  readonly readsOwnMemory: boolean;
  /** Sends the work to a queue. Throws a DriverError where the driver fails. */
  send(queue: StreamHandle): void;
  /**
   * Uploads now what is otherwise uploaded in stream order, before the work is sent to a capture. Absent where there is
   * no such thing.
   */
  settle?(): void;
  /** Sends the work to a capturing stream, after it was settled. Absent where `send` does. */
  sendCaptured?(queue: StreamHandle): void;
  /** The launches, where sending is nothing but running these in order. */
  readonly launches?: readonly Launch[] | undefined;
  /**
   * Gives move i other addresses of its sides' datatype address 0, for later runs. Runs that were sent keep theirs. It
   * allocates nothing and asks the driver nothing.
   */
  readdress(i: number, sourceAddress: number, targetAddress: number): void;
}

/** How a plan has been used so far. */
export interface Usage {
  /**
   * Whether moves are bound again: then addresses are better where they are cheap to exchange than where they are cheap
   * to read.
   */
  readonly rebound: boolean;
}

/** Makes work of bindings that have been checked. Throws a DriverError where the driver fails. */
export type Prepare = (context: Context, bindings: readonly Binding[], usage: Usage) => Work;
