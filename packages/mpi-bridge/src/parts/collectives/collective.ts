import type { CallName } from "../../native/prototypes.js";
import { Request, requestCell, type WaitOptions } from "../../message/requests/request.js";
import type { Endpoint } from "../endpoint.js";

/** What all ranks call together: as a call that blocks, or as one that begins. */
export interface Operation {
  run(options?: WaitOptions): void;
  begin(): Request;
}

/** One side of a collective. */
interface Side {
  readonly reads?: { pack(): void } | undefined;
  readonly writes?: { unpack(): void } | undefined;
  readonly transfer?: { readonly isThere?: boolean; release(): void } | undefined;
  /** Memory that MPI reads until it is over. */
  readonly tables?: readonly unknown[] | undefined;
}

/** A collective that is ready to be called: arguments in MPI's order, but for the communicator and the request. */
export interface Prepared {
  readonly name: CallName;
  readonly args: readonly number[];
  /** What it works on, held until it is over. */
  readonly sides: readonly Side[];
}

/** A collective of the MPI (MPI 4.1, chapter 6). */
export class Collective implements Operation {
  readonly #endpoint: Endpoint;
  readonly #prepared: Prepared;

  constructor(endpoint: Endpoint, prepared: Prepared) {
    this.#endpoint = endpoint;
    this.#prepared = prepared;
  }

  run(options: WaitOptions = {}): void {
    const { timeoutMs } = this.#endpoint.limits(options);
    // Ranks must do alike: all know of the time limit, and all know of the framing.
    if (timeoutMs !== undefined || this.#endpoint.framing !== undefined)
      return void this.#endpoint.waited(this.begin(), options);
    const { name, args, sides } = this.#prepared;
    this.#endpoint.requireNoTasks(name);
    try {
      for (const { reads } of sides) reads?.pack();
      this.#endpoint.context.native.call(name, ...args, this.#endpoint.handle);
      for (const { writes } of sides) writes?.unpack();
    } finally {
      this.#release();
    }
  }

  begin(): Request {
    const { name, args, sides } = this.#prepared;
    const { context, handle } = this.#endpoint;
    const release = (): void => this.#release();
    const cell = requestCell(context);
    try {
      for (const { reads } of sides) reads?.pack();
      context.native.call(nonblocking(name), ...args, handle, cell.address);
    } catch (error) {
      release();
      throw error;
    }
    const finish = (): void => {
      for (const { writes } of sides) writes?.unpack();
    };
    const hasMemory = (): boolean => sides.every(({ transfer }) => transfer?.isThere !== false);
    const subject = name.slice("MPI_".length).toLowerCase();
    return new Request(context, cell, { subject, hasMemory, finish, release });
  }

  #release(): void {
    for (const { transfer } of this.#prepared.sides) transfer?.release();
  }
}

/** MPI_Bcast begins as MPI_Ibcast. */
const nonblocking = (name: CallName): CallName => `MPI_I${name.slice("MPI_".length).toLowerCase()}` as CallName;
