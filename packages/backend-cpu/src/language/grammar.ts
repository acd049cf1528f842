import { PARAMETERS } from "./parameters.js";
import { hasCopies, isFinal, type Primitive } from "./primitive.js";

type Frame = { readonly kind: "EXIT" | "RETURNTO" } | { readonly kind: "STRUCT"; readonly index: number };

type Expectation =
  | "EXIT"
  | "a type"
  | "a type or CONTIGCHILD"
  | "CONTIGCHILD"
  | "CONTIGFINAL"
  | "BOTTOM"
  | "RETURNTO or BOTTOM"
  | "the end of the program";

/** A program may be data from a file: what is no primitive at all begins no type either. */
const isType = (kind: Primitive["kind"]): boolean =>
  Object.hasOwn(PARAMETERS, kind) &&
  kind !== "EXIT" &&
  kind !== "BOTTOM" &&
  kind !== "CONTIGCHILD" &&
  kind !== "RETURNTO";

/**
 * The grammar of the paper's Figure 5, one primitive at a time, with an explicit stack of what is open:
 *
 *   Program    = EXIT Type BOTTOM
 *   Type       = CONTIGFINAL | *FINAL CONTIGFINAL | CONTIG Type | *1 Type
 *              | (VECTOR | BLOCKINDEX | INDEX) CONTIGCHILD Type | STRUCT Subprogram*
 *   Subprogram = RETURNTO(of that STRUCT) [CONTIGCHILD] Type BOTTOM
 */
export class Grammar {
  #expectation: Expectation = "EXIT";
  #index = 0;
  readonly #open: Frame[] = [];

  /** What may come next, in words. */
  get expected(): string {
    return this.#expectation;
  }

  /** Takes the next primitive; false where it may not stand here. */
  take(primitive: Primitive): boolean {
    if (!this.#allows(primitive)) return false;
    this.#expectation = this.#after(primitive);
    this.#index++;
    return true;
  }

  /** Whether the program may end here. */
  get complete(): boolean {
    return this.#expectation === "the end of the program";
  }

  /** The STRUCT whose subprogram may come next, if one may. */
  get struct(): number | undefined {
    const top = this.#open.at(-1);
    return top?.kind === "STRUCT" ? top.index : undefined;
  }

  #allows(primitive: Primitive): boolean {
    switch (this.#expectation) {
      case "a type":
        return isType(primitive.kind);
      case "a type or CONTIGCHILD":
        return isType(primitive.kind) || primitive.kind === "CONTIGCHILD";
      case "RETURNTO or BOTTOM":
        return primitive.kind === "BOTTOM" || (primitive.kind === "RETURNTO" && primitive.struct === this.struct);
      case "EXIT":
      case "CONTIGCHILD":
      case "CONTIGFINAL":
      case "BOTTOM":
        return primitive.kind === this.#expectation;
      case "the end of the program":
        return false;
    }
  }

  #after(primitive: Primitive): Expectation {
    const { kind } = primitive;
    if (kind === "BOTTOM") return this.#close();
    if (kind === "EXIT" || kind === "RETURNTO") this.#open.push({ kind });
    if (kind === "STRUCT") this.#open.push({ kind, index: this.#index });
    if (kind === "RETURNTO") return "a type or CONTIGCHILD";
    if (kind === "STRUCT") return "RETURNTO or BOTTOM";
    if (kind === "CONTIGFINAL") return "BOTTOM";
    if (isFinal(kind)) return "CONTIGFINAL";
    return hasCopies(kind) ? "CONTIGCHILD" : "a type";
  }

  /** A BOTTOM ends the STRUCT before it, if one is open, and the program or subprogram around both. */
  #close(): Expectation {
    if (this.#open.at(-1)?.kind === "STRUCT") this.#open.pop();
    this.#open.pop();
    return this.#open.length === 0 ? "the end of the program" : "RETURNTO or BOTTOM";
  }
}
