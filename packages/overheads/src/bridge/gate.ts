import koffi from "koffi";
import { openSync } from "node:fs";
import { GATE_BYTES } from "../run/gate-file.js";

// mmap(2).
const READ_WRITE = 3;
const SHARED = 1;
/** (void *)-1 */
const FAILED = 2 ** 63;

/** As in c/measure.h: two counters, then the flags. */
const [ARRIVED, ROUND, FLAGS] = [0, 1, 2];
const CELL = new Int32Array(new SharedArrayBuffer(4));
/** Turns that follow each other at once; later ones leave the processor to others. */
const BUSY_TURNS = 20_000;
const PAUSE_MS = 0.05;

/** Memory of all ranks, and a barrier and flags in it that MPI does not see. */
export class Gate {
  readonly #words: Int32Array;
  readonly #ranks: number;

  constructor(path: string, ranks: number) {
    const mmap = koffi.load("libc.so.6").func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)") as Mmap;
    const address = mmap(0, GATE_BYTES, READ_WRITE, SHARED, openSync(path, "r+"), 0);
    if (address >= FAILED) throw new Error(`mmap of ${path}: expected shared memory, got errno ${koffi.errno()}`);
    this.#words = new Int32Array(koffi.view(BigInt(address), GATE_BYTES));
    this.#ranks = ranks;
  }

  barrier(): void {
    const words = this.#words;
    const round = Atomics.load(words, ROUND);
    if (Atomics.add(words, ARRIVED, 1) === this.#ranks - 1) {
      Atomics.store(words, ARRIVED, 0);
      Atomics.store(words, ROUND, round + 1);
    } else for (let turn = 0; Atomics.load(words, ROUND) === round; turn++) pauseAt(turn);
  }

  set(flag: number, value: number): void {
    Atomics.store(this.#words, FLAGS + flag, value);
  }

  get(flag: number): number {
    return Atomics.load(this.#words, FLAGS + flag);
  }

  add(flag: number): void {
    Atomics.add(this.#words, FLAGS + flag, 1);
  }

  /** Returns once the flag has this value, or a larger one. */
  wait(flag: number, value: number): void {
    for (let turn = 0; this.get(flag) < value; turn++) pauseAt(turn);
  }
}

export function pauseAt(turn: number): void {
  if (turn > BUSY_TURNS) Atomics.wait(CELL, 0, 0, PAUSE_MS);
}

type Mmap = (address: number, bytes: number, protection: number, flags: number, file: number, offset: number) => number;
