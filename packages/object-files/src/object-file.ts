/** What an object file holds, before it has a format. */
export interface ObjectFile {
  /** The sections; relocations and symbols name them by their index here. */
  readonly sections: readonly Section[];
  /** The functions, by name. */
  readonly symbols: readonly ObjectSymbol[];
  /** The features that all of its code keeps to. Default: none. */
  readonly features?: readonly CodeFeature[];
}

/**
 * What linkers keep of a program only where each object has it (Linux Extensions to gABI, .note.gnu.property): `ibt`,
 * indirect branches end at ENDBR64 or are not tracked; `shstk`, a return goes where the call came from.
 */
export type CodeFeature = "ibt" | "shstk";

/** One section of an object file. */
export interface Section {
  /** The name by which linkers know it, such as `.text.pack`; ASCII. */
  readonly name: string;
  /** "code" is read and run, "data" read and written. */
  readonly kind: "code" | "data";
  /** A power of two up to 2^16. */
  readonly alignmentBytes: number;
  readonly bytes: Uint8Array;
  /** The places in `bytes` that the linker fills in. */
  readonly relocations: readonly Relocation[];
  /** How unwinders find callers from the section's code: it becomes .eh_frame. Default: they find none. */
  readonly frames?: FrameTable;
}

/**
 * How unwinders find the caller from code between two offsets of a section: call frame instructions (DWARF 5, section
 * 6.4.2), such as frameInstructions() of `@stowage/asm-x64` gives. At `startBytes` the canonical frame address is rsp +
 * 8, where the return address ends; code counts in bytes, places in words of 8 downwards.
 */
export interface FrameTable {
  /** The offset in the section at which the code begins. */
  readonly startBytes: number;
  /** The offset in the section just behind the code. */
  readonly endBytes: number;
  /** The call frame instructions, encoded. */
  readonly instructions: Uint8Array;
}

/**
 * A place that the linker fills in: `relative32` with the distance from the place to the target plus the addend
 * (R_X86_64_PC32), `address64` with the target's address plus the addend (R_X86_64_64). System V ABI, AMD64 supplement,
 * section 4.4. The target is byte 0 of a section.
 */
export interface Relocation {
  readonly kind: "relative32" | "address64";
  /** Where the place begins in its own section. */
  readonly offsetBytes: number;
  /** The index of the target's section. */
  readonly section: number;
  /** Bytes to add. */
  readonly addend: number;
}

/** A function of an object file, by name. */
export interface ObjectSymbol {
  /** The name that linkers look up; ASCII. */
  readonly name: string;
  /** The index of the section that holds the function. */
  readonly section: number;
  /** Where the function begins in that section. */
  readonly offsetBytes: number;
  /** Bytes of the function's code. */
  readonly sizeBytes: number;
  /**
   * Who sees the symbol (ELF gABI, symbol visibility). "default": every program and library; "hidden": the program or
   * library that it is linked into; "local": this object file alone. Default: "default".
   */
  readonly visibility?: "default" | "hidden" | "local";
}
