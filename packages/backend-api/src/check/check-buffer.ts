import type { Buffer } from "../memory.js";
import type { BufferOrigin } from "../reach.js";
import { refuse, type Side } from "./side.js";

/** Whether a buffer is there, is of the kind declared, and keeps the alignment declared. */
export function checkBuffer(side: Side, { buffer, originBytes }: BufferOrigin): void {
  if (buffer.kind !== side.kind) refuse(side, `${side.kind} memory`, `${buffer.kind} memory`);
  checkAddress(side, buffer);
  if (buffer.bytes !== undefined && buffer.bytes.byteLength < buffer.sizeBytes) {
    refuse(side, `a view of ${buffer.sizeBytes} bytes`, `${buffer.bytes.byteLength}: detached, or shrunk since`);
  }
  checkAlignment(side, buffer, originBytes);
}

function checkAddress(side: Side, { kind, address, bytes }: Buffer): void {
  if (address !== undefined) {
    if (!Number.isSafeInteger(address) || address <= 0) refuse(side, "an address above 0", String(address));
  } else if (kind === "device") refuse(side, "the address of device memory", "none");
  else if (bytes === undefined) refuse(side, "bytes or an address", "neither");
}

/** A view's offset stands for its address: an ArrayBuffer starts as aligned as anything in it can ask for. */
function checkAlignment(side: Side, { address, bytes }: Buffer, originBytes: number): void {
  const startBytes = address ?? bytes?.byteOffset ?? 0;
  if ((startBytes + originBytes) % side.alignment === 0) return;
  const what = address === undefined ? "byte offset" : "address";
  refuse(side, `its origin aligned to ${side.alignment} bytes`, `${what} ${startBytes + originBytes}`);
}
