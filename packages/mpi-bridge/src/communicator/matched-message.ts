import type { Message } from "../buffer/message.js";
import type { Transfer } from "../buffer/transfer.js";
import { BridgeError } from "../errors.js";
import type { HandleList } from "../native/words.js";
import { Request, requestCell, type WaitOptions } from "../request/request.js";
import type { Status } from "../request/status.js";
import type { Context } from "../world/context.js";

/** A message that mprobe took out: received once, by its holder (MPI 4.1, section 3.8.2). */
export class MatchedMessage {
  readonly status: Status;
  readonly #context: Context;
  readonly #cell: HandleList;
  readonly #transferOf: (message: Message) => Transfer;
  #received = false;

  /** @internal */
  constructor(context: Context, cell: HandleList, status: Status, transferOf: (message: Message) => Transfer) {
    this.#context = context;
    this.#cell = cell;
    this.status = status;
    this.#transferOf = transferOf;
  }

  /** Receives it (MPI_Mrecv). */
  recv(into: Message, options: WaitOptions = {}): Status {
    return this.irecv(into).wait(options);
  }

  /** Begins to receive it (MPI_Imrecv). */
  irecv(into: Message): Request {
    if (this.#received) throw new BridgeError("message of mprobe", "one to be received", "one that was");
    const { native, entries, cells } = this.#context;
    const transfer = this.#transferOf(into);
    const cell = requestCell(this.#context);
    const { address, count, handle } = transfer;
    const code = native.launch(entries.imrecv, address, count, handle, this.#cell.address, cell.address);
    if (code !== 0) {
      transfer.release();
      native.check("MPI_Imrecv", code);
    }
    this.#received = true;
    cells.give(this.#cell);
    return new Request(this.#context, cell, {
      subject: `recv of a matched message from ${this.status.source}`,
      finish: ({ sizeBytes }) => void transfer.unpack(sizeBytes)?.wait(),
      release: () => transfer.release(),
    });
  }
}
