import { DisposedError } from "@stowage/backend-api";
import type { PoolCode } from "./pool-code.js";
import { ThreadPool } from "./thread-pool.js";

/** The pools of one backend, one a number of threads, each started when a plan first needs it. */
export class ThreadPools implements Disposable {
  readonly #pools = new Map<number, ThreadPool>();
  #disposed = false;

  /**
   * The pool of so many threads, the caller's among them, to be released by who asked. Throws a DeviceError where the
   * system refuses a thread.
   */
  open(threads: number, code: PoolCode): ThreadPool {
    if (this.#disposed) throw new DisposedError("backend to start threads");
    const pool = this.#pools.get(threads) ?? new ThreadPool(threads - 1, code);
    this.#pools.set(threads, pool);
    pool.hold();
    return pool;
  }

  /** Threads that no plan holds end now, the others with the last plan. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const pool of this.#pools.values()) pool.release();
    this.#pools.clear();
  }
}
