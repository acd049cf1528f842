import { formatNs, significant } from "@stowage/bench";
import { median } from "../model/fit.js";
import { EAGER_LIMIT } from "../results/figure-points.js";
import { judged, NOT_KNOWN, type Judged } from "./finding.js";
import type { Measured } from "./measured.js";

export type Judge = (measured: Measured) => Judged;

/** Ratios nearer to 1 are noise between two series of one run. */
const NOTICED = 1.05;
/** Times what one takes, behind the longest queue: it grows. */
const GROWN = 2;
/** Times the slope before: faster than linearly. */
const BENT = 1.25;
/** Bytes of the messages that the paper calls short. */
const isShort = (bytes: number): boolean => bytes <= 64;
const percent = (ratio: number): string => `${Math.round((ratio - 1) * 100) + 0} %`; // no -0
/**
 * Over sizes, the median ratio says more and the median difference less, or the other way round: no cost of any sign
 * makes both, noise does. Of such a run nothing is known.
 */
const isContradiction = (ratio: number, addedNs: number): boolean =>
  (ratio > NOTICED && addedNs <= 0) || (ratio < 1 / NOTICED && addedNs >= 0);
const contradicted = (ratio: number, addedNs: number): Judged => ({
  verdict: "not known",
  says: `${percent(ratio)}, yet ${signedNs(addedNs)}: noise, measure again on a machine without other work`,
});
const signedNs = (ns: number): string => (ns < 0 ? `-${formatNs(-ns)}` : formatNs(ns));

/** 3.1 */
export const judgeStack: Judge = (measured) => {
  const added = measured.difference("latency", "shared memory", "MPI", isShort);
  const ratio = measured.ratio("latency", "shared memory", "MPI", isShort);
  if (added === undefined || ratio === undefined) return NOT_KNOWN;
  if (isContradiction(ratio, added)) return contradicted(ratio, added);
  const [limit] = measured.series(EAGER_LIMIT, "MPI");
  const step = limit === undefined ? "no step was found" : `past ${limit[0]} bytes ${formatNs(limit[1])} more`;
  return judged([ratio > NOTICED, limit !== undefined], `${signedNs(added)} over shared memory; ${step}`);
};

/** 3.2 */
export const judgeRequests: Judge = (measured) => {
  const added = measured.difference("latency", "blocking", "nonblocking", isShort);
  const ratio = measured.ratio("latency", "blocking", "nonblocking", isShort);
  if (added === undefined || ratio === undefined) return NOT_KNOWN;
  if (isContradiction(ratio, added)) return contradicted(ratio, added);
  return judged([ratio > NOTICED], `${signedNs(added)} a short message`);
};

/** 3.3 */
export const judgeMatching: Judge = (measured) => {
  const queue = queueOf(measured, "requests");
  if (queue === undefined) return NOT_KNOWN;
  const peers = measured.ends("peers", "MPI");
  const byPeers =
    peers === undefined
      ? ""
      : `; ${formatNs(peers[0].ns)} with ${peers[0].x} peer, ${formatNs(peers[1].ns)} with ${peers[1].x}`;
  return judged([queue.grows, queue.bends], `${queue.says}${byPeers}`);
};

/** 3.4 */
export const judgeWaitany: Judge = (measured) => {
  const queue = queueOf(measured, "requests");
  return queue === undefined ? NOT_KNOWN : judged([queue.grows], queue.says);
};

/** 3.5 */
export const judgeDatatypes: Judge = (measured) => {
  const kinds = ["char", "short", "int", "double"].map((kind) => measured.ratio("long", "contiguous", kind));
  if (kinds.some((ratio) => ratio === undefined)) return NOT_KNOWN;
  const [chars = 0, ...others] = kinds as number[];
  const least = Math.min(chars, ...others);
  const says = `chars take ${significant(chars)} times as long as contiguous ones, doubles ${significant(kinds[3] as number)}`;
  return judged([least > NOTICED, chars >= Math.max(...others)], says);
};

/** 3.6 */
export const judgeAlignment: Judge = (measured) => {
  const offsets = Array.from({ length: 8 }, (_, offset) => measured.ratio("latency", "0", String(offset)));
  const inside = median(offsets.slice(0, 5).flatMap((ratio) => ratio ?? []));
  const across = median(offsets.slice(5).flatMap((ratio) => ratio ?? []));
  if (inside === undefined || across === undefined) return NOT_KNOWN;
  return judged([across / inside > NOTICED], `offsets 5 to 7 against 0 to 4: ${percent(across / inside)}`);
};

/** 3.7 */
export const judgeUnexpected: Judge = (measured) => {
  const queue = queueOf(measured, "messages");
  return queue === undefined ? NOT_KNOWN : judged([queue.grows], queue.says);
};

/** 3.8 */
export const judgeThreads: Judge = (measured) => {
  const [threads, processes] = [measured.series("message", "threads"), measured.series("message", "processes")];
  const most = Math.max(...threads.keys());
  const [one, oneProcess, all, allProcesses] = [
    threads.get(1),
    processes.get(1),
    threads.get(most),
    processes.get(most),
  ];
  if (one === undefined || oneProcess === undefined || all === undefined || allProcesses === undefined)
    return NOT_KNOWN;
  const says = `a message of one thread ${formatNs(one)}, of one process ${formatNs(oneProcess)}; of ${most} together ${formatNs(all)} and ${formatNs(allProcesses)}`;
  return judged([one / oneProcess > NOTICED, all / allProcesses > GROWN], says);
};

/** 3.9 */
export const judgeChecking: Judge = (measured) => {
  const ratio = measured.ratio("latency", "unchecked", "checked", isShort);
  const call = measured.difference("call", "unchecked", "checked");
  if (ratio === undefined || call === undefined)
    return { verdict: "not known", says: "this MPI was built so that checks cannot be turned off" };
  return judged(
    [ratio > NOTICED],
    `${percent(ratio)} of a short message; ${signedNs(call)} of a call that sends nothing`,
  );
};

/** 3.10 */
export const judgeSparse: Judge = (measured) => {
  const loops = ["original", "no error checks", "no modulo", "two at a time"].map((loop) =>
    measured.series("loop", loop),
  );
  const most = Math.max(...(loops[0]?.keys() ?? []));
  const times = loops.flatMap((loop) => loop.get(most) ?? []);
  if (times.length < loops.length) return NOT_KNOWN;
  const helps = times.slice(1).map((ns, i) => (times[i] as number) / ns > NOTICED);
  return judged(helps, `${times.map(formatNs).join(", ")} at ${most} counts`);
};

interface Queue {
  readonly grows: boolean;
  /** Whether the longest costs more for each than those before it. */
  readonly bends: boolean;
  readonly says: string;
}

/** How time grows behind a queue of the MPI's; undefined for fewer than three lengths. */
function queueOf(measured: Measured, panel: string): Queue | undefined {
  const places = [...measured.series(panel, "MPI")];
  const [first, beforeLast, last] = [places.at(0), places.at(-2), places.at(-1)];
  if (first === undefined || beforeLast === undefined || last === undefined || places.length < 3) return undefined;
  const slope = (from: readonly [number, number], to: readonly [number, number]) =>
    (to[1] - from[1]) / (to[0] - from[0]);
  const [early, late] = [slope(first, beforeLast), slope(beforeLast, last)];
  return {
    grows: last[1] / first[1] > GROWN,
    bends: late / early > BENT,
    says: `${formatNs(first[1])} with ${first[0]}, ${formatNs(last[1])} with ${last[0]}: ${signedNs(early)} each up to ${beforeLast[0]}, ${signedNs(late)} past it`,
  };
}
