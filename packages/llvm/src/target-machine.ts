import { takeBuffer, takeMessage, type Calls, type Handle } from "./calls.js";
import { LlvmError } from "./llvm-error.js";

/** How far code generation goes: as -O0 to -O3 of a C compiler. */
export type OptimisationLevel = 0 | 1 | 2 | 3;

/** The processor that code is generated for. */
export interface TargetOptions {
  /** The target triple, such as aarch64-linux-gnu. */
  readonly triple: string;
  /** LLVM's name of a processor. Default: the target's most general one. */
  readonly cpu?: string;
  /** Features of the processor, such as "+avx2,-prefer-256-bit". */
  readonly features?: string;
  /** Level of code generation, 0 to 3. Default: 2. */
  readonly level?: OptimisationLevel;
}

/** What code is written of: an LlvmModule. */
interface Module {
  readonly handle: Handle;
}

/** LLVMRelocPIC, LLVMCodeModelSmall. */
const [POSITION_INDEPENDENT, SMALL_MODEL] = [2, 3];
const FILE_KINDS = { assembly: 0, object: 1 } as const;

/**
 * A processor that code is written for: position-independent, within 2 GiB. Its calls throw an LlvmError once it is
 * disposed of.
 */
export class TargetMachine implements Disposable {
  /** The target triple. */
  readonly triple: string;
  readonly #calls: Calls;
  #machine: Handle;

  constructor(calls: Calls, { triple, cpu = "", features = "", level = 2 }: TargetOptions) {
    this.#calls = calls;
    this.triple = triple;
    const target = targetOf(calls, triple);
    this.#machine = calls.LLVMCreateTargetMachine(
      target,
      triple,
      cpu,
      features,
      level,
      POSITION_INDEPENDENT,
      SMALL_MODEL,
    );
    if (this.#machine === 0) throw new LlvmError(`target ${triple}`, "a machine of LLVM's", "none");
  }

  /** The LLVMTargetMachineRef, for calls of this package. Throws an LlvmError once the machine is disposed of. */
  get handle(): Handle {
    if (this.#machine === 0) throw new LlvmError("target machine", "one in use", "a disposed one");
    return this.#machine;
  }

  /** The sizes and alignments of this target, as modules state them (LLVM Language Reference, "Data Layout"). */
  dataLayout(): string {
    const layout = this.#calls.LLVMCreateTargetDataLayout(this.handle);
    const text = takeMessage(this.#calls, this.#calls.LLVMCopyStringRepOfTargetData(layout));
    this.#calls.LLVMDisposeTargetData(layout);
    return text;
  }

  /**
   * The bytes of an object file of the module. It changes the module: emit each once. Throws an LlvmError where LLVM
   * writes none.
   */
  object(module: Module): Uint8Array<ArrayBuffer> {
    return this.#emit(module, "object");
  }

  /** The module's code as assembly text. It changes the module, and throws, as `object` does. */
  assembly(module: Module): string {
    return new TextDecoder().decode(this.#emit(module, "assembly"));
  }

  #emit(module: Module, kind: keyof typeof FILE_KINDS): Uint8Array<ArrayBuffer> {
    const [message, buffer]: [[Handle], [Handle]] = [[0], [0]];
    const calls = this.#calls;
    const failed = calls.LLVMTargetMachineEmitToMemoryBuffer(
      this.handle,
      module.handle,
      FILE_KINDS[kind],
      message,
      buffer,
    );
    const text = takeMessage(calls, message[0]);
    if (failed !== 0) throw new LlvmError(`${kind} file for ${this.triple}`, "code", text);
    return takeBuffer(calls, buffer[0]);
  }

  [Symbol.dispose](): void {
    if (this.#machine !== 0) this.#calls.LLVMDisposeTargetMachine(this.#machine);
    this.#machine = 0;
  }
}

function targetOf(calls: Calls, triple: string): Handle {
  const [target, message]: [[Handle], [Handle]] = [[0], [0]];
  const failed = calls.LLVMGetTargetFromTriple(triple, target, message);
  const text = takeMessage(calls, message[0]);
  if (failed !== 0) throw new LlvmError(`target ${triple}`, "one that this libLLVM has", text);
  return target[0];
}
