import { RECORD_NUMBERS } from "./launch-record.js";
import { MAILBOX_RECORD } from "./mailbox.js";

/** What calls machine code. */
export interface Launcher {
  /** Calls the record in the mailbox. A method of its class, so that V8 tells the callees of several backends apart. */
  launch(): void;
  /** Calls `count` > 0 records at an address; they are the caller's to keep. */
  callAll(recordsAddress: number, count: number): void;
}

/** Calls one record: its RECORD_NUMBERS numbers. */
export function callRecord(launcher: Launcher, numbers: ArrayLike<number>): void {
  for (let i = 0; i < RECORD_NUMBERS; i++) RECORD[i] = numbers[i] as number;
  launcher.launch();
}

/** A constant of this module: V8 knows its address when it compiles what writes it. */
const RECORD = MAILBOX_RECORD;
