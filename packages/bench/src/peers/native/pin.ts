import koffi from "koffi";
import { readFileSync } from "node:fs";

/** Words of a cpu_set_t: 1,024 processors. */
const SET_WORDS = 16;

/** Keeps this thread on one processor; false where the system does not let us. Other threads roam. */
export function pinThread(processor: number): boolean {
  try {
    const setAffinity = koffi.load("libc.so.6").func("int sched_setaffinity(int, size_t, const void *)") as SetAffinity;
    const set = new BigUint64Array(SET_WORDS);
    set[Math.floor(processor / 64)] = 2n ** BigInt(processor % 64);
    return setAffinity(0, set.byteLength, set) === 0;
  } catch {
    return false; // not Linux
  }
}

type SetAffinity = (thread: number, bytes: number, set: BigUint64Array) => number;

/** The last processor that this process may use: the first one is where systems put their own work. */
export function lastProcessor(): number | undefined {
  try {
    const allowed = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    const last = allowed?.split(/[,-]/).at(-1);
    return last === undefined ? undefined : Number(last);
  } catch {
    return undefined;
  }
}
