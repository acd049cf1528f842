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
const isContradiction = ({ ratio, ns }: Added): boolean =>
  (ratio > NOTICED && ns <= 0) || (ratio < 1 / NOTICED && ns >= 0);
const contradicted = ({ ratio, ns }: Added): Judged => noise(`${percent(ratio)}, yet ${signedNs(ns)}`);
const noise = (says: string): Judged => ({
  verdict: "not known",
  says: `${says}: noise, measure again on a machine without other work`,
});
const signedNs = (ns: number): string => (ns < 0 ? `-${formatNs(-ns)}` : formatNs(ns));

/** What the second series of a panel takes over the first, by both of its medians. */
interface Added {
  readonly ratio: number;
  readonly ns: number;
}

function addedBy(
  measured: Measured,
  panel: string,
  first: string,
  second: string,
  isAsked?: (x: number) => boolean,
): Added | undefined {
  const ratio = measured.ratio(panel, first, second, isAsked);
  const ns = measured.difference(panel, first, second, isAsked);
  return ratio === undefined || ns === undefined ? undefined : { ratio, ns };
}

/** 3.1 */
export const judgeStack: Judge = (measured) => {
  const added = addedBy(measured, "latency", "shared memory", "MPI", isShort);
  if (added === undefined) return NOT_KNOWN;
  if (isContradiction(added)) return contradicted(added);
  const [limit] = measured.series(EAGER_LIMIT, "MPI");
  const step = limit === undefined ? "no step was found" : `past ${limit[0]} bytes ${formatNs(limit[1])} more`;
  return judged([added.ratio > NOTICED, limit !== undefined], `${signedNs(added.ns)} over shared memory; ${step}`);
};

/** 3.2 */
export const judgeRequests: Judge = (measured) => {
  const added = addedBy(measured, "latency", "blocking", "nonblocking", isShort);
  if (added === undefined) return NOT_KNOWN;
  if (isContradiction(added)) return contradicted(added);
  return judged([added.ratio > NOTICED], `${signedNs(added.ns)} a short message`);
};

/** 3.3 */
export const judgeMatching: Judge = (measured) => {
  const queue = queueOf(measured, "requests");
  if (queue === undefined) return NOT_KNOWN;
  if (queue.isNoise) return noise(queue.says);
  const peers = measured.ends("peers", "MPI");
  const byPeers =
    peers === undefined
      ? ""
      : `; ${formatNs(peers[0].ns)} with ${peers[0].x} peer, ${formatNs(peers[1].ns)} with ${peers[1].x}`;
  return judged([queue.grows, queue.bends], `${queue.says}${byPeers}`);
};

/** 3.4 */
export const judgeWaitany: Judge = (measured) => judgedByGrowth(queueOf(measured, "requests"));

/** 3.5 */
export const judgeDatatypes: Judge = (measured) => {
  const kinds = ["char", "short", "int", "double"].flatMap(
    (kind) => addedBy(measured, "long", "contiguous", kind) ?? [],
  );
  if (kinds.length < 4) return NOT_KNOWN;
  const contradiction = kinds.find(isContradiction);
  if (contradiction !== undefined) return contradicted(contradiction);
  const [chars = 0, ...others] = kinds.map(({ ratio }) => ratio);
  const least = Math.min(chars, ...others);
  const says = `chars take ${significant(chars)} times as long as contiguous ones, doubles ${significant(others.at(-1) as number)}`;
  return judged([least > NOTICED, chars >= Math.max(...others)], says);
};

/** 3.6 */
export const judgeAlignment: Judge = (measured) => {
  const offsets = Array.from({ length: 8 }, (_, offset) => addedBy(measured, "latency", "0", String(offset)));
  const inside = medianOf(offsets.slice(0, 5));
  const across = medianOf(offsets.slice(5));
  if (inside === undefined || across === undefined) return NOT_KNOWN;
  const added = { ratio: across.ratio / inside.ratio, ns: across.ns - inside.ns };
  if (isContradiction(added)) return contradicted(added);
  return judged([added.ratio > NOTICED], `offsets 5 to 7 against 0 to 4: ${percent(added.ratio)}`);
};

function medianOf(all: readonly (Added | undefined)[]): Added | undefined {
  const [ratio, ns] = [median(all.flatMap((one) => one?.ratio ?? [])), median(all.flatMap((one) => one?.ns ?? []))];
  return ratio === undefined || ns === undefined ? undefined : { ratio, ns };
}

/** 3.7 */
export const judgeUnexpected: Judge = (measured) => judgedByGrowth(queueOf(measured, "messages"));

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
  const message = addedBy(measured, "latency", "unchecked", "checked", isShort);
  const call = addedBy(measured, "call", "unchecked", "checked");
  if (message === undefined || call === undefined)
    return { verdict: "not known", says: "this MPI was built so that checks cannot be turned off" };
  const contradiction = [message, call].find(isContradiction);
  if (contradiction !== undefined) return contradicted(contradiction);
  const says = `${percent(message.ratio)} of a short message; ${signedNs(call.ns)} of a call that sends nothing`;
  // Both have all checks: a message cannot cost more for what a call costs less.
  if (message.ratio > NOTICED && call.ns <= 0) return noise(says);
  return judged([message.ratio > NOTICED], says);
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
  /** Whether it falls noticeably on its way up: no queue makes that. */
  readonly isNoise: boolean;
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
  const grows = last[1] / first[1] > GROWN;
  return {
    grows,
    isNoise: grows && [beforeLast[1] / first[1], last[1] / beforeLast[1]].some((ratio) => ratio < 1 / NOTICED),
    bends: grows && early > 0 && late / early > BENT,
    says: `${formatNs(first[1])} with ${first[0]}, ${formatNs(last[1])} with ${last[0]}: ${signedNs(early)} each up to ${beforeLast[0]}, ${signedNs(late)} past it`,
  };
}

function judgedByGrowth(queue: Queue | undefined): Judged {
  if (queue === undefined) return NOT_KNOWN;
  return queue.isNoise ? noise(queue.says) : judged([queue.grows], queue.says);
}
