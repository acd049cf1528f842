import { koffi, RECORD_NUMBERS, type Launcher } from "@stowage/host-plans";

/** Numbers of the mailbox before its own record: the address of the records to call, and how many there are. */
const HEADING_NUMBERS = 2;

/** Where code finds what it is to move. One a thread of JavaScript, for all artifacts. */
const mailbox = new Float64Array(HEADING_NUMBERS + RECORD_NUMBERS);
const record = mailbox.subarray(HEADING_NUMBERS);

export const mailboxAddress = (): bigint => koffi().address(mailbox);

let prototype: ReturnType<ReturnType<typeof koffi>["proto"]> | undefined;

/** Calls the function of an artifact that calls every record which the mailbox names: its own, but within callAll. */
export class LlvmLauncher implements Launcher {
  readonly record = record;
  readonly #launch: () => void;

  constructor(address: number) {
    prototype ??= koffi().proto("void stowage_llvm_launch()");
    this.#launch = koffi().decode(BigInt(address), prototype) as () => void;
    nameOwnRecord();
  }

  launch(): void {
    this.#launch();
  }

  callAll(recordsAddress: number, count: number): void {
    mailbox[0] = recordsAddress;
    mailbox[1] = count;
    this.#launch();
    nameOwnRecord();
  }
}

let ownAddress = 0;

function nameOwnRecord(): void {
  ownAddress ||= Number(koffi().address(record));
  mailbox[0] = ownAddress;
  mailbox[1] = 1;
}
