import { predefinedHandle } from "@stowage/mpi-abi";
import { Transfer } from "../message/place/transfer.js";
import type { Placed } from "../message/place/placed.js";
import type { Bare } from "../message/place/bare.js";
import type { Context } from "../message/context.js";

interface StagedOrigin {
  readonly transfer: Transfer;
  readonly rank: number;
  readonly isRead: boolean;
}

/** Origins in a device's memory, packed in pinned memory that the MPI reads and writes until the epoch ends. */
export class StagedOrigins {
  readonly #context: Context;
  #staged: StagedOrigin[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** What the MPI is given: elements of the one predefined type that there is, else bytes. */
  add(act: "put" | "get" | "accumulate", origin: Placed, rank: number): Bare {
    const { mpi } = this.#context.native;
    const { type, count, sizeBytes } = origin;
    const basic = type.basic ?? { handle: predefinedHandle(mpi, "MPI_PACKED"), perElement: sizeBytes / count };
    const transfer = new Transfer(this.#context, origin, "packed");
    this.#staged.push({ transfer, rank, isRead: act === "get" });
    if (act !== "get" && sizeBytes > 0) transfer.pack()?.wait();
    return { address: transfer.address, count: count === 0 ? 0 : count * basic.perElement, handle: basic.handle };
  }

  /** Operations with one rank, or with all, are over: what was got goes to the device. */
  settle(rank?: number): void {
    const over = this.#staged.filter((each) => rank === undefined || each.rank === rank);
    this.#staged = this.#staged.filter((each) => !over.includes(each));
    for (const { transfer, isRead } of over) {
      if (isRead) transfer.unpack(transfer.placed.sizeBytes)?.wait();
      transfer.release();
    }
  }
}
