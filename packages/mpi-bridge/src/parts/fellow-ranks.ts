import { MpiError } from "@stowage/mpi-abi";
import { BridgeError } from "../errors.js";
import type { Context } from "../message/context.js";
import { Request, requestCell } from "../message/requests/request.js";

/** What the others may take to come where no time limit is set: some compute for long. */
const LIMIT_MS = 30_000;

/**
 * Whether all ranks of a communicator are programs of this package. C and Python programs make the calls of MPI that
 * their source says; where a call of ours takes more than those, nobody answers there, and ranks would wait for ever.
 * Ours meet in a barrier of which only they know: once for a communicator and all that are made of it.
 */
export class FellowRanks {
  readonly #context: Context;
  readonly #communicator: () => number;
  #areOurs: boolean;
  #arriving: Request | undefined;
  #end = 0;

  /** `areOurs`: where it is known already. */
  constructor(context: Context, communicator: () => number, areOurs: boolean) {
    this.#context = context;
    this.#communicator = communicator;
    this.#areOurs = areOurs;
  }

  get areOurs(): boolean {
    return this.#areOurs;
  }

  /** Whether it is known, or asked: the same on all ranks, who ask in the same call. */
  get isAsked(): boolean {
    return this.#areOurs || this.#arriving !== undefined;
  }

  /** All ranks agreed on something else. */
  know(): void {
    this.#areOurs = true;
  }

  /**
   * Returns once all have come. Throws a BridgeError where some do not within the time limit. All ranks call it, unless
   * it is known.
   */
  require(subject: string, otherwise: string, limitMs = LIMIT_MS): void {
    if (this.#areOurs) return;
    try {
      this.#begun(limitMs).wait({ timeoutMs: limitMs });
    } catch (error) {
      throw alone(subject, otherwise, gotOf(error, limitMs), error);
    }
    this.#areOurs = true;
  }

  /** Whether all have come, without waiting. Throws as `require` does once the time limit is over. */
  haveCome(subject: string, otherwise: string, limitMs = LIMIT_MS): boolean {
    try {
      if (!this.#areOurs) this.#areOurs = this.#begun(limitMs).test() !== undefined;
    } catch (error) {
      throw alone(subject, otherwise, gotOf(error, limitMs), error);
    }
    if (!this.#areOurs && performance.now() > this.#end) throw alone(subject, otherwise, gotOf(undefined, limitMs));
    return this.#areOurs;
  }

  /** One that was begun and given up is the next one's. */
  #begun(limitMs: number): Request {
    if (this.#arriving !== undefined) return this.#arriving;
    this.#end = performance.now() + limitMs;
    const cell = requestCell(this.#context);
    this.#context.native.call("MPI_Ibarrier", this.#communicator(), cell.address);
    return (this.#arriving = new Request(this.#context, cell, { subject: "barrier of programs of this package" }));
  }
}

/** Open MPI takes messages of another collective for the barrier's, and says that they are too long. */
const gotOf = (error: unknown, limitMs: number): string =>
  error instanceof MpiError
    ? `an answer of another program (${error.errorClass})`
    : `no word of some of them within ${limitMs} ms`;

const alone = (subject: string, otherwise: string, got: string, cause?: unknown): BridgeError =>
  new BridgeError(subject, `programs of this package as all ranks, or ${otherwise}`, got, { cause });
