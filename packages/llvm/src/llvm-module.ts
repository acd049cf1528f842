import { giveBuffer, takeError, takeMessage, type Calls, type Handle } from "./calls.js";
import { LlvmError } from "./llvm-error.js";
import type { TargetMachine } from "./target-machine.js";

/** LLVMReturnStatusAction: say what is wrong, and go on. */
const RETURN_STATUS = 2;

/** A module in a context of its own; both go when it is disposed of. Its calls throw an LlvmError then. */
export class LlvmModule implements Disposable {
  readonly #calls: Calls;
  readonly #context: Handle;
  #module: Handle = 0;

  constructor(calls: Calls, text: string, name: string) {
    this.#calls = calls;
    this.#context = calls.LLVMContextCreate();
    const [module, message]: [[Handle], [Handle]] = [[0], [0]];
    const bytes = new TextEncoder().encode(text);
    // The parser takes the buffer, whatever comes of it.
    const failed = calls.LLVMParseIRInContext(this.#context, giveBuffer(calls, bytes, name), module, message);
    if (failed === 0) this.#module = module[0];
    else {
      calls.LLVMContextDispose(this.#context);
      throw new LlvmError(`IR of ${name}`, "a module", takeMessage(calls, message[0]));
    }
  }

  /** The LLVMModuleRef, for calls of this package. Throws an LlvmError once the module is disposed of. */
  get handle(): Handle {
    if (this.#module === 0) throw new LlvmError("module", "one in use", "a disposed one");
    return this.#module;
  }

  /** Throws an LlvmError with what LLVM's verifier finds wrong. */
  verify(): void {
    const message: [Handle] = [0];
    const failed = this.#calls.LLVMVerifyModule(this.handle, RETURN_STATUS, message);
    const text = takeMessage(this.#calls, message[0]);
    if (failed !== 0) throw new LlvmError("module", "one that verifies", text);
  }

  /** Sets the target and its data layout, as passes and code generation need them. */
  setTarget(machine: TargetMachine): void {
    this.#calls.LLVMSetTarget(this.handle, machine.triple);
    this.#calls.LLVMSetDataLayout(this.handle, machine.dataLayout());
  }

  /**
   * Runs a pipeline of LLVM's passes over the module. `passes` is written as for `opt -passes=`: `default<O2>`,
   * `function(sroa,instcombine)`. Throws an LlvmError for a pipeline that LLVM does not know.
   */
  run(passes: string, machine: TargetMachine): void {
    const options = this.#calls.LLVMCreatePassBuilderOptions();
    const error = takeError(this.#calls, this.#calls.LLVMRunPasses(this.handle, passes, machine.handle, options));
    this.#calls.LLVMDisposePassBuilderOptions(options);
    if (error !== undefined) throw new LlvmError(`passes ${passes}`, "a pipeline of LLVM", error);
  }

  /** The text of the module in LLVM IR. */
  print(): string {
    return takeMessage(this.#calls, this.#calls.LLVMPrintModuleToString(this.handle));
  }

  [Symbol.dispose](): void {
    if (this.#module === 0) return;
    this.#calls.LLVMDisposeModule(this.#module);
    this.#calls.LLVMContextDispose(this.#context);
    this.#module = 0;
  }
}
