import { isMainThread } from "node:worker_threads";
import { LINE_BYTES } from "../loops/facts/cache.js";
import { PAGE_BYTES } from "../page.js";
import { FreeSpace } from "./free-space.js";
import { leaveCode } from "./leave-code.js";
import { check, libc } from "./libc.js";
import { DISCARDED_BYTES, POPULATED_BYTES } from "./rules/region-bytes.js";

const NONE = 0;
const READ = 1;
const WRITE = 2;
const EXECUTE = 4;
const SHARED = 1;
const CLOSE_ON_EXEC = 1;
// madvise(2).
const MADV_REMOVE = 9;
const MADV_POPULATE_READ = 22;
const MADV_POPULATE_WRITE = 23;

/**
 * Address space for code: one file in memory, mapped twice, to write and to execute. No mapping is ever both; the one
 * to write may be written only while something is, and there alone. What executes never changes its protection, so that
 * threads go on running it. It takes memory only where code lies, and stays until its thread of JavaScript ends.
 */
export class CodeRegion {
  readonly #writable: number;
  readonly #executable: number;
  readonly #capacityBytes: number;
  readonly #free: FreeSpace;
  #populatedBytes = 0;
  #writtenBytes = 0;

  constructor(capacityBytes: number) {
    this.#capacityBytes = Math.ceil(capacityBytes / PAGE_BYTES) * PAGE_BYTES;
    const { memfd_create: create, ftruncate, close } = libc();
    const file = create("stowage-x64", CLOSE_ON_EXEC);
    check("memfd_create", file < 0);
    try {
      check("ftruncate", ftruncate(file, this.#capacityBytes) !== 0);
      this.#writable = this.#map(file, NONE);
      this.#executable = this.#map(file, READ | EXECUTE);
    } finally {
      close(file);
    }
    this.#free = new FreeSpace(this.#capacityBytes);
    // The first word counts what must outlive the thread.
    this.#free.take(LINE_BYTES);
    if (!isMainThread) this.#endWithThread();
  }

  /** Keeps the region mapped when its thread ends: other threads may run code of it. */
  setPins(count: number): void {
    const word = new Uint8Array(BigInt64Array.of(BigInt(count)).buffer);
    this.#opened(0, word.length, (at) => libc().memcpy(at, word, word.length));
  }

  /** Address of a copy of the code, to execute; undefined where it does not fit. */
  write(code: Uint8Array): number | undefined {
    const bytes = sizeOf(code.length);
    const offset = this.#takePlace(bytes);
    if (offset === undefined) return undefined;
    this.#populate(offset + bytes);
    this.#opened(offset, code.length, (at) => libc().memcpy(at, code, code.length));
    if (offset < this.#writtenBytes) libc().serialiseThreads?.();
    this.#writtenBytes = Math.max(this.#writtenBytes, offset + bytes);
    return this.#executable + offset;
  }

  /** Where no code was before while pages that are there have room: nothing needs to be serialised for it. */
  #takePlace(bytes: number): number | undefined {
    const isThere = this.#writtenBytes + bytes <= this.#populatedBytes;
    return this.#free.take(bytes, isThere ? this.#writtenBytes : 0);
  }

  /**
   * Frees the place of code of so many bytes, which nobody runs any more. Threads that ran it must execute a
   * serialising instruction before they run other code there (Intel SDM volume 3, 8.1.3): where none can be made to,
   * the place is lost.
   */
  erase(address: number, codeBytes: number): void {
    if (libc().serialiseThreads === undefined) return;
    const { startBytes, endBytes } = this.#free.giveBack(address - this.#executable, sizeOf(codeBytes));
    const start = Math.ceil(startBytes / PAGE_BYTES) * PAGE_BYTES;
    const end = Math.min(Math.floor(endBytes / PAGE_BYTES) * PAGE_BYTES, this.#populatedBytes);
    if (end - start < DISCARDED_BYTES) return;
    this.#opened(start, end - start, (at) => check("madvise", libc().madvise(at, end - start, MADV_REMOVE) !== 0));
    if (end === this.#populatedBytes) this.#populatedBytes = start;
  }

  /** A kernel too old for it (before Linux 5.14) takes the pages one by one, as they are written. */
  #populate(endBytes: number): void {
    if (endBytes <= this.#populatedBytes) return;
    const from = this.#populatedBytes;
    const to = Math.min(this.#capacityBytes, Math.ceil(endBytes / POPULATED_BYTES) * POPULATED_BYTES);
    this.#opened(from, to - from, (at) => libc().madvise(at, to - from, MADV_POPULATE_WRITE));
    libc().madvise(this.#executable + from, to - from, MADV_POPULATE_READ);
    this.#populatedBytes = to;
  }

  /** Lets the pages of so many bytes be written, at the address of the first, until `write` returns. */
  #opened(offset: number, bytes: number, write: (at: number) => void): void {
    const start = Math.floor(offset / PAGE_BYTES) * PAGE_BYTES;
    const address = this.#writable + start;
    const length = Math.ceil((offset + bytes) / PAGE_BYTES) * PAGE_BYTES - start;
    check("mprotect", libc().mprotect(address, length, READ | WRITE) !== 0);
    try {
      write(this.#writable + offset);
    } finally {
      check("mprotect", libc().mprotect(address, length, NONE) !== 0);
    }
  }

  #endWithThread(): void {
    const mappings = {
      writable: this.#writable,
      executable: this.#executable,
      capacityBytes: this.#capacityBytes,
      pins: this.#executable,
    };
    const { munmapAddress, atThreadExit } = libc();
    const code = this.write(leaveCode(mappings, munmapAddress));
    // The library that the last argument names, by an address in it, stays loaded until then.
    if (code !== undefined) check("__cxa_thread_atexit_impl", atThreadExit(code, 0, munmapAddress) !== 0);
  }

  #map(file: number, protection: number): number {
    const address = libc().mmap(0, this.#capacityBytes, protection, SHARED, file, 0);
    // (void *)-1 is no address.
    check("mmap", !Number.isSafeInteger(address));
    return address;
  }
}

/** Code starts at a cache line. */
const sizeOf = (codeBytes: number): number => Math.ceil(Math.max(codeBytes, 1) / LINE_BYTES) * LINE_BYTES;
