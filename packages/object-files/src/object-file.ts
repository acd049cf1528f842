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
 * How to unwind from code between the first row's offset and `endBytes`, before every instruction. Offsets of rows
 * rise.
 */
export interface FrameTable {
  readonly endBytes: number;
  readonly rows: readonly FrameTableRow[];
}

export interface FrameTableRow {
  readonly offsetBytes: number;
  /** The canonical frame address, which is rsp before the call, less rsp. */
  readonly cfaBytes: number;
  /** Callee-saved registers, and how far below the canonical frame address each lies. */
  readonly saved: readonly { readonly register: SavedRegister; readonly belowCfaBytes: number }[];
}

/** System V AMD64 ABI, section 3.2.1. */
export type SavedRegister = "rbx" | "rbp" | "r12" | "r13" | "r14" | "r15";

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

/** A function. */
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
