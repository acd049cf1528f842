import { DeviceError } from "@stowage/backend-api";
import { koffi } from "@stowage/host-plans";

const [READ, WRITE, EXECUTE] = [1, 2, 4];
const PRIVATE_ANONYMOUS = 0x22;
// What mmap returns where it fails: (void *)-1, as an unsigned number.
const MAP_FAILED = 2 ** 63;

interface Libc {
  readonly mmap: (
    address: number,
    length: number,
    protection: number,
    flags: number,
    file: number,
    at: number,
  ) => number;
  readonly mprotect: (address: number, length: number, protection: number) => number;
  readonly munmap: (address: number, length: number) => number;
  readonly memcpy: (target: number, source: Uint8Array, length: number) => number;
}

let bound: Libc | undefined;

function libc(): Libc {
  if (bound !== undefined) return bound;
  const library = koffi().load("libc.so.6");
  bound = {
    mmap: library.func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)") as Libc["mmap"],
    mprotect: library.func("int mprotect(uintptr_t, size_t, int)") as Libc["mprotect"],
    munmap: library.func("int munmap(uintptr_t, size_t)") as Libc["munmap"],
    memcpy: library.func("uintptr_t memcpy(uintptr_t, const void *, size_t)") as Libc["memcpy"],
  };
  return bound;
}

function check(call: string, failed: boolean): void {
  if (failed) throw new DeviceError(`${call}: expected success, got errno ${koffi().errno()}`);
}

/** Whether the system gives so much memory now; it is given back at once. */
export function isMemoryLeft(bytes: number): boolean {
  const { mmap, munmap } = libc();
  const address = mmap(0, bytes, READ | WRITE, PRIVATE_ANONYMOUS, -1, 0);
  if (address >= MAP_FAILED) return false;
  munmap(address, bytes);
  return true;
}

/**
 * Executable memory with an image in it: written, then made executable, and never both. The system makes instruction
 * caches coherent when a page that was just written becomes executable.
 */
export class Mapping {
  readonly address: number;
  readonly #bytes: number;
  #users = 1;

  /** `patch` writes into the image what depends on this process. Throws a DeviceError where the system refuses. */
  constructor(image: Uint8Array, patch: (view: DataView) => void) {
    const { mmap, mprotect, memcpy } = libc();
    const bytes = image.slice();
    patch(new DataView(bytes.buffer));
    this.#bytes = Math.max(1, bytes.length);
    this.address = mmap(0, this.#bytes, READ | WRITE, PRIVATE_ANONYMOUS, -1, 0);
    check("mmap", this.address >= MAP_FAILED);
    memcpy(this.address, bytes, bytes.length);
    check("mprotect", mprotect(this.address, this.#bytes, READ | EXECUTE) !== 0);
  }

  /** One more user: a plan that may run the code. */
  hold(): void {
    this.#users++;
  }

  release(): void {
    if (--this.#users === 0) libc().munmap(this.address, this.#bytes);
  }
}
