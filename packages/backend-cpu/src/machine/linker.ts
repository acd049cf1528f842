import type { Primitive, Struct } from "../language/primitive.js";
import type { DameProgram } from "../language/program.js";
import { entryOf, typeSizeBytes } from "../language/type-size.js";
import { BY_COPIES, level, prefixSums, type Iterations, type Level } from "./level.js";

/** Turns the primitives of one verified program into linked levels. */
export class Linker {
  readonly #program: DameProgram;
  readonly #levels = new Map<number, Level>();
  /** The extent by which each subprogram's CONTIGCHILD steps, by its RETURNTO. */
  readonly #extents = new Map<number, number>();

  /** Inner types stand after outer ones, so the last level comes first; subprograms may stand anywhere: last of all. */
  constructor(program: DameProgram) {
    this.#program = program;
    const members = new Map<Struct, Level[]>();
    for (const primitive of program.primitives) if (primitive.kind === "STRUCT") this.#noteExtents(primitive);
    for (let index = program.primitives.length - 1; index >= 0; index--) {
      const primitive = program.primitives[index] as Primitive;
      const ownMembers: Level[] = [];
      if (primitive.kind === "STRUCT") members.set(primitive, ownMembers);
      const level = this.#level(primitive, index, ownMembers);
      if (level) this.#levels.set(index, level);
    }
    for (const [{ subprograms }, ownMembers] of members) {
      for (const subprogram of subprograms) ownMembers.push(this.#at(subprogram + 1));
    }
  }

  /** A loop of `count` copies, `strideBytes` apart, of the type that begins at `inner`. */
  repeat(primitive: number, count: number, strideBytes: number, inner: number): Level {
    const stepBytes = typeSizeBytes(this.#program.primitives[inner] as Primitive);
    return this.#around(inner, { primitive, count, strideBytes, stepBytes });
  }

  #level(primitive: Primitive, index: number, members: readonly Level[]): Level | undefined {
    const { kind } = primitive;
    switch (kind) {
      case "CONTIGFINAL":
        return level({ primitive: index, count: 1, stepBytes: primitive.lengthBytes });
      case "CONTIG":
        return this.repeat(index, primitive.count, primitive.extentBytes, index + 1);
      case "CONTIGCHILD":
        return this.repeat(index, BY_COPIES, this.#extentOfCopies(index), index + 1);
      case "VECTOR":
      case "VECTOR1":
      case "VECTORFINAL":
      case "BLOCKINDEX":
      case "BLOCKINDEX1":
      case "BLOCKINDEXFINAL": {
        const stepBytes = primitive.blocklength * primitive.sizeBytes;
        return this.#around(index + 1, { ...primitive, primitive: index, stepBytes });
      }
      case "INDEX":
      case "INDEXFINAL": {
        const { count, blocklengths, sizeBytes } = primitive;
        const starts = prefixSums(count, (i) => (blocklengths[i] as number) * sizeBytes);
        return this.#around(index + 1, { ...primitive, primitive: index, stepBytes: sizeBytes, starts });
      }
      case "STRUCT": {
        const { count, displacementsBytes, blocklengths, sizesBytes } = primitive;
        const starts = prefixSums(count, (i) => (blocklengths[i] as number) * entryOf(sizesBytes, i));
        return level({ primitive: index, count, displacementsBytes, blocklengths, stepBytes: 0, starts, members });
      }
      case "EXIT":
      case "BOTTOM":
      case "RETURNTO":
        return undefined;
    }
  }

  /** Iterations over the level at `inner`; over a bare CONTIGFINAL they are blocks themselves. */
  #around(inner: number, iterations: Iterations): Level {
    const bare = this.#program.primitives[inner]?.kind === "CONTIGFINAL";
    return level(bare ? iterations : { ...iterations, child: this.#at(inner) });
  }

  #at(index: number): Level {
    return this.#levels.get(index) as Level;
  }

  #noteExtents({ subprograms, extentsBytes }: Struct): void {
    subprograms.forEach((subprogram, member) => this.#extents.set(subprogram, entryOf(extentsBytes, member)));
  }

  #extentOfCopies(index: number): number {
    const before = this.#program.primitives[index - 1];
    if (before?.kind === "RETURNTO") return this.#extents.get(index - 1) ?? 0;
    return before && "extentBytes" in before ? before.extentBytes : 0;
  }
}
