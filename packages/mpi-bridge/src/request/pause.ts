const CELL = new Int32Array(new SharedArrayBuffer(4));
/** Turns that follow each other at once; later ones leave the processor to others. */
const BUSY_TURNS = 2000;
const PAUSE_MS = 0.05;

/** Between two turns of a blocking wait that polls. */
export function pause(turn: number): void {
  if (turn >= BUSY_TURNS) Atomics.wait(CELL, 0, 0, PAUSE_MS);
}
