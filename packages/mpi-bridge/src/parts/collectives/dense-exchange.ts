import { WrittenCall } from "../../native/launcher.js";
import { handleList, ints, type HandleList, type Ints } from "../../native/words.js";
import { MOST_INT } from "../../message/datatype/large-datatype.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";
import type { TypeLike } from "../../message/datatype/type-cache.js";
import { mayShrink, type HostPlaced } from "../../message/place/placed.js";
import type { Endpoint } from "../endpoint.js";
import type { Parts, TypedParts } from "./collective-buffers.js";

type Name = "MPI_Alltoallv" | "MPI_Alltoallw";

/**
 * Vector exchanges of elements that lie side by side in views, in one call of MPI: counts are checked as they are
 * written into tables that the calls share, and compared with those where the same parts come again. A blocking call is
 * over before the next one begins, and most of what a small one takes would otherwise be objects of its own (paper:
 * Balaji et al. 2010, section 3.10).
 */
export class DenseExchange {
  readonly #endpoint: Endpoint;
  readonly #name: Name;
  /** Four arguments of each side, and the communicator. */
  readonly #call = new WrittenCall();
  readonly #sent: DenseSide;
  readonly #received: DenseSide;
  #willForget = false;

  /** It ends with the communicator, whose handle is written once. */
  constructor(endpoint: Endpoint, name: Name) {
    this.#endpoint = endpoint;
    this.#name = name;
    this.#sent = new DenseSide(endpoint, this.#call, 1);
    this.#received = new DenseSide(endpoint, this.#call, 5);
    this.#call.write(0, endpoint.context.native.entryOf(name));
    this.#call.write(9, endpoint.handle);
  }

  /** Parts of one datatype. Whether it could be done so, and is done; nothing has happened otherwise. */
  run(sent: Parts, received: Parts): boolean {
    if (!this.#endpoint.mayBlock(NO_OPTIONS) || !isObject(sent) || !isObject(received)) return false;
    const isHeld =
      this.#sent.holds(sent.buffer, sent.counts, sent.displacements, sent.datatype) &&
      this.#received.holds(received.buffer, received.counts, received.displacements, received.datatype);
    if (!isHeld && !(this.#sent.take(sent) && this.#received.take(received))) return false;
    return this.#launch(isHeld);
  }

  /** The same of parts that have datatypes of their own. */
  runTyped(sent: TypedParts, received: TypedParts): boolean {
    if (!this.#endpoint.mayBlock(NO_OPTIONS) || !isObject(sent) || !isObject(received)) return false;
    const isHeld =
      this.#sent.holds(sent.buffer, sent.counts, sent.displacementsBytes, sent.datatypes) &&
      this.#received.holds(received.buffer, received.counts, received.displacementsBytes, received.datatypes);
    if (!isHeld && !(this.#sent.takeTyped(sent) && this.#received.takeTyped(received))) return false;
    return this.#launch(isHeld);
  }

  #launch(isHeld: boolean): true {
    if (!isHeld) this.#forgetSoon();
    const { native } = this.#endpoint.context;
    const code = native.launchWritten(this.#call);
    if (code !== 0) native.check(this.#name, code);
    return true;
  }

  /** Beyond this job of JavaScript what came last would keep a program's memory alive. */
  #forgetSoon(): void {
    if (this.#willForget) return;
    this.#willForget = true;
    queueMicrotask(() => {
      this.#willForget = false;
      this.#sent.forget();
      this.#received.forget();
    });
  }
}

const NO_OPTIONS = Object.freeze({});
const NO_BYTES = new Uint8Array(0);

/** One side of such an exchange, until the next one. */
class DenseSide {
  readonly #endpoint: Endpoint;
  readonly #size: number;
  readonly #call: WrittenCall;
  /** Where in the call its address, counts, displacements, and type or types are. */
  readonly #at: number;
  readonly #counts: Ints;
  readonly #displacements: Ints;
  readonly #handles: HandleList;
  /** What `#handles` holds, and what the caller gave for it. */
  readonly #types: BridgeType[] = [];
  readonly #given: TypeLike[] = [];
  // What the arguments were made of. Fields of their own: each object between would be a load more, for every call.
  #buffer: Parts["buffer"] | undefined;
  #heldCounts: readonly number[] | undefined;
  #heldDisplacements: readonly number[] | undefined;
  #datatypes: TypeLike | readonly TypeLike[] | undefined;
  /** The buffer's bytes, which a transfer takes away. */
  #bytes: Uint8Array = NO_BYTES;
  #sizeBytes = 0;

  constructor(endpoint: Endpoint, call: WrittenCall, at: number) {
    this.#endpoint = endpoint;
    this.#size = endpoint.size;
    this.#call = call;
    this.#at = at;
    this.#counts = ints(endpoint.size);
    this.#displacements = ints(endpoint.size);
    this.#handles = handleList(endpoint.context.native.mpi, endpoint.size);
  }

  forget(): void {
    this.#buffer = undefined;
    this.#heldCounts = undefined;
    this.#heldDisplacements = undefined;
    this.#datatypes = undefined;
    this.#bytes = NO_BYTES;
  }

  /** Whether the arguments are those of these parts, which say the same still. */
  holds(
    buffer: Parts["buffer"],
    counts: readonly number[],
    displacements: readonly number[] | undefined,
    datatypes: TypeLike | readonly TypeLike[],
  ): boolean {
    if (buffer === undefined || buffer !== this.#buffer || this.#bytes.length !== this.#sizeBytes) return false;
    if (counts !== this.#heldCounts || displacements !== this.#heldDisplacements || datatypes !== this.#datatypes)
      return false;
    // In one loop, and here: another loop, or a call that V8 does not inline, takes as long as some entries.
    const size = this.#size;
    const held = this.#counts.values;
    const heldAt = this.#displacements.values;
    if (counts.length !== size || (displacements !== undefined && displacements.length !== size)) return false;
    for (let i = 0; i < size; i++)
      if (counts[i] !== held[i] || (displacements !== undefined && displacements[i] !== heldAt[i])) return false;
    // Types of names are kept as long as MPI runs.
    return typeof datatypes === "string" || this.#areHeld(datatypes);
  }

  /** Makes the arguments; false for what the general way refuses, or packs. */
  take(parts: Parts): boolean {
    const { buffer, counts, displacements, datatype } = parts;
    this.forget();
    const placed = this.#placed(buffer);
    if (placed === undefined || !isListOf(counts, this.#size)) return false;
    if (displacements !== undefined && !isListOf(displacements, this.#size)) return false;
    const type = this.#typeOf(datatype, 0);
    let sum = 0;
    for (let i = 0; i < this.#size; i++) {
      const [count, at] = [counts[i] as number, displacements === undefined ? sum : (displacements[i] as number)];
      if (!this.#write(i, placed, type, count, at, at * type.extentBytes)) return false;
      sum += count;
    }
    this.#hold(placed, type.native, buffer, counts, displacements, datatype);
    return true;
  }

  /** The same of parts that have datatypes of their own. */
  takeTyped(parts: TypedParts): boolean {
    const { buffer, counts, displacementsBytes, datatypes } = parts;
    this.forget();
    const placed = this.#placed(buffer);
    if (placed === undefined || ![counts, displacementsBytes, datatypes].every((each) => isListOf(each, this.#size)))
      return false;
    for (let i = 0; i < this.#size; i++) {
      const [count, at] = [counts[i] as number, displacementsBytes[i] as number];
      if (!this.#write(i, placed, this.#typeOf(datatypes[i] as TypeLike, i), count, at, at)) return false;
    }
    this.#hold(placed, this.#handles.address, buffer, counts, displacementsBytes, datatypes);
    return true;
  }

  /** Puts a part into the tables, unless the general way refuses it. */
  #write(part: number, placed: HostPlaced, type: BridgeType, count: number, at: number, atBytes: number): boolean {
    if (type.dense === undefined || !isCount(count) || !isInt(at)) return false;
    if (count > 0 && (atBytes < 0 || atBytes + count * type.extentBytes > placed.buffer.sizeBytes)) return false;
    this.#counts.values[part] = count;
    this.#displacements.values[part] = at;
    return true;
  }

  #hold(
    { address, buffer: { bytes, sizeBytes } }: HostPlaced,
    types: number,
    buffer: Parts["buffer"],
    counts: readonly number[],
    displacements: readonly number[] | undefined,
    datatypes: TypeLike | readonly TypeLike[],
  ): void {
    const { address: countsAddress } = this.#counts;
    [address, countsAddress, this.#displacements.address, types].forEach((each, i) =>
      this.#call.write(this.#at + i, each),
    );
    this.#buffer = buffer;
    this.#bytes = bytes;
    this.#sizeBytes = sizeBytes;
    this.#heldCounts = counts;
    this.#heldDisplacements = displacements;
    this.#datatypes = datatypes;
  }

  /** Where a view lies that JavaScript cannot shrink. */
  #placed(buffer: Parts["buffer"]): HostPlaced | undefined {
    if (!ArrayBuffer.isView(buffer)) return undefined;
    const placed = this.#endpoint.context.places.of(buffer) as HostPlaced;
    return mayShrink(placed) ? undefined : placed;
  }

  /** Of a part. */
  #typeOf(given: TypeLike, part: number): BridgeType {
    const known = this.#types[part];
    if (known !== undefined && given === this.#given[part] && typeof given === "string") return known;
    const type = this.#endpoint.context.types.of(given);
    this.#given[part] = given;
    if (type === known) return type;
    this.#handles.set(part, type.native);
    return (this.#types[part] = type);
  }

  /** Types of the caller's own throw once they were disposed of; others that were built are not kept. */
  #areHeld(datatypes: TypeLike | readonly TypeLike[]): boolean {
    if (!Array.isArray(datatypes)) return this.#isHeld(datatypes as TypeLike, 0);
    if (datatypes.length !== this.#size) return false;
    for (let i = 0; i < datatypes.length; i++) if (!this.#isHeld(datatypes[i] as TypeLike, i)) return false;
    return true;
  }

  #isHeld(given: TypeLike, part: number): boolean {
    if (given !== this.#given[part]) return false;
    if (typeof given === "string") return true;
    if (given !== this.#types[part]) return false;
    this.#types[part]?.requireUsable();
    return true;
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const isListOf = (list: unknown, length: number): boolean => Array.isArray(list) && list.length === length;

const isInt = (value: number): boolean => typeof value === "number" && (value | 0) === value;

const isCount = (value: number): boolean => isInt(value) && value >= 0 && value <= MOST_INT;
