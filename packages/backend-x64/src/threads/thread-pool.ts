import { DeviceError } from "@stowage/backend-api";
import { check, libc } from "../memory/libc.js";
import { POOL_BYTES, WORD } from "./pool-words.js";
import type { PoolCode } from "./pool-code.js";
import { pthread } from "./pthread.js";
import type { SliceTable } from "./slice-table.js";

const READ_WRITE = 3;
const PRIVATE_ANONYMOUS = 0x22;
const SYS_FUTEX = 202;
const FUTEX_WAKE_PRIVATE = 129;
const EVERY_SLEEPER = 0x7fffffff;

const word = (value: bigint): Uint8Array => new Uint8Array(BigInt64Array.of(value).buffer);
const ONE = word(1n);
/** No launch counts so far. */
const LAST_TURN = word(-1n);

/**
 * Native threads that run machine code and nothing else: no JavaScript, no allocation. They sleep between launches, and
 * end when the last user lets go of the pool. Their words are no memory of JavaScript's: a thread of Node that is
 * terminated takes its memory with it, but leaves these threads asleep until the process ends.
 */
export class ThreadPool {
  // The address of the words that the threads share.
  readonly #address: number;
  readonly #code: PoolCode;
  readonly #threads: number[] = [];
  #users = 1;

  /** `workers`: how many; the caller of a launch works too. Throws a DeviceError where the system refuses one. */
  constructor(workers: number, code: PoolCode) {
    this.#code = code;
    this.#address = libc().mmap(0, POOL_BYTES, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
    check("mmap", !Number.isSafeInteger(this.#address));
    code.arena.pin();
    try {
      for (let i = 0; i < workers; i++) this.#threads.push(startThread(code.worker, this.#address));
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** What runs slices on all threads when it is called, and returns when they are done. */
  prepare(slices: SliceTable): () => void {
    return this.#code.prepare(this.#address, slices);
  }

  hold(): void {
    this.#users++;
  }

  release(): void {
    if (--this.#users > 0) return;
    const { memcpy, munmap } = libc();
    memcpy(this.#address + WORD.ending, ONE, ONE.length);
    memcpy(this.#address + WORD.turn, LAST_TURN, LAST_TURN.length);
    pthread().futex(SYS_FUTEX, this.#address + WORD.turn, FUTEX_WAKE_PRIVATE, EVERY_SLEEPER);
    for (const thread of this.#threads) pthread().join(thread, 0);
    munmap(this.#address, POOL_BYTES);
    this.#code.arena.unpin();
  }
}

function startThread(startAddress: number, poolAddress: number): number {
  const thread = new BigUint64Array(1);
  const error = pthread().create(thread, 0, startAddress, poolAddress);
  if (error !== 0) throw new DeviceError(`pthread_create: expected a thread, got error ${error}`);
  return Number(thread[0]);
}
