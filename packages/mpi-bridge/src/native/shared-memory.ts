import koffi from "koffi";
import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { BridgeError } from "../errors.js";

// memfd_create(2), fcntl(2), flock(2), mmap(2).
const CLOEXEC_ALLOW_SEALING = 3;
const ADD_SEALS = 1033;
const SEAL_SEAL_SHRINK_GROW = 7;
const [LOCK_EXCLUSIVE, LOCK_SHARED_NOW, UNLOCK] = [2, 1 | 4, 8] as const;
const READ_WRITE = 3;
const SHARED = 1;
/** (void *)-1 */
const FAILED = 2 ** 63;
const EINTR = 4;
const NAME = "stowage-arena";
const { O_RDWR, O_NONBLOCK, O_NOCTTY } = constants;

interface Libc {
  readonly memfd_create: (name: string, flags: number) => number;
  readonly posix_fallocate: (file: number, offset: number, length: number) => number;
  readonly fcntl: (file: number, command: number, argument: number) => number;
  readonly flock: (file: number, operation: number) => number;
  readonly mmap: (at: number, length: number, protection: number, flags: number, file: number, from: number) => number;
  readonly munmap: (address: number, length: number) => number;
}

let bound: Libc | undefined;

function libc(): Libc {
  if (bound !== undefined) return bound;
  const library = koffi.load("libc.so.6");
  return (bound = {
    memfd_create: library.func("int memfd_create(const char *, unsigned int)") as Libc["memfd_create"],
    posix_fallocate: library.func("int posix_fallocate(int, int64_t, int64_t)") as Libc["posix_fallocate"],
    fcntl: library.func("int fcntl(int, int, int)") as Libc["fcntl"],
    flock: library.func("int flock(int, int)") as Libc["flock"],
    mmap: library.func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)") as Libc["mmap"],
    munmap: library.func("int munmap(uintptr_t, size_t)") as Libc["munmap"],
  });
}

/**
 * Memory of one process that others of its user and host map. It is a file without a name: nobody finds it but by the
 * process that has it open, nothing of it is left behind, and the system lets go of it with the last who maps it. All
 * of it is there from the beginning, so that no later write meets a page that the system cannot give; and since its
 * length is sealed nobody can take it away.
 */
export class SharedMemory implements Disposable {
  /** Its number in the process that made it; here, where it was opened. */
  readonly file: number;
  readonly sizeBytes: number;
  readonly #isOwn: boolean;
  #address: number;
  #bytes: Uint8Array<ArrayBuffer>;

  private constructor(file: number, sizeBytes: number, isOwn: boolean) {
    this.file = file;
    this.sizeBytes = sizeBytes;
    this.#isOwn = isOwn;
    try {
      this.#address = libc().mmap(0, sizeBytes, READ_WRITE, SHARED, file, 0);
      if (this.#address >= FAILED) throw failed("mmap", `${sizeBytes} bytes of shared memory`, koffi.errno());
      this.#bytes = new Uint8Array(koffi.view(BigInt(this.#address), sizeBytes));
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Makes so many bytes, all 0. Throws a BridgeError where the system gives none. */
  static make(sizeBytes: number): SharedMemory {
    const { memfd_create: create, posix_fallocate: allocate, fcntl, flock } = calls();
    const file = create(NAME, CLOEXEC_ALLOW_SEALING);
    if (file < 0) throw failed("memfd_create", "a file", koffi.errno());
    let error = allocate(file, 0, sizeBytes);
    while (error === EINTR) error = allocate(file, 0, sizeBytes);
    if (error === 0 && fcntl(file, ADD_SEALS, SEAL_SEAL_SHRINK_GROW) !== 0) error = koffi.errno();
    // For as long as this process lives: others see by it that it does.
    if (error === 0 && flock(file, LOCK_EXCLUSIVE) !== 0) error = koffi.errno();
    if (error === 0) return new SharedMemory(file, sizeBytes, true);
    closeSync(file);
    throw failed("posix_fallocate", `${sizeBytes} bytes of shared memory`, error);
  }

  /**
   * Maps what a process of this host and of this PID namespace made, by its number there. Throws a BridgeError, or the
   * system's error, where that is no such memory, or not this user's.
   */
  static open(process: number, file: number, sizeBytes: number): SharedMemory {
    calls();
    const path = `/proc/${process}/fd/${file}`;
    const name = readlinkSync(path);
    // Of anything else even opening it might be noticed.
    if (name !== `/memfd:${NAME} (deleted)`) throw new BridgeError(path, "memory that a process shares", name);
    const opened = openSync(path, O_RDWR | O_NONBLOCK | O_NOCTTY);
    const facts = fstatSync(opened);
    if (facts.isFile() && facts.size === sizeBytes) return new SharedMemory(opened, sizeBytes, false);
    closeSync(opened);
    throw new BridgeError(path, `a file of ${sizeBytes} bytes`, `one of ${facts.size}`);
  }

  /** Empty once it was disposed of. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  /** Whether the process that made it lives and has not disposed of it, by a lock that it holds until then. */
  get isMakerAlive(): boolean {
    if (this.#isOwn || this.#address === 0) return this.#isOwn;
    const { flock } = libc();
    if (flock(this.file, LOCK_SHARED_NOW) !== 0) return true;
    flock(this.file, UNLOCK);
    return false;
  }

  [Symbol.dispose](): void {
    if (this.#address === 0) return;
    this.#bytes = new Uint8Array(0);
    libc().munmap(this.#address, this.sizeBytes);
    this.#address = 0;
    closeSync(this.file);
  }
}

function calls(): Libc {
  try {
    return libc();
  } catch (cause) {
    throw new BridgeError("shared memory", "the C library of Linux", "none", { cause });
  }
}

const failed = (call: string, expected: string, error: number): BridgeError =>
  new BridgeError(call, expected, `errno ${error}`);
