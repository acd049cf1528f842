import { koffi } from "./koffi.js";
import { RECORD_NUMBERS } from "./launch-record.js";

/** Numbers before the record: the address of the records to call, and how many there are. */
export const HEADING_NUMBERS = 2;

/**
 * Eight doubles by which code is told what to move: the address of records to call and their number, then one record.
 * An argument costs a call 12 ns, a store to memory that the code reads costs 1, so launches take none. There is one
 * mailbox a thread of JavaScript, for all backends: V8 compiles a store to an array that is always the same to a store
 * to its address.
 */
export const MAILBOX = new Float64Array(new ArrayBuffer(8 * (HEADING_NUMBERS + RECORD_NUMBERS)));

/** The record in the mailbox that `Launcher.launch` calls: RECORD_NUMBERS doubles. */
export const MAILBOX_RECORD = MAILBOX.subarray(HEADING_NUMBERS);

/** The address of the mailbox, for code that reads it. Throws a DeviceError where koffi cannot be loaded. */
export const mailboxAddress = (): bigint => koffi().address(MAILBOX);

/** The address of the mailbox's record. Throws as mailboxAddress does. */
export const mailboxRecordAddress = (): bigint => koffi().address(MAILBOX_RECORD);
