import { BindingError, isAddressSpace, type Binding, type Buffer, type Memory } from "@stowage/backend-api";
import { describePointer, type Context } from "@stowage/cuda-driver";

/**
 * What only the driver knows of a binding's memory: whether its address is allocated at all, of which kind, on which
 * device, and how far it reaches: a kernel that finds out loses the device to the whole process. Throws a BindingError;
 * asks nothing of ranges that move no byte, nor of memory that the backend's own driver object allocated.
 */
export function checkPointers(context: Context, i: number, { source, target, length }: Binding): void {
  if (length === 0) return;
  checkMemory(context, "source", i, source.memory);
  checkMemory(context, "target", i, target.memory);
}

/** Checks the memory of one side of move i as checkPointers does. */
export function checkMemory(context: Context, side: "source" | "target", i: number, memory: Memory): void {
  if (!isAddressSpace(memory)) checkBuffer(context, side, i, memory);
  else for (const { buffer } of memory.regions) checkBuffer(context, side, i, buffer);
}

function checkBuffer(context: Context, side: string, i: number, buffer: Buffer): void {
  const { kind, address, sizeBytes } = buffer;
  if (address === undefined) throw new BindingError(`${side} of move ${i}`, `${kind} memory with an address`, "none");
  if (sizeBytes === 0) return;
  const known = context.allocations.holding(address, sizeBytes);
  if (known !== undefined && known.kind === kind && context.reaches(known.device)) return;
  askDriver(context, `${side} of move ${i}`, kind, address, sizeBytes);
}

function askDriver(context: Context, subject: string, kind: Buffer["kind"], address: number, sizeBytes: number): void {
  const facts = describePointer(context, address);
  if (facts.kind !== kind) {
    const what = facts.kind === "host" ? "an address that no allocation of the driver holds" : `${facts.kind} memory`;
    throw new BindingError(subject, `${kind} memory at 0x${address.toString(16)}`, what);
  }
  if (kind === "device" && facts.device !== undefined && !context.reaches(facts.device)) {
    const { ordinal } = context.device;
    throw new BindingError(subject, `memory that device ${ordinal} reaches`, `memory of device ${facts.device}`);
  }
  if (facts.startAddress === undefined || facts.sizeBytes === undefined) return;
  const leftBytes = facts.startAddress + facts.sizeBytes - address;
  if (leftBytes < sizeBytes) throw new BindingError(subject, `${sizeBytes} bytes allocated`, `${leftBytes}`);
}
