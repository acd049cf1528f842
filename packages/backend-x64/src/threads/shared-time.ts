import { figuresOf, type FigureOf, type Profile } from "@stowage/backend-api";
import { NAME } from "../payload.js";

/**
 * How a launch comes to be shared among threads. "call": a call cuts its own slices; "bound": a plan has them since it
 * was bound.
 */
export type SharingMode = "call" | "bound";

/**
 * Nanoseconds of a launch that `threads` threads share, of which one would take `aloneNs`: the cost of handing it over
 * and waiting for the last, and the part of the work that each other thread does beside the caller.
 */
export function sharedNs(aloneNs: number, threads: number, profile: Profile, mode: SharingMode = "call"): number {
  const figure = threadFigures(profile, mode);
  return figure("share") + aloneNs / (1 + figure("worth") * (threads - 1));
}

/** Time of one thread from which sharing is quicker; Infinity where it never is. */
export function worthSharingNs(threads: number, profile: Profile, mode: SharingMode): number {
  const figure = threadFigures(profile, mode);
  const others = figure("worth") * (threads - 1);
  return others === 0 ? Infinity : (figure("share") * (1 + others)) / others;
}

/** Nanoseconds to commit for several threads, where one takes `aloneNs`: slices have code of their own. */
export const sharedCommitNs = (aloneNs: number, profile: Profile): number =>
  aloneNs * Math.max(1, figuresOf(profile, NAME, "threads")("commit"));

const threadFigures = (profile: Profile, mode: SharingMode): FigureOf => figuresOf(profile, NAME, `threads.${mode}`);
