import { frameInstructions, frameRows, type Assembler, type Label } from "@stowage/asm-x64";
import type { FrameTable, Relocation, Section } from "@stowage/object-files";

/** A cache line, and what tables and loops of the code are aligned to. */
export const ALIGNMENT_BYTES = 64;

/** What an assembler wrote as a section, whose references go to the sections that its labels stand for. */
export function codeSection(name: string, assembler: Assembler, sectionOf: (label: Label) => number): Section {
  const relocations = assembler.outsideReferences().map(({ label, offset, from }): Relocation => {
    return { kind: "relative32", offsetBytes: offset, section: sectionOf(label), addend: offset - from };
  });
  const bytes = assembler.finish();
  const place = { name: `.text.${name}`, kind: "code", alignmentBytes: ALIGNMENT_BYTES } as const;
  return { ...place, bytes, relocations, frames: framesOf(assembler) };
}

function framesOf(assembler: Assembler): FrameTable {
  const rows = frameRows(assembler);
  return {
    startBytes: rows.rows[0]?.offset ?? rows.endBytes,
    endBytes: rows.endBytes,
    instructions: frameInstructions(rows),
  };
}
