import { giveBuffer, takeError, type Calls, type Handle } from "./calls.js";
import { LlvmError } from "./llvm-error.js";

/**
 * Object files of the host, linked into this process by ORC's LLJIT; they go when it is disposed of. Calls throw an
 * LlvmError then.
 */
export class Jit implements Disposable {
  readonly #calls: Calls;
  #jit: Handle;

  constructor(calls: Calls) {
    this.#calls = calls;
    const jit: [Handle] = [0];
    this.#check("ORC's LLJIT", "one for the host", calls.LLVMOrcCreateLLJIT(jit, 0));
    this.#jit = jit[0];
  }

  /** Adds the definitions of an object file. Throws an LlvmError where it is none of the host. */
  add(object: Uint8Array): void {
    const dylib = this.#calls.LLVMOrcLLJITGetMainJITDylib(this.#handle());
    const buffer = giveBuffer(this.#calls, object, "object");
    this.#check("object file", "one of the host", this.#calls.LLVMOrcLLJITAddObjectFile(this.#jit, dylib, buffer));
  }

  /** The address of a symbol; its code is linked now, at the latest. Throws an LlvmError where nothing defines it. */
  lookup(name: string): number {
    const address: [number] = [0];
    this.#check(`symbol ${name}`, "a definition", this.#calls.LLVMOrcLLJITLookup(this.#handle(), address, name));
    return address[0];
  }

  [Symbol.dispose](): void {
    if (this.#jit !== 0) takeError(this.#calls, this.#calls.LLVMOrcDisposeLLJIT(this.#jit));
    this.#jit = 0;
  }

  #handle(): Handle {
    if (this.#jit === 0) throw new LlvmError("LLJIT", "one in use", "a disposed one");
    return this.#jit;
  }

  #check(subject: string, expected: string, error: Handle): void {
    const text = takeError(this.#calls, error);
    if (text !== undefined) throw new LlvmError(subject, expected, text);
  }
}
