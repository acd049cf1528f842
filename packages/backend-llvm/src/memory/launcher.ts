import { koffi, MAILBOX, mailboxRecordAddress, type Launcher } from "@stowage/host-plans";

let prototype: ReturnType<ReturnType<typeof koffi>["proto"]> | undefined;

/** Calls the function of an artifact that calls every record which the mailbox names: its own, but within callAll. */
export class LlvmLauncher implements Launcher {
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
    MAILBOX[0] = recordsAddress;
    MAILBOX[1] = count;
    this.#launch();
    nameOwnRecord();
  }
}

let ownAddress = 0;

function nameOwnRecord(): void {
  ownAddress ||= Number(mailboxRecordAddress());
  MAILBOX[0] = ownAddress;
  MAILBOX[1] = 1;
}
