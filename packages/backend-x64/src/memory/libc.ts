import { DeviceError } from "@stowage/backend-api";
import koffi from "koffi";

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
  readonly memcpy: (target: number, source: Uint8Array, length: number) => number;
}

let bound: Libc | undefined;

/** Throws a DeviceError where the C library cannot be loaded. */
export function libc(): Libc {
  bound ??= bind();
  return bound;
}

function bind(): Libc {
  try {
    const library = koffi.load("libc.so.6");
    return {
      mmap: library.func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)") as Libc["mmap"],
      mprotect: library.func("int mprotect(uintptr_t, size_t, int)") as Libc["mprotect"],
      memfd_create: library.func("int memfd_create(const char *, unsigned int)") as Libc["memfd_create"],
      ftruncate: library.func("int ftruncate(int, int64_t)") as Libc["ftruncate"],
      close: library.func("int close(int)") as Libc["close"],
      munmap: library.func("int munmap(uintptr_t, size_t)") as Libc["munmap"],
      memcpy: library.func("uintptr_t memcpy(uintptr_t, const void *, size_t)") as Libc["memcpy"],
    };
  } catch (cause) {
    throw new DeviceError("koffi.load: expected the C library libc.so.6, got none", { cause });
  }
}

/** Throws a DeviceError where a call of the C library failed. */
export function check(call: string, failed: boolean): void {
  if (failed) throw new DeviceError(`${call}: expected success, got errno ${koffi.errno()}`);
}
