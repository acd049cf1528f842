import { CodeBuffer } from "./code-buffer.js";
import { emitEvex } from "./evex.js";
import type { Masking } from "./masking.js";
import { emitModRm } from "./modrm.js";
import type { Label, Operand } from "./operand.js";
import { fillFields, noFields, type OperandFields } from "./operand-fields.js";
import { requireMasking } from "./require-operands.js";
import { emitLegacyPrefixes } from "./rex.js";
import type { Row } from "./row.js";
import { emitVex } from "./vex.js";

/** One instruction as it was written, for a listing. */
export interface Line {
  /** Bytes from the start of the code to the instruction. */
  readonly offset: number;
  /** The bytes of the instruction. */
  readonly length: number;
  /** The form of the instruction. */
  readonly row: Row;
  /** Its operands, in the order of the row's form. */
  readonly operands: readonly Operand[];
  /** Its mask; undefined where it has none. */
  readonly masking: Masking | undefined;
}

/** Code that is assembled once and spliced into many programs. */
export interface Fragment {
  /** The finished code. */
  readonly code: Uint8Array;
  /** The assembler that wrote it; it knows its lines only where a listing was asked for. */
  readonly assembler: Assembler;
}

interface FixUp {
  readonly label: Label;
  /** Where the distance goes. */
  readonly at: number;
  readonly bits: 8 | 32;
  /** What the distance counts from: the end of the instruction. */
  from: number;
}

/** Four bytes of the code that hold the distance to a place outside, which a linker fills in. */
export interface OutsideReference {
  /** The label of the place outside. */
  readonly label: Label;
  /** Bytes from the start of the code to the distance. */
  readonly offset: number;
  /** The offset that the distance counts from: the end of the instruction. */
  readonly from: number;
}

/** Bytes of the longest instruction: Intel SDM volume 2A, section 2.3.11. */
const MOST_BYTES = 15;

/**
 * Writes instructions one after another, into position-independent code. Registers and flags are the caller's matter.
 */
export class Assembler {
  readonly #code = new CodeBuffer();
  readonly #fixUps: FixUp[] = [];
  readonly #bound: (number | undefined)[] = [];
  readonly #outside = new Set<number>();
  readonly #named: number[] = [];
  readonly #lines: Line[] | undefined;
  readonly #fields = noFields();

  /** Begins with no code. `listing`: whether every line is kept, so that lines() can tell them. Default: false. */
  constructor(options: { readonly listing?: boolean } = {}) {
    this.#lines = options.listing === true ? [] : undefined;
  }

  /** How many bytes have been written. */
  get offset(): number {
    return this.#code.length;
  }

  /** A new label, to be bound once. */
  label(): Label {
    return { kind: "label", id: this.#bound.push(undefined) - 1 };
  }

  /** Binds a label to where the code ends now. Throws an Error where the label is bound already. */
  bind(label: Label): void {
    if (this.#bound[label.id] !== undefined)
      throw new Error(`label ${label.id}: expected to be bound once, got a second time`);
    this.#bound[label.id] = this.#code.length;
  }

  /** A label of a place outside the code: distances to it stay 0, and outsideReferences() tells where they stand. */
  outside(): Label {
    const label = this.label();
    this.#outside.add(label.id);
    return label;
  }

  /** A new label, bound to where the code ends now. */
  here(): Label {
    const label = this.label();
    this.bind(label);
    return label;
  }

  /**
   * Writes an instruction: a row's form with its operands, and a mask where an EVEX form has one. Throws a TypeError
   * where the operands are not of the row's form, or the mask is none that it takes, and a RangeError where an
   * immediate does not fit.
   *
   * @example
   * ```ts
   * asm.emit(general.mov_r64_rm64, [rax, mem(rdi, 8)]); // mov rax, [rdi + 8]
   * ```
   */
  emit(row: Row, operands: readonly Operand[] = [], masking?: Masking): void {
    const fields = this.#fields;
    fillFields(fields, row, operands);
    if (masking !== undefined) requireMasking(row, masking);
    this.#code.reserve(MOST_BYTES);
    const offset = this.#code.length;
    this.#prefixes(row, fields, operands, masking);
    const open = this.#body(row, fields);
    this.#immediate(row, fields);
    if (open !== undefined) {
      open.from = this.#code.length;
      this.#fixUps.push(open);
    }
    if (this.#lines !== undefined)
      this.#lines.push({ offset, length: this.#code.length - offset, row, operands, masking });
  }

  /** Writes a word of 64 bits, little-endian: an integer that a double holds exactly. */
  word64(value: number): void {
    this.#code.reserve(8);
    // As 32 bits, whatever lies above them.
    this.#code.word32(value | 0);
    this.#code.word32(Math.floor(value / 2 ** 32));
  }

  /**
   * Writes a word of 64 bits: how far a label lies from the word itself, in bytes. Throws a RangeError where the label
   * is not bound yet.
   */
  distance64(label: Label): void {
    const offset = this.#bound[label.id];
    if (offset === undefined) throw new RangeError(`label ${label.id} in a word: expected to be bound, got none`);
    this.#named.push(offset);
    this.word64(offset - this.#code.length);
  }

  /** Makes room for so many more bytes: code that writes many asks once, and nothing is moved in between. */
  reserve(bytes: number): void {
    this.#code.reserve(bytes);
  }

  /** Writes raw data, such as a table. */
  data(bytes: Uint8Array): void {
    this.#code.append(bytes);
  }

  /**
   * Appends a finished assembler's code, which must refer to nothing outside itself, and its lines. Each entry of
   * `entries` is a label of this assembler, and the part's label that it is bound to.
   */
  splice({ code, assembler: part }: Fragment, entries: readonly (readonly [Label, Label])[] = []): void {
    const start = this.#code.length;
    const inside = (label: Label): number => start + (part.offsetOf(label) ?? 0);
    for (const [outer, inner] of entries) this.#bound[outer.id] = inside(inner);
    for (const offset of part.namedInWords()) this.#named.push(start + offset);
    this.#code.append(code);
    if (this.#lines === undefined) return;
    const known = new Map(entries.map(([outer, inner]) => [inner.id, outer]));
    const moved = (label: Label): Label => {
      const found = known.get(label.id) ?? this.label();
      known.set(label.id, found);
      this.#bound[found.id] = inside(label);
      return found;
    };
    for (const line of part.lines()) {
      const operands = line.operands.map((operand) => movedOperand(operand, moved));
      this.#lines.push({ ...line, offset: start + line.offset, operands });
    }
  }

  /** Writes zero bytes up to a multiple of `alignment` bytes. */
  align(alignment: number): void {
    this.#code.reserve(alignment);
    while (this.#code.length % alignment !== 0) this.#code.byte(0);
  }

  /** Every instruction so far; empty unless a listing was asked for. */
  lines(): readonly Line[] {
    return this.#lines ?? [];
  }

  /** Offsets of labels that words of tables name (distance64): code there is entered by its address. */
  namedInWords(): readonly number[] {
    return this.#named;
  }

  /** The places in the code that hold distances to labels outside. */
  outsideReferences(): readonly OutsideReference[] {
    return this.#fixUps
      .filter(({ label }) => this.#outside.has(label.id))
      .map(({ label, at, from }) => ({ label, offset: at, from }));
  }

  /** The offset of a bound label in bytes; undefined while it is not bound. */
  offsetOf(label: Label): number | undefined {
    return this.#bound[label.id];
  }

  /**
   * The code, with all labels resolved. Throws an Error where a label in use was never bound, and a RangeError where a
   * short jump is too far.
   */
  finish(): Uint8Array {
    for (const { label, at, bits, from } of this.#fixUps) {
      if (this.#outside.has(label.id)) continue;
      const target = this.#bound[label.id];
      if (target === undefined) throw new Error(`label ${label.id}: expected to be bound, got none`);
      const distance = target - from;
      if (bits === 32) this.#code.patch32(at, distance);
      else if (distance >= -128 && distance <= 127) this.#code.patch8(at, distance);
      else throw new RangeError(`short jump: expected a distance of -128 to 127 bytes, got ${distance}`);
    }
    return this.#code.toBytes();
  }

  #prefixes(row: Row, fields: OperandFields, operands: readonly Operand[], masking: Masking | undefined): void {
    switch (row.encoding.space) {
      case "legacy":
        return emitLegacyPrefixes(this.#code, row.encoding, fields, row.hasByteRegister && needsRexForByte(operands));
      case "vex":
        return emitVex(this.#code, row.encoding, fields);
      case "evex":
        return emitEvex(this.#code, row.encoding, fields, masking);
    }
  }

  #body({ encoding, memoryBytes }: Row, fields: OperandFields): FixUp | undefined {
    const { opcode } = encoding;
    const last = opcode.length - 1;
    for (let i = 0; i < last; i++) this.#code.byte(opcode[i] as number);
    this.#code.byte((opcode[last] as number) + (fields.opcodeLow & 7));
    if (fields.target !== undefined) {
      const at = this.#code.length;
      const bits = encoding.relativeBits === 8 ? 8 : 32;
      if (bits === 8) this.#code.byte(0);
      else this.#code.word32(0);
      return { label: fields.target, at, bits, from: 0 };
    }
    if (fields.rm === undefined) return undefined;
    const label = emitModRm(this.#code, fields.reg, fields.rm, encoding.space === "evex" ? memoryBytes : 1);
    return label === undefined ? undefined : { label, at: this.#code.length - 4, bits: 32, from: 0 };
  }

  #immediate({ encoding }: Row, { immediate }: OperandFields): void {
    if (immediate === undefined) return;
    if (encoding.immediateBits === 8) this.#code.byte(Number(immediate) & 255);
    else if (encoding.immediateBits === 64) this.#code.word64(BigInt(immediate));
    else this.#code.word32(Number(immediate));
  }
}

function needsRexForByte(operands: readonly Operand[]): boolean {
  for (const operand of operands) {
    if (typeof operand === "object" && operand.kind === "register" && operand.class === "r8" && operand.number > 3)
      return true;
  }
  return false;
}

function movedOperand(operand: Operand, moved: (label: Label) => Label): Operand {
  if (typeof operand !== "object") return operand;
  if (operand.kind === "label") return moved(operand);
  return operand.kind === "rip" ? { ...operand, label: moved(operand.label) } : operand;
}
