import type { Completion, Plan, Queue, Span } from "@stowage/backend-api";
import type { Datatype } from "@stowage/ir";

/** The direction of a move with one dense side. */
export type PackDirection = "pack" | "unpack";

/** What a contender made of a datatype for one direction; the time to make it is its commit time. */
export interface CommittedType extends Disposable {
  /** Binds all of `count` elements to memory, once for many runs. */
  plan(source: Span, target: Span, count: number): Plan;
  /** The public call, as an application makes it: it checks, binds and runs. Absent for contenders that have none. */
  call?(source: ArrayBufferView | Span, target: ArrayBufferView | Span, count: number, queue?: Queue): Completion;
}

/** Commits a datatype afresh: nothing may be found in a cache of an earlier commit. */
export type Commit = (datatype: Datatype, direction: PackDirection) => CommittedType;
