import { cellsOf, expectedScatter, type Elements } from "@stowage/bench";
import type { Side } from "./side.js";
import { transposeOf } from "./transpose.js";

/** What two ranks exchange again and again, as DDTBench does: a message there and back, or an all-to-all (FFT2). */
export interface Exchange {
  readonly workload: string;
  readonly pattern: "ping-pong" | "all-to-all";
  /** Packed bytes of one message. */
  readonly packedBytes: number;
  readonly count: number;
  readonly out: Side;
  /** Rank 1 of a ping-pong sends back from here what it received here. */
  readonly into: Side;
  /** What `into` holds once it has received, after `clear`. */
  readonly expected: Uint8Array;
}

const CANARY = 0xa5;

/** Overwrites what was received. */
export const clear = ({ into }: Exchange): void => void into.memory.fill(CANARY);

/** A message of these elements from rank 0 to rank 1, and back. */
export function pingPongOf({ name, datatype, count }: Elements, rank: number): Exchange {
  const [, cell] = cellsOf(name, datatype, count) as readonly [unknown, ReturnType<typeof cellsOf>[number]];
  const { originBytes, packedBytes } = cell;
  const side = (memory: Uint8Array): Side => ({ name, datatype, count, memory, originBytes });
  const into = side(new Uint8Array(cell.pattern.sizeBytes).fill(CANARY));
  const out = rank === 0 ? side(cell.scattered) : into;
  const expected = expectedScatter(cell, CANARY);
  return { workload: name, pattern: "ping-pong", packedBytes, count, out, into, expected };
}

/** The exchange of FFT2's transpose: columns go, rows arrive. */
export function allToAllOf(columns: Elements, rows: Elements, rank: number): Exchange {
  const { out, into, expected, packedBytes } = transposeOf(columns, rows, rank);
  const workload = `${columns.name}, ${rows.name}`;
  return { workload, pattern: "all-to-all", packedBytes, count: 1, out, into, expected };
}
