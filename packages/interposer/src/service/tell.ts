import { Socket } from "node:net";

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

let listener: Socket | undefined;
/** What came last while the one who listens read nothing. */
let unheard: Told | undefined;

/** To whoever started this process, if that listens still. It may be stopped, or busy, and is not waited for. */
export function tell(told: Told): void {
  listener ??= listenerAt(TELLING);
  if (listener.writableNeedDrain) unheard = told;
  else listener.write(`${JSON.stringify(told)}\n`);
}

function listenerAt(fd: number): Socket {
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.on("error", () => undefined); // it has ended
  socket.on("drain", () => {
    const told = unheard;
    unheard = undefined;
    if (told !== undefined) tell(told);
  });
  return socket.unref();
}
