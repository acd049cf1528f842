import type { LibraryHandle } from "koffi";
import { koffi } from "./native.js";
import { PROTOTYPES } from "./prototypes.js";

/** An address that LLVM gave, or 0. */
export type Handle = number;
type Out = [Handle];

/** PROTOTYPES, as TypeScript sees them. */
export interface Calls {
  LLVMContextCreate(): Handle;
  LLVMContextDispose(context: Handle): void;
  LLVMCreateMemoryBufferWithMemoryRangeCopy(data: Uint8Array, length: number, name: string): Handle;
  LLVMGetBufferStart(buffer: Handle): number;
  LLVMGetBufferSize(buffer: Handle): number;
  LLVMDisposeMemoryBuffer(buffer: Handle): void;
  LLVMDisposeMessage(message: Handle): void;
  LLVMParseIRInContext(context: Handle, buffer: Handle, module: Out, message: Out): number;
  LLVMDisposeModule(module: Handle): void;
  LLVMPrintModuleToString(module: Handle): Handle;
  LLVMSetTarget(module: Handle, triple: string): void;
  LLVMSetDataLayout(module: Handle, layout: string): void;
  LLVMVerifyModule(module: Handle, action: number, message: Out): number;
  LLVMGetDefaultTargetTriple(): Handle;
  LLVMGetTargetFromTriple(triple: string, target: Out, message: Out): number;
  LLVMCreateTargetMachine(
    target: Handle,
    triple: string,
    cpu: string,
    features: string,
    level: number,
    relocation: number,
    model: number,
  ): Handle;
  LLVMDisposeTargetMachine(machine: Handle): void;
  LLVMCreateTargetDataLayout(machine: Handle): Handle;
  LLVMCopyStringRepOfTargetData(layout: Handle): Handle;
  LLVMDisposeTargetData(layout: Handle): void;
  LLVMTargetMachineEmitToMemoryBuffer(machine: Handle, module: Handle, kind: number, message: Out, buffer: Out): number;
  LLVMCreatePassBuilderOptions(): Handle;
  LLVMDisposePassBuilderOptions(options: Handle): void;
  LLVMRunPasses(module: Handle, passes: string, machine: Handle, options: Handle): Handle;
  LLVMGetErrorMessage(error: Handle): Handle;
  LLVMDisposeErrorMessage(message: Handle): void;
  LLVMOrcCreateLLJIT(jit: Out, builder: Handle): Handle;
  LLVMOrcDisposeLLJIT(jit: Handle): Handle;
  LLVMOrcLLJITGetMainJITDylib(jit: Handle): Handle;
  LLVMOrcLLJITAddObjectFile(jit: Handle, dylib: Handle, buffer: Handle): Handle;
  LLVMOrcLLJITLookup(jit: Handle, address: Out, name: string): Handle;
}

/** Every call of a library; throws where it lacks one. */
export function bindCalls(library: LibraryHandle): Calls {
  const bound = Object.entries(PROTOTYPES).map(([name, prototype]) => [name, library.func(prototype)]);
  // The FFI edge: PROTOTYPES has a row for each of Calls, so the record is complete.
  return Object.fromEntries(bound) as Calls;
}

/** The text at an address, up to its end; it stays LLVM's. */
export const textAt = (address: Handle): string =>
  address === 0 ? "" : (koffi().decode(BigInt(address), "char", -1) as string);

/** The text of a message, which is given back to LLVM. */
export function takeMessage(calls: Calls, message: Handle): string {
  const text = textAt(message);
  if (message !== 0) calls.LLVMDisposeMessage(message);
  return text;
}

/** The text of an LLVMErrorRef, which is gone then; undefined where there was none. */
export function takeError(calls: Calls, error: Handle): string | undefined {
  if (error === 0) return undefined;
  const message = calls.LLVMGetErrorMessage(error);
  const text = textAt(message);
  calls.LLVMDisposeErrorMessage(message);
  return text;
}

/** A copy of a buffer's bytes, and the buffer disposed of. */
export function takeBuffer(calls: Calls, buffer: Handle): Uint8Array<ArrayBuffer> {
  const size = calls.LLVMGetBufferSize(buffer);
  const bytes = new Uint8Array(koffi().view(BigInt(calls.LLVMGetBufferStart(buffer)), size)).slice();
  calls.LLVMDisposeMemoryBuffer(buffer);
  return bytes;
}

/** LLVM's own copy of some bytes; who takes the buffer disposes of it. */
export const giveBuffer = (calls: Calls, bytes: Uint8Array, name: string): Handle =>
  calls.LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, bytes.length, name);
