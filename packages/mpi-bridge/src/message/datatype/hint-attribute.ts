import { trustHandle } from "@stowage/mpi-abi";
import type { Native } from "../../native/native.js";
import { cString, ints, textAt, widesOf } from "../../native/words.js";
import { hintsOfText, textOfHints, type Hints } from "./hints.js";

/**
 * Hints as an attribute of an MPI's datatypes (MPI 4.1, section 7.7.4), so that native code of this process gives and
 * reads them: its value is the address of a text such as "stowage_carrier=packed;stowage_reuse=1000". MPI_Type_dup
 * copies it.
 */
export class HintAttribute {
  readonly #native: Native;
  #key: number | undefined;
  /** Texts that datatypes point to; of a kind there is one. */
  readonly #texts = new Map<string, ReturnType<typeof cString>>();

  constructor(native: Native) {
    this.#native = native;
  }

  /** For MPI_Type_set_attr in native code; made when it is first asked for. */
  get key(): number {
    return (this.#key ??= this.#newKey());
  }

  set(handle: number, hints: Hints): void {
    const text = textOfHints(hints);
    const known = this.#texts.get(text) ?? cString(text);
    this.#texts.set(text, known);
    this.#trusting(handle, () => this.#native.call("MPI_Type_set_attr", handle, this.key, known.address));
  }

  /** None where nobody set any. Throws a BridgeError for a text that says what no hint is. */
  of(handle: number): Hints {
    const value = widesOf([0]);
    const { out } = this.#native;
    this.#trusting(handle, () => this.#native.call("MPI_Type_get_attr", handle, this.key, value.address, out.address));
    return out.values[0] === 0 ? {} : hintsOfText(textAt(Number(value.values[0])));
  }

  /** A handle that is no safe integer above 0 reaches no call. */
  #trusting(handle: number, work: () => void): void {
    using _ = trustHandle(this.#native.mpi, handle);
    work();
  }

  #newKey(): number {
    const { mpi } = this.#native;
    const { copy, remove } = mpi.constants.typeAttribute;
    const key = ints(1);
    this.#native.call("MPI_Type_create_keyval", copy, remove, key.address, 0);
    return key.values[0] as number;
  }
}
