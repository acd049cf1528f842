import { isDatatype, parseDatatype, type Datatype, type DatatypeDocument } from "@stowage/ir";
import type { Mpi } from "@stowage/mpi-abi";
import type { Engine } from "@stowage/selector";
import { BridgeError } from "../../errors.js";
import { BridgeType } from "./bridge-type.js";
import { checkHints, type Hints } from "./hints.js";

/** A datatype as callers have it: committed, built, a JSON document, or an MPI name such as "MPI_DOUBLE". */
export type TypeLike = BridgeType | Datatype | DatatypeDocument;

/**
 * Datatypes that were built and not committed are kept while they are used again; MPICH spoils types once hundreds are
 * alive.
 */
const MOST_KEPT = 64;

/** The datatypes of one MPI. */
export class TypeCache implements Disposable {
  readonly #mpi: Mpi;
  readonly #engine: () => Engine;
  /** The latest used come last. */
  readonly #kept = new Map<Datatype, BridgeType>();
  readonly #predefined = new Map<string, BridgeType>();

  constructor(mpi: Mpi, engine: () => Engine) {
    this.#mpi = mpi;
    this.#engine = engine;
  }

  /** One of the caller's own, who disposes of it. */
  commit(type: Datatype | DatatypeDocument, hints: Hints = {}): BridgeType {
    checkHints(hints);
    return new BridgeType(this.#mpi, this.#engine, datatypeOf(type), hints);
  }

  /** What a message is made of. */
  of(type: TypeLike): BridgeType {
    if (type instanceof BridgeType) {
      type.requireUsable();
      return type;
    }
    const known = typeof type === "string" ? this.#predefined.get(type) : undefined;
    if (known !== undefined) return known;
    const datatype = datatypeOf(type);
    return datatype.kind === "predefined" ? this.#ofName(datatype) : this.#ofBuilt(datatype);
  }

  /** Ahead of MPI_Finalize, which would find the kept types leaked. */
  [Symbol.dispose](): void {
    for (const type of [...this.#kept.values(), ...this.#predefined.values()]) type.release();
    this.#kept.clear();
    this.#predefined.clear();
  }

  #ofName(datatype: Datatype & { readonly kind: "predefined" }): BridgeType {
    let known = this.#predefined.get(datatype.name);
    if (known === undefined) {
      this.#predefined.set(datatype.name, (known = new BridgeType(this.#mpi, this.#engine, datatype)));
    }
    return known;
  }

  #ofBuilt(datatype: Datatype): BridgeType {
    const known = this.#kept.get(datatype) ?? new BridgeType(this.#mpi, this.#engine, datatype);
    this.#kept.delete(datatype);
    this.#kept.set(datatype, known);
    if (this.#kept.size > MOST_KEPT) this.#dropOldest();
    return known;
  }

  #dropOldest(): void {
    const [oldest] = this.#kept;
    if (oldest === undefined) return;
    this.#kept.delete(oldest[0]);
    oldest[1].release();
  }
}

function datatypeOf(type: Datatype | DatatypeDocument): Datatype {
  if (isDatatype(type)) return type;
  if (typeof type === "string" || (typeof type === "object" && type !== null && "kind" in type))
    return parseDatatype(type);
  throw new BridgeError(
    "datatype of a message",
    "one that was committed or built, a document or an MPI name",
    typeof type,
  );
}
