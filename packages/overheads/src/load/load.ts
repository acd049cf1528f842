import { processorTimes, type ProcessorTimes } from "./processor-times.js";

/** How busy the machine was with other work. */
export interface Load {
  /** How many processors this process may run on. */
  readonly processors: number;
  /** How many of those other work kept busy, on average. */
  readonly inUseByOthers: number;
}

/** The share that other work may take of the processors that ranks need. */
const DISTURBED_SHARE = 0.15;

/** The load between two moments; undefined where the system tells no times, or between two of one tick. */
export function loadBetween(before: ProcessorTimes | undefined, after: ProcessorTimes | undefined): Load | undefined {
  if (before === undefined || after === undefined) return undefined;
  const { processors } = after;
  // In ticks of one processor: /proc/stat's own clock, for a wall clock's differs by its rounding.
  const ticks = (after.allTicks - before.allTicks) / processors;
  if (ticks <= 0) return undefined;
  const others = after.busyTicks - before.busyTicks - (after.ownTicks - before.ownTicks);
  return { processors, inUseByOthers: Math.min(processors, Math.max(0, others / ticks)) };
}

/** Whether so many ranks would share processors with other work. */
export function isTooBusy({ processors, inUseByOthers }: Load, ranks: number): boolean {
  const needed = Math.min(ranks, processors);
  return processors - inUseByOthers < needed * (1 - DISTURBED_SHARE);
}

/** A load in words, such as "1.9 of 2 processors in use by other work". */
export const loadText = ({ processors, inUseByOthers }: Load): string =>
  `${inUseByOthers.toFixed(1)} of ${processors} ${processors === 1 ? "processor" : "processors"} in use by other work`;

const WINDOW_MS = 500;
const WINDOWS = 6;

/**
 * Measures the load before anything else is measured: that of the first half second that is quiet enough for so many
 * ranks, or of the last half of three seconds. What has just ended, other ranks of the same mpirun among it, is given
 * time to be gone. Undefined where the system tells no times.
 */
export async function currentLoad(ranks: number, times = processorTimes): Promise<Load | undefined> {
  let load: Load | undefined;
  for (let window = 0; window < WINDOWS; window++) {
    const before = times();
    await new Promise((resolve) => setTimeout(resolve, WINDOW_MS));
    load = loadBetween(before, times());
    if (load === undefined || !isTooBusy(load, ranks)) break;
  }
  return load;
}
