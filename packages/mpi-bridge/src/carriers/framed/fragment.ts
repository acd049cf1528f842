import type { StagingBuffer } from "../../message/place/staging.js";
import type { HandleList } from "../../native/words.js";
import { requestCell } from "../../message/requests/request.js";
import { readStatus, Status } from "../../message/requests/status.js";
import type { Context } from "../../message/context.js";

/** One message of MPI's that is under way for a framed one. */
export class Fragment {
  readonly #context: Context;
  readonly #cell: HandleList;
  /** Memory of ours that it works on; absent where it works on the caller's. */
  readonly staging: StagingBuffer | undefined;
  #ended = false;
  #wantsCancel = false;

  /** `begin` makes the call of MPI, which writes its request to the address that it is given. */
  constructor(context: Context, staging: StagingBuffer | undefined, begin: (requestAddress: number) => void) {
    this.#context = context;
    this.staging = staging;
    this.#cell = requestCell(context);
    try {
      begin(this.#cell.address);
    } catch (error) {
      this.#give();
      throw error;
    }
  }

  /** Its status, once it is over; throws a MpiError where it failed. */
  test(): Status | undefined {
    const { native, entries } = this.#context;
    const { out, status } = native;
    const code = native.launch(entries.test, this.#cell.address, out.address, status.address, 0, 0);
    if (code !== 0) native.check("MPI_Test", code);
    if (out.values[0] === 0) return undefined;
    this.#context.progress.moved++;
    const told = readStatus(status.values, 0, native.constants);
    return this.#wantsCancel && this.#wasCancelled() ? new Status(told.source, told.tag, 0, true) : told;
  }

  /** Whether it is over; its memory serves the next one then. */
  hasEnded(): boolean {
    if (this.test() === undefined) return false;
    this.end();
    return true;
  }

  cancel(): void {
    this.#wantsCancel = true;
    this.#context.native.call("MPI_Cancel", this.#cell.address);
  }

  /** The message is over: its memory serves the next one. */
  end(): void {
    if (!this.#ended) this.#give();
  }

  #give(): void {
    this.#ended = true;
    this.#context.cells.give(this.#cell);
    this.staging?.home.give(this.staging);
  }

  #wasCancelled(): boolean {
    const { native } = this.#context;
    native.call("MPI_Test_cancelled", native.status.address, native.out.address);
    return native.out.values[0] !== 0;
  }
}
