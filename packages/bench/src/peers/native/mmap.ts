import koffi from "koffi";

/** What pages are used for, and whom they are shared with. mmap(2). */
const READ_WRITE = 3;
export const MAP_SHARED = 1;
export const MAP_PRIVATE_ANONYMOUS = 0x22;
/** What mmap returns where it fails: (void *)-1, as an unsigned number. */
const MAP_FAILED = 2 ** 63;

/**
 * The address of new memory, of a file's bytes or, without one, of zeros. `purpose`: what an error says it was for.
 * Linux only.
 */
export function mmap(sizeBytes: number, flags: number, purpose: string, file = -1): number {
  const call = koffi.load("libc.so.6").func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)") as Mmap;
  const address = call(0, sizeBytes, READ_WRITE, flags, file, 0);
  if (address >= MAP_FAILED) throw new Error(`mmap: expected ${purpose}, got errno ${koffi.errno()}`);
  return address;
}

type Mmap = (
  address: number,
  length: number,
  protection: number,
  flags: number,
  file: number,
  offset: number,
) => number;
