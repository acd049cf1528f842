/// <reference lib="esnext.disposable" preserve="true" />
export { HostKernel, type HeldCode, type KernelParts } from "./host-kernel.js";
export { koffi } from "./koffi.js";
export { RECORD_NUMBERS, type LaunchRecord } from "./launch-record.js";
export { callRecord, type Launcher } from "./launcher.js";
export { MAILBOX, MAILBOX_RECORD, mailboxAddress, mailboxRecordAddress } from "./mailbox.js";
export { launchesOf, type Codes } from "./launches-of.js";
export { MoveCode, type FullCode } from "./move-code.js";
export type { Launch, PlanSharing, Sharing } from "./sharing.js";
