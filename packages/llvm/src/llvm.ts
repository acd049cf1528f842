import type { LibraryHandle } from "koffi";
import { bindCalls, takeMessage, type Calls } from "./calls.js";
import { findLibrary, type FoundLibrary } from "./find-library.js";
import { Jit } from "./jit.js";
import { LlvmError } from "./llvm-error.js";
import { LlvmModule } from "./llvm-module.js";
import { TargetMachine, type TargetOptions } from "./target-machine.js";

/** LLVM's names of the targets that are made known where the library has them. */
const TARGETS = ["X86", "AArch64", "RISCV", "PowerPC", "ARM", "SystemZ", "LoongArch"] as const;
const PARTS = ["TargetInfo", "Target", "TargetMC", "AsmPrinter"] as const;

/** A libLLVM in this process. It stays loaded: LLVM's libraries are not made to be unloaded. */
export class Llvm {
  /** The major version of the library. */
  readonly version: number;
  /** The name or path by which the loader found it. */
  readonly library: string;
  readonly #calls: Calls;

  /** Throws an LlvmError where the library lacks a call. */
  constructor({ library, version, name }: FoundLibrary) {
    this.version = version;
    this.library = name;
    try {
      this.#calls = bindCalls(library);
    } catch (cause) {
      const got = cause instanceof Error ? cause.message : String(cause);
      throw new LlvmError(`libLLVM ${version}`, "LLVM's C API", got, { cause });
    }
    for (const target of TARGETS) initialise(library, target);
  }

  /** The target triple that this library was built to run on. */
  get hostTriple(): string {
    return takeMessage(this.#calls, this.#calls.LLVMGetDefaultTargetTriple());
  }

  /** Parses the text of a module in LLVM IR; errors call it `name`. Throws an LlvmError with LLVM's own message. */
  parse(text: string, name = "module"): LlvmModule {
    return new LlvmModule(this.#calls, text, name);
  }

  /** Makes a target machine, which the caller disposes of. Throws an LlvmError where this LLVM has no such target. */
  targetMachine(options: TargetOptions): TargetMachine {
    return new TargetMachine(this.#calls, options);
  }

  /** Makes a linker of object files of the host into this process (ORC), which the caller disposes of. */
  jit(): Jit {
    return new Jit(this.#calls);
  }
}

let opened: Llvm | undefined;

/**
 * The libLLVM that the environment variable STOWAGE_LLVM names by its path, or the newest tried version that is
 * installed; loaded once. Throws an LlvmError: one line that says what to install.
 *
 * @example
 * ```typescript
 * const llvm = openLlvm();
 * using machine = llvm.targetMachine({ triple: llvm.hostTriple });
 * using module = llvm.parse("define i32 @answer() {\n  ret i32 42\n}");
 * module.setTarget(machine);
 * module.run("default<O2>", machine);
 * using jit = llvm.jit();
 * jit.add(machine.object(module));
 * jit.lookup("answer"); // the address of the code
 * ```
 */
export function openLlvm(): Llvm {
  return (opened ??= new Llvm(findLibrary(process.env["STOWAGE_LLVM"] || undefined)));
}

/** A library that was built without a target has none of its calls. */
function initialise(library: LibraryHandle, target: string): void {
  for (const part of PARTS) {
    try {
      (library.func(`void LLVMInitialize${target}${part}()`) as () => void)();
    } catch {
      return;
    }
  }
}
