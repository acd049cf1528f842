import type { Launch, LaunchRecord, PlanSharing, Sharing } from "@stowage/host-plans";
import { cutRecords } from "./cut-records.js";
import { nonTemporalBytesOfSlice, SLICES_A_THREAD } from "./rules/slices.js";
import { sliceTable } from "./slice-table.js";
import type { ThreadPool } from "./thread-pool.js";

/** How the plans of a kernel share their work among threads. */
export interface Threads {
  /** Gives a pool of so many threads, to be released by who asked. Throws a DeviceError where a thread is refused. */
  readonly open: () => ThreadPool;
  /** The caller's among them; 2 or more. */
  readonly count: number;
  /** Bytes of a launch from which they are used by plans; and, each as often as its slices are cut, by calls. */
  readonly fromBytes: number;
  readonly callFromBytes: number;
  /** Bytes of a launch from which it is to take non-temporal stores. */
  readonly nonTemporalBytes: number;
}

/**
 * The threads as plans use them: below so many bytes of a call no slice takes non-temporal stores, and none is shared.
 */
export const sharingOf = (threads: Threads): Sharing => ({
  aloneBelowBytes: Math.min(threads.callFromBytes, nonTemporalBytesOfSlice(threads.nonTemporalBytes, threads.count)),
  open: () => new PlanThreads(threads),
});

/** The threads of one plan: none are started, or held, before a launch is long enough. */
class PlanThreads implements PlanSharing {
  readonly #threads: Threads;
  #pool: ThreadPool | undefined;

  constructor(threads: Threads) {
    this.#threads = threads;
  }

  /**
   * Runs the launch in slices; undefined where it is too short to share, for a plan that is bound or one that is bound
   * anew. Throws a DeviceError where a thread is refused.
   */
  prepare(launches: readonly Launch[], isAnew: boolean): (() => void) | undefined {
    const { open, count } = this.#threads;
    const fromBytes = isAnew ? this.#threads.callFromBytes : this.#threads.fromBytes;
    if (totalOf(launches) < fromBytes) return undefined;
    const slices = cutRecords(launches, count * SLICES_A_THREAD);
    if (slices.length < 2) return undefined;
    this.#pool ??= open();
    return this.#pool.prepare(sliceTable(slices));
  }

  /**
   * The records of a launch that one thread runs: code that is written for slices takes non-temporal stores from fewer
   * bytes on than such a launch should, so it gets them shorter still.
   */
  records(launches: readonly Launch[]): readonly LaunchRecord[] {
    const { count, nonTemporalBytes } = this.#threads;
    const total = totalOf(launches);
    const ofSlice = nonTemporalBytesOfSlice(nonTemporalBytes, count);
    if (total < ofSlice || total >= nonTemporalBytes) return launches.map(({ record }) => record);
    // Cuts lie where they suit the layout: pieces differ by less than half.
    return cutRecords(launches, Math.ceil((1.5 * total) / ofSlice)).flat();
  }

  [Symbol.dispose](): void {
    this.#pool?.release();
    this.#pool = undefined;
  }
}

const totalOf = (launches: readonly Launch[]): number => launches.reduce((sum, { record }) => sum + record[5], 0);
