/** What an object file holds, before it has a format. */
export interface ObjectFile {
  readonly sections: readonly Section[];
  readonly symbols: readonly ObjectSymbol[];
}

export interface Section {
  /** As linkers know it, such as `.text.pack`. */
  readonly name: string;
  /** code: read and run; data: read and written. */
  readonly kind: "code" | "data";
  readonly alignmentBytes: number;
  readonly bytes: Uint8Array;
  readonly relocations: readonly Relocation[];
}

/**
 * A place that the linker fills in: `relative32` with the distance from the place to the target plus the addend
 * (R_X86_64_PC32), `address64` with the target's address plus the addend (R_X86_64_64). System V ABI, AMD64 supplement,
 * section 4.4. The target is byte 0 of a section.
 */
export interface Relocation {
  readonly kind: "relative32" | "address64";
  readonly offsetBytes: number;
  readonly section: number;
  readonly addend: number;
}

/** A function that other object files see. */
export interface ObjectSymbol {
  readonly name: string;
  readonly section: number;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}
