import { RECORD_NUMBERS } from "./launch-record.js";

/**
 * What calls machine code: an argument costs a call 12 ns, a store to memory that the code reads costs 1, so launches
 * take none.
 */
export interface Launcher {
  /** The launch record that `launch` calls, for its caller to write. */
  readonly record: Float64Array;
  /** A method of its class, so that V8 tells the callees of several backends apart. */
  launch(): void;
  /** Calls `count` > 0 records at an address; they are the caller's to keep. */
  callAll(recordsAddress: number, count: number): void;
}

/** Calls one record: its RECORD_NUMBERS numbers. */
export function callRecord(launcher: Launcher, numbers: ArrayLike<number>): void {
  const { record } = launcher;
  for (let i = 0; i < RECORD_NUMBERS; i++) record[i] = numbers[i] as number;
  launcher.launch();
}
