import type { Placed } from "../../message/place/placed.js";
import type { CallName } from "../../native/prototypes.js";
import { Request, requestCell, type WaitOptions } from "../../message/requests/request.js";
import type { Endpoint } from "../endpoint.js";

/** A collective that is ready to be called: arguments in MPI's order, but for the communicator and the request. */
export interface Prepared {
  readonly name: CallName;
  readonly args: readonly number[];
  /** What it works on, held until it is over. */
  readonly sides: readonly Side[];
}

/** One side of a collective. */
interface Side {
  readonly reads?: { pack(): void } | undefined;
  readonly writes?: { unpack(): void } | undefined;
  readonly transfer?: { readonly seen?: readonly Placed[]; release(): void } | undefined;
  /** Memory that MPI reads until it is over. */
  readonly tables?: readonly unknown[] | undefined;
}

/** How a prepared collective runs: to its end, or begun. MPI 4.1, chapter 6. */
export class CollectiveCalls {
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  run(prepared: Prepared, options: WaitOptions = {}): void {
    const { timeoutMs } = this.#endpoint.limits(options);
    // Ranks must do alike: all know of the time limit, and all know of the framing.
    if (timeoutMs !== undefined || this.#endpoint.framing !== undefined)
      return void this.#endpoint.waited(this.begin(prepared), options);
    const { name, args, sides } = prepared;
    this.#endpoint.requireNoTasks(name);
    try {
      for (const { reads } of sides) reads?.pack();
      this.#endpoint.context.native.call(name, ...args, this.#endpoint.handle);
      for (const { writes } of sides) writes?.unpack();
    } finally {
      for (const { transfer } of sides) transfer?.release();
    }
  }

  begin({ name, args, sides }: Prepared): Request {
    const release = (): void => {
      for (const { transfer } of sides) transfer?.release();
    };
    const cell = requestCell(this.#endpoint.context);
    try {
      for (const { reads } of sides) reads?.pack();
      this.#endpoint.context.native.call(nonblocking(name), ...args, this.#endpoint.handle, cell.address);
    } catch (error) {
      release();
      throw error;
    }
    const finish = (): void => {
      for (const { writes } of sides) writes?.unpack();
    };
    const memory = sides.flatMap(({ transfer }) => transfer?.seen ?? []);
    const subject = name.slice("MPI_".length).toLowerCase();
    return new Request(this.#endpoint.context, cell, { subject, memory, finish, release });
  }
}

/** MPI_Bcast begins as MPI_Ibcast. */
const nonblocking = (name: CallName): CallName => `MPI_I${name.slice("MPI_".length).toLowerCase()}` as CallName;
