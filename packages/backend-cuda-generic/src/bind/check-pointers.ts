import { BindingError, isAddressSpace, type Binding, type Buffer, type Span } from "@stowage/backend-api";
import { describePointer, type Context } from "@stowage/cuda-driver";

/**
 * What only the driver knows of a binding's memory: whether its address is allocated at all, of which kind, on which
 * device, and how far it reaches. Throws a BindingError; asks nothing of ranges that move no byte.
 */
export function checkPointers(context: Context, index: number, binding: Binding): void {
  if (binding.length === 0) return;
  checkSpan(context, `source of move ${index}`, binding.source);
  checkSpan(context, `target of move ${index}`, binding.target);
}

function checkSpan(context: Context, subject: string, { memory }: Span): void {
  const buffers = isAddressSpace(memory) ? memory.regions.map((region) => region.buffer) : [memory];
  for (const buffer of buffers) checkBuffer(context, subject, buffer);
}

function checkBuffer(context: Context, subject: string, buffer: Buffer): void {
  const { kind, address, sizeBytes } = buffer;
  if (address === undefined) throw new BindingError(subject, `${kind} memory with an address`, "none");
  if (sizeBytes === 0) return;
  const facts = describePointer(context, address);
  if (facts.kind !== kind) {
    const what = facts.kind === "host" ? "an address that no allocation of the driver holds" : `${facts.kind} memory`;
    throw new BindingError(subject, `${kind} memory at 0x${address.toString(16)}`, what);
  }
  const own = context.device.ordinal;
  if (kind === "device" && facts.device !== undefined && facts.device !== own) {
    throw new BindingError(subject, `memory of device ${own}`, `memory of device ${facts.device}`);
  }
  if (facts.startAddress === undefined || facts.sizeBytes === undefined) return;
  const leftBytes = facts.startAddress + facts.sizeBytes - address;
  if (leftBytes < sizeBytes) throw new BindingError(subject, `${sizeBytes} bytes allocated`, `${leftBytes}`);
}
