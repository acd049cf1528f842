import { PAGE_BYTES } from "../page.js";
import { check, libc } from "./libc.js";

const READ = 1;
const WRITE = 2;
const EXECUTE = 4;
const SHARED = 1;
// Pages are there at once: each would cost its first writer a fault, several times what writing a program takes.
const POPULATE = 0x8000;
const CLOSE_ON_EXEC = 1;
const CHUNK_BYTES = 64 * 1024;
const LINE_BYTES = 64;
// What mmap returns where it fails: (void *)-1, as an unsigned number.
const MAP_FAILED = 2 ** 63;

/**
 * Memory for code: one file in memory, mapped twice, to write and to execute. No mapping is ever both, no protection
 * ever changes, and no place in it is written twice. A full chunk goes when the last user of any code in it lets go.
 */
class Chunk {
  readonly #writable: number;
  readonly #executable: number;
  readonly #capacityBytes: number;
  #usedBytes = 0;
  // The arena that still fills it is a user too.
  #users = 1;

  constructor(leastBytes: number) {
    this.#capacityBytes = Math.ceil(Math.max(leastBytes, CHUNK_BYTES) / PAGE_BYTES) * PAGE_BYTES;
    const { memfd_create: create, ftruncate, close } = libc();
    const file = create("stowage-x64", CLOSE_ON_EXEC);
    check("memfd_create", file < 0);
    try {
      check("ftruncate", ftruncate(file, this.#capacityBytes) !== 0);
      this.#writable = this.#map(file, READ | WRITE);
      this.#executable = this.#map(file, READ | EXECUTE);
    } finally {
      close(file);
    }
  }

  fits(bytes: number): boolean {
    return this.#usedBytes + bytes <= this.#capacityBytes;
  }

  /** Address of a copy of the code, to execute. */
  write(code: Uint8Array): number {
    const offset = this.#usedBytes;
    libc().memcpy(this.#writable + offset, code, code.length);
    this.#usedBytes = Math.ceil((offset + code.length) / LINE_BYTES) * LINE_BYTES;
    return this.#executable + offset;
  }

  hold(): void {
    this.#users++;
  }

  release(): void {
    if (--this.#users > 0) return;
    libc().munmap(this.#writable, this.#capacityBytes);
    libc().munmap(this.#executable, this.#capacityBytes);
  }

  #map(file: number, protection: number): number {
    const address = libc().mmap(0, this.#capacityBytes, protection, SHARED | POPULATE, file, 0);
    check("mmap", address >= MAP_FAILED);
    return address;
  }
}

/**
 * Where the code of a process goes: artifacts loaded one after another share a chunk, so that loading one costs a
 * copy. At most one chunk, the one being filled, stays without code in use.
 */
export class CodeArena {
  #chunk: Chunk | undefined;

  /** Throws a DeviceError where the system refuses memory, or refuses to make it executable. */
  add(code: Uint8Array): ExecutableCode {
    const current = this.#chunk;
    if (current?.fits(code.length) === true) return new ExecutableCode(current, code);
    const chunk = new Chunk(code.length);
    current?.release();
    this.#chunk = chunk;
    return new ExecutableCode(chunk, code);
  }
}

/** One sealed piece of machine code, in use until it is released as often as it was held. */
export class ExecutableCode {
  readonly address: number;
  readonly #chunk: Chunk;

  constructor(chunk: Chunk, code: Uint8Array) {
    this.#chunk = chunk;
    this.address = chunk.write(code);
    chunk.hold();
  }

  /** One more user: a plan that may run the code. */
  hold(): void {
    this.#chunk.hold();
  }

  release(): void {
    this.#chunk.release();
  }
}
