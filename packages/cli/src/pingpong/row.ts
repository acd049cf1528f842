import type { Machine, Times } from "@stowage/bench";
import type { Exchange } from "./exchange.js";

export const PING_PONG_SCHEMA = "stowage-ping-pong/1";

/** One contender on one exchange; times are of a message there and back, or of one all-to-all. */
export interface PingPongRow extends Times {
  readonly workload: string;
  readonly pattern: Exchange["pattern"];
  readonly count: number;
  /** Packed bytes of one message. */
  readonly packedBytes: number;
  readonly mpi: string;
  readonly contender: string;
  /** How rank 0's messages travelled, where the bridge chose. */
  readonly route?: string;
  /** What did not hold what it must is not written. */
  readonly verified: true;
}

export interface PingPongResults {
  readonly schema: typeof PING_PONG_SCHEMA;
  readonly command: string;
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly rows: readonly PingPongRow[];
}
