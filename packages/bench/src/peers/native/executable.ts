import koffi from "koffi";
import { MAP_PRIVATE_ANONYMOUS, mmap } from "./mmap.js";

const READ_EXECUTE = 5;

/** Puts machine code where it can run, for as long as the process lives; returns its address. Linux only. */
export function executable(code: Uint8Array): number {
  const libc = koffi.load("libc.so.6");
  const mprotect = libc.func("int mprotect(uintptr_t, size_t, int)") as Mprotect;
  const memcpy = libc.func("uintptr_t memcpy(uintptr_t, const void *, size_t)") as Memcpy;
  const address = mmap(code.length, MAP_PRIVATE_ANONYMOUS, "memory for code");
  memcpy(address, code, code.length);
  // Never writable and executable at once.
  if (mprotect(address, code.length, READ_EXECUTE) !== 0) {
    throw new Error(`mprotect: expected executable memory, got errno ${koffi.errno()}`);
  }
  return address;
}

type Mprotect = (address: number, length: number, protection: number) => number;
type Memcpy = (target: number, source: Uint8Array, length: number) => number;
