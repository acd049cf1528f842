import { koffi, RECORD_NUMBERS, type Launcher } from "@stowage/host-plans";

/** Numbers of the mailbox before its own record: the address of the records to call, and how many there are. */
const HEADING_NUMBERS = 2;

/** Where code finds what it is to move. One a thread of JavaScript, for all artifacts. */
const mailbox = new Float64Array(HEADING_NUMBERS + RECORD_NUMBERS);
const record = mailbox.subarray(HEADING_NUMBERS);

export const mailboxAddress = (): bigint => koffi().address(mailbox);

let prototype: ReturnType<ReturnType<typeof koffi>["proto"]> | undefined;

/** Calls the function of an artifact that calls every record which the mailbox names. */
export class LlvmLauncher implements Launcher {
  readonly record = record;
  readonly launch: () => void;
  readonly #launchAll: () => void;

  constructor(address: number) {
    prototype ??= koffi().proto("void stowage_llvm_launch()");
    const launchAll = koffi().decode(BigInt(address), prototype) as () => void;
    const recordAddress = Number(koffi().address(record));
    this.#launchAll = launchAll;
    this.launch = () => {
      mailbox[0] = recordAddress;
      mailbox[1] = 1;
      launchAll();
    };
  }

  callAll(recordsAddress: number, count: number): void {
    mailbox[0] = recordsAddress;
    mailbox[1] = count;
    this.#launchAll();
  }
}
