import type { CodeArena, ExecutableCode } from "./memory/executable.js";

/** The pieces of machine code of one kernel: they stay until the kernel and all its plans have let go of them. */
export class KernelCode {
  readonly #arena: CodeArena;
  readonly #pieces: ExecutableCode[] = [];
  #users = 1;

  constructor(arena: CodeArena) {
    this.#arena = arena;
  }

  /** The address of one more piece. Throws a DeviceError where the system refuses executable memory. */
  add(code: Uint8Array): number {
    const piece = this.#arena.add(code);
    this.#pieces.push(piece);
    return piece.address;
  }

  /** One more user: a plan that may run the code. */
  hold(): void {
    this.#users++;
  }

  release(): void {
    this.#users--;
    if (this.#users === 0) for (const piece of this.#pieces) piece.release();
  }
}
