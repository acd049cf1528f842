import { int32, takeInt, takeWord, word64 } from "./cells.js";
import { DriverError, driverError, check, requireInUse } from "./check.js";
import type { ContextHandle } from "./context-handle.js";
import { Launch, type LaunchShape } from "./launch.js";
import { release } from "./release.js";
import { SUCCESS } from "./results.js";

// CUjit_option, cuda.h 13.0.
const [ERROR_LOG_BUFFER, ERROR_LOG_BUFFER_BYTES] = [5, 6];
const LOG_BYTES = 8192;
// CUfunction_attribute.
const ATTRIBUTE = { staticSharedBytes: 1, localBytes: 3, registers: 4, dynamicSharedBytes: 8 } as const;

/** PTX that the driver compiled (it keeps the result on disk) and loaded into a context. */
export class Module {
  /** The context that it was loaded into. */
  readonly context: ContextHandle;
  readonly #handle: number;
  readonly #kernels = new Map<string, LoadedKernel>();
  #disposed = false;

  /** Throws a DriverError with the compiler's own log where the driver refuses the text. */
  constructor(context: ContextHandle, ptx: string) {
    this.context = context;
    context.enter();
    this.#handle = load(context, ptx);
  }

  /** The CUmodule, as a number. Throws a DriverError after the module, or its context, was disposed of. */
  get handle(): number {
    requireInUse("module", this.#disposed || this.context.disposed);
    return this.#handle;
  }

  /** Finds an entry of the module by its name. Throws a DriverError where there is none. */
  kernel(name: string): LoadedKernel {
    const known = this.#kernels.get(name);
    if (known !== undefined) return known;
    const { libcuda } = this.context;
    this.context.enter();
    const result = libcuda.cuModuleGetFunction(word64, this.handle, terminated(name));
    check(libcuda, "cuModuleGetFunction", result, `expected an entry named ${name}`);
    const kernel = new LoadedKernel(this.context, name, takeWord());
    this.#kernels.set(name, kernel);
    return kernel;
  }

  /** Unloads it. No kernel of it may be running. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    release(this.context, "cuModuleUnload", () => this.context.libcuda.cuModuleUnload(this.#handle));
  }
}

/** An entry of a module. Lives as long as its module. */
export class LoadedKernel {
  /** The context that it was loaded into. */
  readonly context: ContextHandle;
  /** The name of its entry in the PTX. */
  readonly name: string;
  /** The CUfunction, as a number. */
  readonly handle: number;

  /** Names a CUfunction; `Module.kernel` is the usual way. */
  constructor(context: ContextHandle, name: string, handle: number) {
    this.context = context;
    this.name = name;
    this.handle = handle;
  }

  /**
   * How many registers a thread has, and how many bytes of local memory (a thread) and of static shared memory (a
   * block), as the driver compiled the kernel.
   */
  resources(): { readonly registers: number; readonly localBytes: number; readonly staticSharedBytes: number } {
    return {
      registers: this.#attribute(ATTRIBUTE.registers),
      localBytes: this.#attribute(ATTRIBUTE.localBytes),
      staticSharedBytes: this.#attribute(ATTRIBUTE.staticSharedBytes),
    };
  }

  /**
   * Lets blocks have more dynamic shared memory than the 48 KiB that every kernel may have: up to `sharedBytes`. Throws
   * a DriverError past the device's maximum.
   */
  allowSharedBytes(sharedBytes: number): void {
    const { libcuda } = this.context;
    const result = libcuda.cuFuncSetAttribute(this.handle, ATTRIBUTE.dynamicSharedBytes, sharedBytes);
    check(libcuda, "cuFuncSetAttribute", result, `expected at most ${this.context.device.sharedBytesPerBlock} bytes`);
  }

  /**
   * How many blocks of `threads` threads and `sharedBytes` bytes of dynamic shared memory fit on one multiprocessor at
   * a time.
   */
  blocksPerMultiprocessor(threads: number, sharedBytes = 0): number {
    const { libcuda } = this.context;
    const call = "cuOccupancyMaxActiveBlocksPerMultiprocessor";
    check(libcuda, call, libcuda[call](int32, this.handle, threads, sharedBytes));
    return takeInt();
  }

  /**
   * Makes a launch of this kernel, with room for `parametersBytes` bytes of packed parameters. Throws a DriverError for
   * a shape that is none.
   */
  launch(parametersBytes: number, shape: LaunchShape): Launch {
    return new Launch(this.context, this.handle, parametersBytes, shape);
  }

  #attribute(attribute: number): number {
    const { libcuda } = this.context;
    check(libcuda, "cuFuncGetAttribute", libcuda.cuFuncGetAttribute(int32, attribute, this.handle));
    return takeInt();
  }
}

function load(context: ContextHandle, ptx: string): number {
  const { libcuda } = context;
  const log = new Uint8Array(new ArrayBuffer(LOG_BYTES));
  const names = new Int32Array([ERROR_LOG_BUFFER, ERROR_LOG_BUFFER_BYTES]);
  const values = new BigUint64Array([BigInt(libcuda.addressOf(log)), BigInt(LOG_BYTES)]);
  const result = libcuda.cuModuleLoadDataEx(word64, terminated(ptx), names.length, names, values);
  if (result === SUCCESS) return takeWord();
  const text = logText(log);
  const refused = driverError(libcuda, "cuModuleLoadDataEx", result);
  if (text === "") throw refused;
  throw new DriverError(refused.call, result, `${refused.message.slice(refused.call.length + 2)}; compiler: ${text}`);
}

/** The log on one line. */
function logText(log: Uint8Array): string {
  const end = log.indexOf(0);
  const text = new TextDecoder().decode(log.subarray(0, end < 0 ? log.length : end));
  return text.trim().replaceAll(/\s*\n\s*/g, "; ");
}

const terminated = (text: string): Uint8Array => new TextEncoder().encode(`${text}\0`);
