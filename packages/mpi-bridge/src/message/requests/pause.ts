const CELL = new Int32Array(new SharedArrayBuffer(4));
/** Turns that follow each other at once; later ones leave the processor to others. */
const BUSY_TURNS = 2000;
const PAUSE_MS = 0.05;

/** What counts the chunks of framed messages that have come and gone. */
interface Movement {
  readonly moved: number;
}

const STILL: Movement = Object.freeze({ moved: 0 });

/** Between the turns of a blocking wait that polls: busily at first, and again whenever something has moved. */
export class Pauses {
  readonly #movement: Movement;
  #seen: number;
  #turn = 0;

  constructor(movement: Movement = STILL) {
    this.#movement = movement;
    this.#seen = movement.moved;
  }

  next(): void {
    const { moved } = this.#movement;
    this.#turn = moved === this.#seen ? this.#turn + 1 : 0;
    this.#seen = moved;
    if (this.#turn >= BUSY_TURNS) Atomics.wait(CELL, 0, 0, PAUSE_MS);
  }
}
