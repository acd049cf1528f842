import { handleList, ints, type HandleList, type Ints } from "../../native/words.js";
import { MOST_INT } from "../../message/datatype/large-datatype.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";
import type { TypeLike } from "../../message/datatype/type-cache.js";
import { mayShrink, type Placed } from "../../message/place/placed.js";
import type { Endpoint } from "../endpoint.js";
import type { Parts, TypedParts } from "./collective-buffers.js";

/**
 * Vector exchanges of elements that lie side by side in views, in one call of MPI: counts are checked as they are
 * written into tables that the calls share. A blocking call is over before the next one begins, and most of what a
 * small one takes would otherwise be objects of its own (paper: Balaji et al. 2010, section 3.10).
 */
export class DenseExchange {
  readonly #endpoint: Endpoint;
  readonly #sent: DenseSide;
  readonly #received: DenseSide;
  readonly #alltoallv: number;
  readonly #alltoallw: number;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    const { native } = endpoint.context;
    [this.#sent, this.#received] = [new DenseSide(endpoint), new DenseSide(endpoint)];
    this.#alltoallv = native.entryOf("MPI_Alltoallv");
    this.#alltoallw = native.entryOf("MPI_Alltoallw");
  }

  /** Whether it could be done so, and is done; nothing has happened otherwise. */
  alltoallv(sent: Parts, received: Parts): boolean {
    const [from, into] = [this.#sent, this.#received];
    if (!this.#endpoint.mayBlock(NO_OPTIONS) || !from.take(sent) || !into.take(received)) return false;
    const { native } = this.#endpoint.context;
    const code = native.launchLong(
      this.#alltoallv,
      from.address,
      from.counts.address,
      from.displacements.address,
      from.handle,
      into.address,
      into.counts.address,
      into.displacements.address,
      into.handle,
      this.#endpoint.handle,
    );
    if (code !== 0) native.check("MPI_Alltoallv", code);
    return true;
  }

  alltoallw(sent: TypedParts, received: TypedParts): boolean {
    const [from, into] = [this.#sent, this.#received];
    if (!this.#endpoint.mayBlock(NO_OPTIONS) || !from.takeTyped(sent) || !into.takeTyped(received)) return false;
    const { native } = this.#endpoint.context;
    const code = native.launchLong(
      this.#alltoallw,
      from.address,
      from.counts.address,
      from.displacements.address,
      from.handles.address,
      into.address,
      into.counts.address,
      into.displacements.address,
      into.handles.address,
      this.#endpoint.handle,
    );
    if (code !== 0) native.check("MPI_Alltoallw", code);
    return true;
  }
}

const NO_OPTIONS = Object.freeze({});

/** One side of such an exchange, until the next one. */
class DenseSide {
  readonly #endpoint: Endpoint;
  readonly counts: Ints;
  readonly displacements: Ints;
  address = 0;
  /** The handle of the type that all parts have. */
  handle = 0;
  /** The handles of each part's type. */
  readonly handles: HandleList;
  /** What `handles` holds. */
  readonly #types: (BridgeType | undefined)[];
  /** What came last, which mostly comes again. */
  #lastType: BridgeType | undefined;
  #lastName: string | undefined;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.counts = ints(endpoint.size);
    this.displacements = ints(endpoint.size);
    this.handles = handleList(endpoint.context.native.mpi, endpoint.size);
    this.#types = new Array<BridgeType | undefined>(endpoint.size).fill(undefined);
  }

  /** False for what the general way refuses, or packs. */
  take(parts: Parts): boolean {
    const placed = this.#placed(parts);
    if (placed === undefined) return false;
    const { datatype, counts, displacements } = parts;
    const type = this.#typeOf(datatype);
    if (type.dense === undefined || !isListOf(counts, this.#endpoint.size)) return false;
    if (displacements !== undefined && !isListOf(displacements, this.#endpoint.size)) return false;
    const [countTable, table] = [this.counts.values, this.displacements.values];
    const held = placed.buffer.sizeBytes / type.extentBytes;
    let sum = 0;
    for (let i = 0; i < counts.length; i++) {
      const count = counts[i] as number;
      const at = displacements === undefined ? sum : (displacements[i] as number);
      if (!isCount(count) || !isInt(at)) return false;
      if (count > 0 && (at < 0 || at + count > held)) return false;
      countTable[i] = count;
      table[i] = at;
      sum += count;
    }
    this.address = placed.address;
    this.handle = type.native;
    return true;
  }

  takeTyped(parts: TypedParts): boolean {
    const placed = this.#placed(parts);
    if (placed === undefined) return false;
    const { datatypes, counts, displacementsBytes } = parts;
    const { size } = this.#endpoint;
    if (!isListOf(datatypes, size) || !isListOf(counts, size) || !isListOf(displacementsBytes, size)) return false;
    const [countTable, table] = [this.counts.values, this.displacements.values];
    const { sizeBytes } = placed.buffer;
    let [name, type]: [unknown, BridgeType | undefined] = [undefined, undefined];
    for (let i = 0; i < size; i++) {
      const [count, at] = [counts[i] as number, displacementsBytes[i] as number];
      if (type === undefined || datatypes[i] !== name) {
        name = datatypes[i];
        type = this.#typeOf(datatypes[i] as TypeLike);
      }
      if (type.dense === undefined || !isCount(count) || !isInt(at)) return false;
      if (count > 0 && (at < 0 || at + count * type.extentBytes > sizeBytes)) return false;
      countTable[i] = count;
      table[i] = at;
      if (this.#types[i] === type) continue;
      this.handles.set(i, type.native);
      this.#types[i] = type;
    }
    this.address = placed.address;
    return true;
  }

  /** Where a view lies that JavaScript cannot shrink. */
  #placed(parts: Parts | TypedParts): Placed | undefined {
    if (typeof parts !== "object" || (parts as Parts | null) === null) return undefined;
    const view = parts.buffer;
    if (!ArrayBuffer.isView(view)) return undefined;
    const placed = this.#endpoint.context.places.of(view);
    return mayShrink(placed) ? undefined : placed;
  }

  /** Types of names are kept as long as MPI runs. */
  #typeOf(type: TypeLike): BridgeType {
    if (type === this.#lastName && this.#lastType !== undefined) return this.#lastType;
    const found = this.#endpoint.context.types.of(type);
    if (typeof type === "string") [this.#lastName, this.#lastType] = [type, found];
    return found;
  }
}

const isListOf = (list: readonly unknown[], length: number): boolean => Array.isArray(list) && list.length === length;

const isInt = (value: number): boolean => typeof value === "number" && (value | 0) === value;

const isCount = (value: number): boolean => isInt(value) && value >= 0 && value <= MOST_INT;
