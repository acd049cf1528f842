import type { Context, PinnedMemory } from "@stowage/cuda-driver";

/**
 * Mapped host memory between a program and a resident kernel. The bell, which the kernel reads at once: a number, and
 * two addresses of 48 bits. Behind it, in a line that the kernel writes: the number it did last, and its launch if it
 * left.
 */
export const MAILBOX = { bell: 0, done: 64, left: 68, bytes: 128 } as const;
/** The number that tells the kernel to leave. */
export const LEAVE = 0xffff_ffff;
const HALF = 2 ** 32;

/** The program's side of a mailbox. */
export class Mailbox implements Disposable {
  readonly #memory: PinnedMemory;
  readonly #cells: Int32Array;

  constructor(context: Context) {
    this.#memory = context.pinnedMemory(MAILBOX.bytes);
    const { bytes } = this.#memory;
    this.#cells = new Int32Array(bytes.buffer, bytes.byteOffset, MAILBOX.bytes / 4);
    this.#cells.fill(0);
  }

  get address(): number {
    return this.#memory.address;
  }

  /** The addresses first: who sees the number sees them. */
  ring(number: number, packedAddress: number, scatteredAddress: number): void {
    const cells = this.#cells;
    cells[1] = (packedAddress % HALF) | 0;
    cells[2] = (scatteredAddress % HALF) | 0;
    cells[3] = Math.floor(packedAddress / HALF) | (Math.floor(scatteredAddress / HALF) << 16);
    Atomics.store(cells, MAILBOX.bell / 4, number | 0);
  }

  get done(): number {
    return Atomics.load(this.#cells, MAILBOX.done / 4) >>> 0;
  }

  /** The launch that left last; 0 while none has. */
  get left(): number {
    return Atomics.load(this.#cells, MAILBOX.left / 4) >>> 0;
  }

  [Symbol.dispose](): void {
    this.#memory[Symbol.dispose]();
  }
}
