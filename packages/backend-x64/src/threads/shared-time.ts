import { figuresOf, type Profile } from "@stowage/backend-api";
import { NAME } from "../payload.js";

/**
 * A launch that `threads` share, of which one would take `aloneNs`: handing it over and waiting for the last, and what each
 * other thread is worth beside the caller.
 */
export function sharedNs(aloneNs: number, threads: number, profile: Profile): number {
  const figure = figuresOf(profile, NAME, "threads");
  return figure("share") + aloneNs / (1 + figure("worth") * (threads - 1));
}

/** Time of one thread from which sharing is quicker; Infinity where it never is. */
export function worthSharingNs(threads: number, profile: Profile): number {
  const figure = figuresOf(profile, NAME, "threads");
  const others = figure("worth") * (threads - 1);
  return others === 0 ? Infinity : (figure("share") * (1 + others)) / others;
}
