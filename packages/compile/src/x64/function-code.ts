import { Assembler, general, rip, type Fragment, type Label } from "@stowage/asm-x64";
import type { FeatureLevel } from "@stowage/backend-x64";
import { LEVEL_NUMBERS } from "./choose-level.js";
import { ALIGNMENT_BYTES } from "./code-section.js";

/** One function's code for a level. */
export interface LevelCode {
  readonly level: FeatureLevel;
  readonly program: Fragment;
}

/** A part of a function's code that has a name of its own in debuggers and profilers. */
export interface NamedPart {
  readonly suffix: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

/** A function for several levels, the places outside it that it refers to, and the parts that it consists of. */
export interface LeveledFunction {
  readonly assembler: Assembler;
  /** The number of the chosen level, and the routine that chooses it. */
  readonly kept: Label;
  readonly choose: Label;
  readonly parts: readonly NamedPart[];
}

/**
 * The entry goes on in the code of the chosen level. What is kept of the choice is a number, not an address: no memory
 * that is written says where to jump, nothing is left for a loader to fill in, and branches to the levels are direct.
 */
export function leveledFunction(codes: readonly LevelCode[]): LeveledFunction {
  const asm = new Assembler({ listing: true });
  const [kept, choose] = [asm.outside(), asm.outside()];
  const labels = codes.map(({ level, program }) => ({ level, program, label: asm.label() }));
  asm.emit(general.endbr64);
  const again = asm.here();
  emitBranches(asm, kept, labels);
  asm.emit(general.call_rel32, [choose]);
  asm.emit(general.jmp_rel32, [again]);
  const parts: NamedPart[] = [{ suffix: "", offset: 0, sizeBytes: asm.offset }];
  for (const { level, program, label } of labels) {
    asm.align(ALIGNMENT_BYTES);
    asm.bind(label);
    parts.push({ suffix: `.${level}`, offset: asm.offset, sizeBytes: program.code.length });
    asm.splice(program);
  }
  return { assembler: asm, kept, choose, parts };
}

type Branches = readonly { readonly level: FeatureLevel; readonly label: Label }[];

/** The two upper levels by one comparison; the lowest by another, behind which nothing has been chosen. */
function emitBranches(asm: Assembler, kept: Label, levels: Branches): void {
  const labelOf = (wanted: FeatureLevel): Label => {
    const found = levels.find(({ level }) => level === wanted);
    if (found === undefined) throw new TypeError(`code of a function: expected all levels, got none for ${wanted}`);
    return found.label;
  };
  asm.emit(general.cmp_rm32_imm8, [rip(kept), LEVEL_NUMBERS.avx2]);
  asm.emit(general.ja_rel32, [labelOf("avx512")]);
  asm.emit(general.je_rel32, [labelOf("avx2")]);
  asm.emit(general.cmp_rm32_imm8, [rip(kept), LEVEL_NUMBERS.sse2]);
  asm.emit(general.je_rel32, [labelOf("sse2")]);
}
