import { check, libc } from "./libc.js";

const READ = 1;
const WRITE = 2;
const EXECUTE = 4;
const PRIVATE_ANONYMOUS = 0x22;
const PAGE_BYTES = 4096;
// What mmap returns where it fails: (void *)-1, as an unsigned number.
const MAP_FAILED = 2 ** 63;

/**
 * One sealed piece of machine code. Its pages are written before they become executable and never after, so that
 * no page is ever both writable and executable. They are given back when the last user lets go.
 */
export class ExecutableCode {
  readonly address: number;
  readonly #lengthBytes: number;
  #users = 1;

  /** Throws a DeviceError where the system refuses memory, or refuses to make it executable. */
  constructor(code: Uint8Array) {
    this.#lengthBytes = Math.ceil(Math.max(code.length, 1) / PAGE_BYTES) * PAGE_BYTES;
    const { mmap, mprotect, memcpy } = libc();
    this.address = mmap(0, this.#lengthBytes, READ | WRITE, PRIVATE_ANONYMOUS, -1, 0);
    check("mmap", this.address >= MAP_FAILED);
    memcpy(this.address, code, code.length);
    const sealed = mprotect(this.address, this.#lengthBytes, READ | EXECUTE);
    if (sealed !== 0) this.release();
    check("mprotect", sealed !== 0);
  }

  /** One more user: a plan that may run the code. */
  hold(): void {
    this.#users++;
  }

  release(): void {
    if (--this.#users === 0) libc().munmap(this.address, this.#lengthBytes);
  }
}
