import koffi from "koffi";

// mmap(2), mprotect(2).
const READ_WRITE = 3;
const READ_EXECUTE = 5;
const PRIVATE_ANONYMOUS = 0x22;
/** (void *)-1 */
const FAILED = 2 ** 63;

/**
 * Puts machine code where it can run, for as long as the process lives; returns its address. Never writable and
 * executable at once.
 */
export function executable(code: Uint8Array): number {
  const libc = koffi.load("libc.so.6");
  const mmap = libc.func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)") as (...args: number[]) => number;
  const mprotect = libc.func("int mprotect(uintptr_t, size_t, int)") as (...args: number[]) => number;
  const memcpy = libc.func("void memcpy(uintptr_t, const void *, size_t)") as Memcpy;
  const address = mmap(0, code.length, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
  if (address >= FAILED) throw new Error(`mmap: expected memory for code, got errno ${koffi.errno()}`);
  memcpy(address, code, code.length);
  if (mprotect(address, code.length, READ_EXECUTE) !== 0) {
    throw new Error(`mprotect: expected executable memory, got errno ${koffi.errno()}`);
  }
  return address;
}

type Memcpy = (target: number, source: Uint8Array, length: number) => void;
