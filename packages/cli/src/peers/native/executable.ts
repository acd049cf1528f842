import koffi from "koffi";

const PROTECTION = { read: 1, write: 2, execute: 4 } as const;
const PRIVATE_ANONYMOUS = 0x22;
/** What mmap returns where it fails: (void *)-1, as an unsigned number. */
const MAP_FAILED = 2 ** 63;

/** Puts machine code where it can run, for as long as the process lives; returns its address. Linux only. */
export function executable(code: Uint8Array): number {
  const libc = koffi.load("libc.so.6");
  const mmap = libc.func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)") as Mmap;
  const mprotect = libc.func("int mprotect(uintptr_t, size_t, int)") as Mprotect;
  const memcpy = libc.func("uintptr_t memcpy(uintptr_t, const void *, size_t)") as Memcpy;
  const address = mmap(0, code.length, PROTECTION.read + PROTECTION.write, PRIVATE_ANONYMOUS, -1, 0);
  if (address >= MAP_FAILED) throw new Error(`mmap: expected memory for code, got errno ${koffi.errno()}`);
  memcpy(address, code, code.length);
  // Never writable and executable at once.
  if (mprotect(address, code.length, PROTECTION.read + PROTECTION.execute) !== 0) {
    throw new Error(`mprotect: expected executable memory, got errno ${koffi.errno()}`);
  }
  return address;
}

type Mmap = (address: number, length: number, protection: number, flags: number, file: number, offset: number) => number;
type Mprotect = (address: number, length: number, protection: number) => number;
type Memcpy = (target: number, source: Uint8Array, length: number) => number;
