import type { Transfer } from "../place/transfer.js";
import type { HandleList } from "../../native/words.js";
import type { Context } from "../context.js";
import { Request, type Ending } from "./request.js";

/** An operation that is started again and again (MPI 4.1, section 3.9). */
export class PersistentRequest extends Request {
  readonly #context: Context;
  readonly #sent: Transfer | undefined;

  /** @internal */
  constructor(context: Context, cell: HandleList, ending: Ending, sent: Transfer | undefined) {
    super(context, cell, ending, true);
    this.#context = context;
    this.#sent = sent;
  }

  /**
   * Begins the operation with what the buffer holds now (MPI_Start). Throws a BridgeError where it is under way
   * already, or its buffer was transferred away.
   */
  start(): void {
    this.requireStartable();
    this.#sent?.pack()?.wait();
    if (this.isNative) this.#startNative();
    this.started();
  }

  #startNative(): void {
    const { native, entries } = this.#context;
    native.requireRunning("MPI_Start");
    const code = native.launch(entries.start, this.handleAddress, 0, 0, 0, 0);
    if (code !== 0) native.check("MPI_Start", code);
  }
}
