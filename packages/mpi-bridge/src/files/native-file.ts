import type { Bare } from "../message/place/bare.js";
import type { Communicator } from "../communicator/communicator.js";
import type { BridgeType } from "../message/datatype/bridge-type.js";
import type { CallName } from "../native/prototypes.js";
import { addressOf, cString } from "../native/words.js";
import { readStatus } from "../message/requests/status.js";
import type { Context } from "../message/context.js";

/** The calls of one MPI_File (MPI 4.1, chapter 14). */
export class NativeFile {
  readonly #context: Context;
  readonly #cell = new BigInt64Array(new ArrayBuffer(8));

  constructor(context: Context, comm: Communicator, path: string, mode: number) {
    this.#context = context;
    const { native } = context;
    const name = cString(path);
    native.call("MPI_File_open", comm.handle, name.address, mode, native.constants.infoNull, addressOf(this.#cell));
  }

  get #handle(): number {
    return Number(this.#cell[0]);
  }

  close(): void {
    this.#context.native.call("MPI_File_close", addressOf(this.#cell));
  }

  sync(): void {
    this.#context.native.call("MPI_File_sync", this.#handle);
  }

  get sizeBytes(): number {
    const size = new BigInt64Array(new ArrayBuffer(8));
    this.#context.native.call("MPI_File_get_size", this.#handle, addressOf(size));
    return Number(size[0]);
  }

  set sizeBytes(bytes: number) {
    this.#context.native.call("MPI_File_set_size", this.#handle, bytes);
  }

  setView(displacementBytes: number, etype: BridgeType, filetype: BridgeType): void {
    const { native } = this.#context;
    const representation = cString("native");
    const types = [handleOf(etype), handleOf(filetype)];
    const rest = [representation.address, native.constants.infoNull];
    native.call("MPI_File_set_view", this.#handle, displacementBytes, ...types, ...rest);
  }

  /** Returns how many bytes were moved. */
  move(
    name: Extract<CallName, `MPI_File_${"read" | "write"}${string}`>,
    offset: number,
    { address, count, handle }: Bare,
  ): number {
    const { native } = this.#context;
    const { status } = native;
    status.values.fill(0);
    native.call(name, this.#handle, offset, address, count, handle, status.address);
    return readStatus(status.values, 0, native.constants).sizeBytes;
  }
}

/** An etype and a filetype of one predefined type are that type: MPIs compare them. */
const handleOf = (type: BridgeType): number => type.native;
