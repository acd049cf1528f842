import { Assembler, general, type Register, type Row } from "@stowage/asm-x64";
import type { FeatureLevel } from "../feature-level.js";
import type { AssemblerSession } from "./assembler-session.js";
import { Constants } from "../loops/facts/constants.js";
import { isaOf, type Isa } from "./isa.js";
import { Routines } from "./routines.js";
import { Tables } from "./tables.js";
import { VectorParts } from "./vector-parts.js";

/** What all routines of one program are written into. */
export class Assembly {
  readonly session: AssemblerSession;
  readonly asm: Assembler;
  readonly isa: Isa;
  readonly tables = new Tables();
  readonly constants = new Constants();
  readonly routines: Routines;
  readonly parts: VectorParts;
  #nextRegister = 0;

  /** `listing`: every instruction is to be told. */
  constructor(session: AssemblerSession, isa: Isa, listing: boolean) {
    this.session = session;
    this.isa = isa;
    this.asm = new Assembler({ listing });
    this.routines = new Routines(this.asm);
    this.parts = new VectorParts(this.asm, isa, this.tables, this.constants);
  }

  /**
   * What code is assembled into that this and other programs share; its listing is kept, since one of them may be told.
   */
  apart(level: FeatureLevel): Assembly {
    return new Assembly(this.session, isaOf(level), true);
  }

  /** What a program begins with: callers may come by its address. */
  emitEntry(): void {
    if (this.session.branchTracking) this.asm.emit(general.endbr64);
  }

  /** Goes to the address in a register, which came out of the program's own tables. */
  emitIndirect(branch: Row, to: Register): void {
    if (this.session.branchTracking) this.asm.emit(general.notrack);
    this.asm.emit(branch, [to]);
  }

  /** A number for the register of the next move: neighbouring moves take different ones. */
  nextRegister(): number {
    return this.#nextRegister++;
  }
}
