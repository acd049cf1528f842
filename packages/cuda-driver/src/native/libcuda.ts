import type { LibraryHandle } from "koffi";
import type { Calls, Libcuda } from "../calls.js";
import { CALL_REQUIRES_NEWER_DRIVER } from "../results.js";
import { koffi } from "./koffi.js";
import { PROTOTYPES } from "./prototypes.js";

type Call = (...args: never[]) => number;

let isDeclared = false;

/** CUipcMemHandle and CUipcEventHandle are both 64 bytes, passed by value. A name is declared once a process. */
function declareHandle(): void {
  if (!isDeclared) koffi().struct("StowageIpcHandle", { reserved: koffi().array("uint8_t", 64, "Typed") });
  isDeclared = true;
}

/**
 * Binds libcuda.so.1, the driver's own library; no toolkit is needed. A call that this driver does not export
 * returns CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER. Throws where the library cannot be loaded.
 */
export function nativeLibcuda(path = "libcuda.so.1"): Libcuda {
  declareHandle();
  const library = koffi().load(path);
  const names = Object.keys(PROTOTYPES) as (keyof Calls)[];
  // The FFI edge: PROTOTYPES has a row for each of Calls, so the record is complete.
  const calls = Object.fromEntries(names.map((name) => [name, bind(library, name)])) as unknown as Calls;
  return Object.assign(byValueHandles(calls), {
    errorName: resultString(library, "cuGetErrorName"),
    errorText: resultString(library, "cuGetErrorString"),
    rendered: () => undefined,
    addressOf: (view: ArrayBufferView) => Number(koffi().address(view)),
    bytesAt: (address: number, sizeBytes: number) => new Uint8Array(koffi().view(address, sizeBytes)),
  });
}

function bind(library: LibraryHandle, name: keyof Calls): Call {
  try {
    return library.func(`int ${name}(${PROTOTYPES[name]})`);
  } catch {
    return () => CALL_REQUIRES_NEWER_DRIVER;
  }
}

/** IPC handles travel as 64 bytes in our calls and as a structure in C's. */
function byValueHandles(calls: Calls): Calls {
  const { cuIpcOpenMemHandle_v2: openMemory, cuIpcOpenEventHandle: openEvent } = calls;
  const structure = (handle: Uint8Array) => ({ reserved: handle }) as unknown as Uint8Array;
  calls.cuIpcOpenMemHandle_v2 = (address, handle, flags) => openMemory(address, structure(handle), flags);
  calls.cuIpcOpenEventHandle = (event, handle) => openEvent(event, structure(handle));
  return calls;
}

function resultString(library: LibraryHandle, name: string): (result: number) => string {
  const call = library.func(`int ${name}(int, _Out_ const char **)`);
  return (result) => {
    const text: (string | null)[] = [null];
    call(result, text);
    return text[0] ?? `CUDA result ${result}`;
  };
}
