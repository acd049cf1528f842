import { DeviceError } from "@stowage/backend-api";
import { koffi } from "@stowage/host-plans";

/** The calls of the C library that executable memory needs; addresses are numbers. */
export interface Libc {
  readonly mmap: (
    address: number,
    length: number,
    protection: number,
    flags: number,
    file: number,
    offset: number,
  ) => number;
  readonly mprotect: (address: number, length: number, protection: number) => number;
  readonly memfd_create: (name: string, flags: number) => number;
  readonly ftruncate: (file: number, length: number) => number;
  readonly close: (file: number) => number;
  readonly munmap: (address: number, length: number) => number;
  readonly madvise: (address: number, length: number, advice: number) => number;
  /** Makes every thread of the process execute a serialising instruction; undefined where the system cannot. */
  readonly serialiseThreads: (() => void) | undefined;
  /** Has `code(argument)` called when the calling thread ends. */
  readonly atThreadExit: (code: number, argument: number, object: number) => number;
  readonly munmapAddress: number;
  readonly memcpy: (target: number, source: Uint8Array, length: number) => number;
}

let bound: Libc | undefined;

/** Throws a DeviceError where the C library cannot be loaded. */
export function libc(): Libc {
  bound ??= bind();
  return bound;
}

function bind(): Libc {
  const native = koffi();
  try {
    const library = native.load("libc.so.6");
    return {
      mmap: library.func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)") as Libc["mmap"],
      mprotect: library.func("int mprotect(uintptr_t, size_t, int)") as Libc["mprotect"],
      memfd_create: library.func("int memfd_create(const char *, unsigned int)") as Libc["memfd_create"],
      ftruncate: library.func("int ftruncate(int, int64_t)") as Libc["ftruncate"],
      close: library.func("int close(int)") as Libc["close"],
      munmap: library.func("int munmap(uintptr_t, size_t)") as Libc["munmap"],
      madvise: library.func("int madvise(uintptr_t, size_t, int)") as Libc["madvise"],
      serialiseThreads: serialiser(library.func("long syscall(long, int, unsigned int, int)") as SystemCall),
      atThreadExit: library.func(
        "int __cxa_thread_atexit_impl(uintptr_t, uintptr_t, uintptr_t)",
      ) as Libc["atThreadExit"],
      munmapAddress: Number(koffi().address(library.symbol("munmap", "void *"))),
      memcpy: library.func("uintptr_t memcpy(uintptr_t, const void *, size_t)") as Libc["memcpy"],
    };
  } catch (cause) {
    throw new DeviceError("koffi.load: expected the C library libc.so.6, got none", { cause });
  }
}

type SystemCall = (number: number, command: number, flags: number, processor: number) => number;

// membarrier(2); Linux 4.16 has both commands, for compilers that write code while threads run.
const SYS_MEMBARRIER = 324;
const QUERY = 0;
const PRIVATE_EXPEDITED_SYNC_CORE = 32;
const REGISTER_PRIVATE_EXPEDITED_SYNC_CORE = 64;

/**
 * Registers the process when it is first needed: that waits for every processor, 5 to 8 ms where several threads live.
 */
function serialiser(call: SystemCall): (() => void) | undefined {
  const known = call(SYS_MEMBARRIER, QUERY, 0, 0);
  if (known < 0 || (known & PRIVATE_EXPEDITED_SYNC_CORE) === 0) return undefined;
  let registered = false;
  return () => {
    if (!registered) check("membarrier", call(SYS_MEMBARRIER, REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) !== 0);
    registered = true;
    check("membarrier", call(SYS_MEMBARRIER, PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) !== 0);
  };
}

/** Throws a DeviceError where a call of the C library failed. */
export function check(call: string, failed: boolean): void {
  if (failed) throw new DeviceError(`${call}: expected success, got errno ${koffi().errno()}`);
}
