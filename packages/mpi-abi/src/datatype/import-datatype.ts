import {
  boundsOf,
  fromContents,
  predefined,
  resized,
  type ArrayConstants,
  type Combiner,
  type Datatype,
} from "@stowage/ir";
import { MpiLibraryError } from "../errors.js";
import { requireMpi, type Mpi } from "../mpi.js";
import { freeHandle } from "./mpi-datatype.js";
import { plainArguments } from "./plain-arguments.js";
import { predefinedName, typeName } from "./predefined-handle.js";
import { realContents, realEnvelope, type RealContents } from "./real-contents.js";
import { typeBounds } from "./type-bounds.js";

/**
 * Reads how a real datatype was made, down to predefined ones, and frees every handle that it got on the way. Lower the
 * result with `bounds` set to mpi.bounds: bounds are then this MPI's throughout, for a datatype whose bounds it
 * computes otherwise than ir does comes wrapped in a resized (MPICH lets plain members of a struct extend bounds that a
 * user set beside them). Depth costs no native stack. Handles that are met twice become one shared datatype; Open MPI
 * hands out a new one each time, so that nothing is shared there.
 * Throws a MpiLibraryError for datatypes that no C constructor makes (Fortran's own, or parametrised ones), and for a
 * handle that is not known to be alive: see trustHandle.
 */
export function importDatatype(mpi: Mpi, handle: number): Datatype {
  const walk = new ImportWalk(requireMpi(mpi));
  try {
    return walk.run(handle);
  } finally {
    walk.freeAll();
  }
}

class ImportWalk {
  readonly #mpi: Mpi;
  readonly #done = new Map<number, Datatype>();
  readonly #opened = new Map<number, RealContents>();
  /** Handles that MPI_Type_get_contents gave us, as often as it did: each is a reference to give back. */
  readonly #got: number[] = [];

  constructor(mpi: Mpi) {
    this.#mpi = mpi;
  }

  run(root: number): Datatype {
    const stack = [root];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const waiting = this.#done.has(top) ? [] : this.#enter(top);
      for (const child of waiting) stack.push(child);
      if (waiting.length === 0) stack.pop();
    }
    return this.#done.get(root) as Datatype;
  }

  freeAll(): void {
    for (const handle of this.#got) {
      const combiner = this.#combinerOf(handle);
      if (combiner !== undefined && combiner !== "MPI_COMBINER_NAMED") freeHandle(this.#mpi, handle);
    }
  }

  /** The children that a datatype still waits for; where there are none, it is done. */
  #enter(handle: number): readonly number[] {
    const combiner = this.#combinerOf(handle);
    if (combiner === undefined || combiner === "MPI_COMBINER_NAMED") {
      this.#done.set(handle, this.#withBoundsOf(handle, predefined(this.#nameOf(handle))));
      return [];
    }
    const contents = this.#open(handle);
    const waiting = contents.datatypes.filter((child) => !this.#done.has(child));
    if (waiting.length === 0) this.#done.set(handle, this.#withBoundsOf(handle, this.#made(combiner, contents)));
    return waiting;
  }

  #open(handle: number): RealContents {
    const known = this.#opened.get(handle);
    if (known !== undefined) return known;
    const contents = realContents(this.#mpi, handle, realEnvelope(this.#mpi, handle));
    this.#opened.set(handle, contents);
    for (const child of contents.datatypes) this.#got.push(child);
    return contents;
  }

  #made(combiner: Combiner, contents: RealContents): Datatype {
    const datatypes = contents.datatypes.map((child) => this.#done.get(child) as Datatype);
    const plain = { combiner, ...plainArguments(combiner, contents), datatypes };
    return fromContents(plain, this.#arrayConstants(combiner, plain.integers));
  }

  /** The last integer of an array is its order (MPI 5.0, section 5.1.13): one of the ABI's, or one from inside. */
  #arrayConstants(combiner: Combiner, integers: ArrayLike<number>): ArrayConstants {
    const { arrayConstants, arrayConstantsInside = arrayConstants } = this.#mpi.abi;
    if (combiner !== "MPI_COMBINER_SUBARRAY" && combiner !== "MPI_COMBINER_DARRAY") return arrayConstants;
    const order = integers[integers.length - 1];
    return Object.values(arrayConstantsInside.orders).includes(order as number) ? arrayConstantsInside : arrayConstants;
  }

  #withBoundsOf(handle: number, made: Datatype): Datatype {
    const { lowerBoundBytes, extentBytes } = typeBounds(this.#mpi, handle);
    const ours = boundsOf(made, { bounds: this.#mpi.bounds });
    const same = lowerBoundBytes === ours.lowerBoundBytes && extentBytes === ours.extentBytes;
    return same ? made : resized(lowerBoundBytes, extentBytes, made);
  }

  #combinerOf(handle: number): Combiner | undefined {
    return this.#mpi.abi.combiners.get(realEnvelope(this.#mpi, handle).combiner);
  }

  #nameOf(handle: number) {
    const name = predefinedName(this.#mpi, handle);
    if (name !== undefined) return name;
    const got = typeName(this.#mpi, handle) || "one without a name";
    throw new MpiLibraryError(`datatype of ${this.#mpi.name}: expected one that C's constructors make, got ${got}`);
  }
}
