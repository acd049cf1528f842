/** What an object file holds, before it has a format. */
export interface ObjectFile {
  readonly sections: readonly Section[];
  readonly symbols: readonly ObjectSymbol[];
  /** What all of its code keeps to. Default: nothing that would be known. */
  readonly features?: readonly CodeFeature[];
}

/**
 * What linkers keep of a program only where each object has it (Linux Extensions to gABI, .note.gnu.property): `ibt`,
 * indirect branches end at ENDBR64 or are not tracked; `shstk`, a return goes where the call came from.
 */
export type CodeFeature = "ibt" | "shstk";

export interface Section {
  /** As linkers know it, such as `.text.pack`. */
  readonly name: string;
  /** code: read and run; data: read and written. */
  readonly kind: "code" | "data";
  readonly alignmentBytes: number;
  readonly bytes: Uint8Array;
  readonly relocations: readonly Relocation[];
  /** How unwinders find callers, of code: it becomes .eh_frame. Default: they do not. */
  readonly frames?: FrameTable;
}

/**
 * How unwinders find the caller from code between two offsets of a section: call frame instructions (DWARF 5, section
 * 6.4.2), such as frameInstructions() of `@stowage/asm-x64` gives. At `startBytes` the canonical frame address is rsp +
 * 8, where the return address ends; code counts in bytes, places in words of 8 downwards.
 */
export interface FrameTable {
  readonly startBytes: number;
  readonly endBytes: number;
  readonly instructions: Uint8Array;
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

/** A function of an object file, by name. */
export interface ObjectSymbol {
  readonly name: string;
  readonly section: number;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  /**
   * Who sees the symbol (ELF gABI, symbol visibility). "default": every program and library; "hidden": the program or
   * library that it is linked into; "local": this object file alone. Default: "default".
   */
  readonly visibility?: "default" | "hidden" | "local";
}
