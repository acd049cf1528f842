import { writeSync } from "node:fs";

/**
 * Descriptors of a service's process, in the order in which startService hands them over: what it tells whoever started
 * it goes through a pipe of its own, since Node and its options write to the others as they please.
 */
export const TELLING = 3;
export const LISTENER = 4;
/** The descriptor of the first client that was taken before the process began; those of the others follow. */
export const FIRST_CLIENT = 5;

/** One line of JSON each: it serves; it cannot, and why; how many datatypes it has been asked for and not answered. */
export type Told = { readonly ready: true } | { readonly refused: string } | { readonly waiting: number };

export const isTold = <Name extends "refused" | "waiting">(
  told: Told,
  name: Name,
): told is Extract<Told, Readonly<Record<Name, unknown>>> => name in told;

/** To whoever started this process, if that listens still. */
export function tell(told: Told): void {
  try {
    writeSync(TELLING, `${JSON.stringify(told)}\n`);
  } catch {
    // it has ended
  }
}
