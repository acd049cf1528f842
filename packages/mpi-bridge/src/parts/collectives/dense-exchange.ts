import { WrittenCall } from "../../native/launcher.js";
import { handleList, ints, type HandleList, type Ints } from "../../native/words.js";
import { MOST_INT } from "../../message/datatype/large-datatype.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";
import type { TypeLike } from "../../message/datatype/type-cache.js";
import { isThere, mayShrink, type Placed } from "../../message/place/placed.js";
import type { CallName } from "../../native/prototypes.js";
import type { Endpoint } from "../endpoint.js";
import type { Parts, TypedParts } from "./collective-buffers.js";

/**
 * Vector exchanges of elements that lie side by side in views, in one call of MPI: counts are checked as they are
 * written into tables that the calls share, and compared with those where the same parts come again. A blocking call is
 * over before the next one begins, and most of what a small one takes would otherwise be objects of its own (paper:
 * Balaji et al. 2010, section 3.10).
 */
export class DenseExchange {
  readonly #endpoint: Endpoint;
  /** Four arguments of each side, and the communicator. */
  readonly #call = new WrittenCall();
  readonly #sent: DenseSide;
  readonly #received: DenseSide;
  readonly #alltoallv: number;
  readonly #alltoallw: number;
  #willForget = false;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    const { native } = endpoint.context;
    this.#sent = new DenseSide(endpoint, this.#call.cells.subarray(1, 5));
    this.#received = new DenseSide(endpoint, this.#call.cells.subarray(5, 9));
    this.#alltoallv = native.entryOf("MPI_Alltoallv");
    this.#alltoallw = native.entryOf("MPI_Alltoallw");
  }

  /** Whether it could be done so, and is done; nothing has happened otherwise. */
  alltoallv(sent: Parts, received: Parts): boolean {
    return this.#run("MPI_Alltoallv", this.#alltoallv, sent, received, false);
  }

  alltoallw(sent: TypedParts, received: TypedParts): boolean {
    return this.#run("MPI_Alltoallw", this.#alltoallw, sent, received, true);
  }

  #run<T extends Parts | TypedParts>(name: CallName, entry: number, sent: T, received: T, isTyped: boolean): boolean {
    const [from, into] = [this.#sent, this.#received];
    if (!this.#endpoint.mayBlock(NO_OPTIONS)) return false;
    if (!from.holds(sent, isTyped) || !into.holds(received, isTyped)) {
      if (!from.take(sent, isTyped) || !into.take(received, isTyped)) return false;
      this.#forgetSoon();
    }
    const { native } = this.#endpoint.context;
    const { cells } = this.#call;
    cells[0] = entry;
    cells[9] = this.#endpoint.handle;
    const code = native.launchWritten(this.#call);
    if (code !== 0) native.check(name, code);
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

/** What the arguments of a side were made of. */
interface Taken {
  readonly parts: Parts | TypedParts;
  readonly isTyped: boolean;
  readonly buffer: Parts["buffer"];
  readonly placed: Placed;
  readonly datatypes: TypeLike | readonly TypeLike[];
  readonly counts: readonly number[];
  readonly displacements: readonly number[] | undefined;
}

/** One side of such an exchange, until the next one. */
class DenseSide {
  readonly #endpoint: Endpoint;
  readonly #size: number;
  /** Its address, counts, displacements, and type or types. */
  readonly #arguments: Float64Array;
  readonly #counts: Ints;
  readonly #displacements: Ints;
  readonly #handles: HandleList;
  /** What `#handles` holds, and what the caller gave for it. */
  readonly #types: BridgeType[] = [];
  readonly #given: TypeLike[] = [];
  #last: Taken | undefined;

  constructor(endpoint: Endpoint, written: Float64Array) {
    this.#endpoint = endpoint;
    this.#size = endpoint.size;
    this.#arguments = written;
    this.#counts = ints(endpoint.size);
    this.#displacements = ints(endpoint.size);
    this.#handles = handleList(endpoint.context.native.mpi, endpoint.size);
  }

  forget(): void {
    this.#last = undefined;
  }

  /** Whether the arguments are those of these parts, which say the same still. */
  holds(parts: Parts | TypedParts, isTyped: boolean): boolean {
    const last = this.#last;
    if (last === undefined || parts !== last.parts || isTyped !== last.isTyped) return false;
    const datatypes = isTyped ? (parts as TypedParts).datatypes : (parts as Parts).datatype;
    const displacements = isTyped ? (parts as TypedParts).displacementsBytes : (parts as Parts).displacements;
    const { buffer, counts } = parts;
    if (buffer !== last.buffer || counts !== last.counts || displacements !== last.displacements) return false;
    if (datatypes !== last.datatypes || !isThere(last.placed)) return false;
    const size = this.#size;
    if (!isHeld(counts, this.#counts.values, size)) return false;
    if (displacements !== undefined && !isHeld(displacements, this.#displacements.values, size)) return false;
    if (typeof datatypes === "string") return true;
    if (!isTyped) return this.#areHeld([datatypes as TypeLike]);
    const list = datatypes as readonly TypeLike[];
    return list.length === size && this.#areHeld(list);
  }

  /** Makes the arguments; false for what the general way refuses, or packs. */
  take(parts: Parts | TypedParts, isTyped: boolean): boolean {
    this.#last = undefined;
    if (typeof parts !== "object" || (parts as Parts | null) === null) return false;
    const datatypes = isTyped ? (parts as TypedParts).datatypes : (parts as Parts).datatype;
    const displacements = isTyped ? (parts as TypedParts).displacementsBytes : (parts as Parts).displacements;
    const { buffer, counts } = parts;
    const placed = this.#placed(buffer);
    const size = this.#size;
    if (placed === undefined || !isListOf(counts, size) || (isTyped && !isListOf(datatypes, size))) return false;
    if ((isTyped || displacements !== undefined) && !isListOf(displacements, size)) return false;
    const { sizeBytes } = placed.buffer;
    let sum = 0;
    for (let i = 0; i < size; i++) {
      const type = this.#typeOf(
        isTyped ? ((datatypes as readonly TypeLike[])[i] as TypeLike) : (datatypes as TypeLike),
        i,
      );
      const [count, at] = [counts[i] as number, displacements === undefined ? sum : (displacements[i] as number)];
      if (type.dense === undefined || !isCount(count) || !isInt(at)) return false;
      const atBytes = isTyped ? at : at * type.extentBytes;
      if (count > 0 && (atBytes < 0 || atBytes + count * type.extentBytes > sizeBytes)) return false;
      this.#counts.values[i] = count;
      this.#displacements.values[i] = at;
      sum += count;
    }
    const types = isTyped ? this.#handles.address : (this.#types[0] as BridgeType).native;
    this.#arguments.set([placed.address, this.#counts.address, this.#displacements.address, types]);
    this.#last = { parts, isTyped, buffer, placed, datatypes, counts, displacements };
    return true;
  }

  /** Where a view lies that JavaScript cannot shrink. */
  #placed(buffer: Parts["buffer"]): Placed | undefined {
    if (!ArrayBuffer.isView(buffer)) return undefined;
    const placed = this.#endpoint.context.places.of(buffer);
    return mayShrink(placed) ? undefined : placed;
  }

  /** Of a part. */
  #typeOf(given: TypeLike, part: number): BridgeType {
    const known = this.#types[part];
    // Types of names are kept as long as MPI runs.
    if (known !== undefined && given === this.#given[part] && typeof given === "string") return known;
    const type = this.#endpoint.context.types.of(given);
    this.#given[part] = given;
    if (type === known) return type;
    this.#handles.set(part, type.native);
    return (this.#types[part] = type);
  }

  /** Types of the caller's own throw once they were disposed of; others that were built are not kept. */
  #areHeld(given: readonly TypeLike[]): boolean {
    for (let i = 0; i < given.length; i++) {
      if (given[i] !== this.#given[i]) return false;
      if (typeof given[i] === "string") continue;
      if (given[i] !== this.#types[i]) return false;
      this.#types[i]?.requireUsable();
    }
    return true;
  }
}

function isHeld(list: readonly number[], table: Int32Array, size: number): boolean {
  if (list.length !== size) return false;
  for (let i = 0; i < size; i++) if (list[i] !== table[i]) return false;
  return true;
}

const isListOf = (list: unknown, length: number): boolean => Array.isArray(list) && list.length === length;

const isInt = (value: number): boolean => typeof value === "number" && (value | 0) === value;

const isCount = (value: number): boolean => isInt(value) && value >= 0 && value <= MOST_INT;
