import { RECORD_NUMBERS } from "./launch-record.js";
import { MAILBOX_RECORD } from "./mailbox.js";

/** What calls machine code. */
export interface Launcher {
  /** Calls the record in the mailbox. A method of its class, so that V8 tells the callees of several backends apart. */
  launch(): void;
  /** Calls `count` records, one or more, which lie one after another at an address; the caller keeps them alive. */
  callAll(recordsAddress: number, count: number): void;
}

/** Calls one record, given as its RECORD_NUMBERS numbers in the order of LaunchRecord. */
export function callRecord(launcher: Launcher, numbers: ArrayLike<number>): void {
  for (let i = 0; i < RECORD_NUMBERS; i++) RECORD[i] = numbers[i] as number;
  launcher.launch();
}

/** A constant of this module: V8 knows its address when it compiles what writes it. */
const RECORD = MAILBOX_RECORD;
