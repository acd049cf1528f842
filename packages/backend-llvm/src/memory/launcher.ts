import { koffi } from "./native.js";

/**
 * Numbers of a launch record: code, source, target, count, first, length. They are doubles, as JavaScript has them: each is
 * a safe integer, and writing one is a store where a 64-bit integer would need a BigInt.
 */
export const RECORD_NUMBERS = 6;
/** Numbers of the mailbox before its own record: the address of the records to call, and how many there are. */
const HEADING_NUMBERS = 2;

/**
 * Where code finds what it is to move: an argument costs a call 12 ns, a store to memory that the code reads costs 1. One a
 * thread of JavaScript, for all artifacts.
 */
const mailbox = new Float64Array(HEADING_NUMBERS + RECORD_NUMBERS);
let recordAddress = 0;

export function mailboxAddress(): number {
  const address = Number(koffi().address(mailbox));
  recordAddress = address + 8 * HEADING_NUMBERS;
  return address;
}

let prototype: ReturnType<ReturnType<typeof koffi>["proto"]> | undefined;

/** The function of an artifact that calls every record which the mailbox names. */
export type Launch = () => void;

export function launchAt(address: number): Launch {
  prototype ??= koffi().proto("void stowage_llvm_launch()");
  return koffi().decode(BigInt(address), prototype) as Launch;
}

/** Calls code of the artifact signature. */
export function callOne(
  launch: Launch,
  code: number,
  source: number,
  target: number,
  count: number,
  first: number,
  length: number,
): void {
  mailbox[0] = recordAddress;
  mailbox[1] = 1;
  mailbox[2] = code;
  mailbox[3] = source;
  mailbox[4] = target;
  mailbox[5] = count;
  mailbox[6] = first;
  mailbox[7] = length;
  launch();
}

/** Calls `count` > 0 records at an address; they are the caller's to keep. */
export function callAll(launch: Launch, recordsAddress: number, count: number): void {
  mailbox[0] = recordsAddress;
  mailbox[1] = count;
  launch();
}
