import type { Section } from "@stowage/object-files";
import { chooser, type Entries } from "./choose-level.js";
import { VARIANTS, type CodeVariant, type X64Target } from "./target.js";

/** A cache line, and what tables and loops of the code are aligned to. */
const ALIGNMENT_BYTES = 64;
const SLOT_BYTES = 8;

/** `jmp [rip + distance]`: through the slot, which holds the chooser's address until it has chosen. */
const JUMP_THROUGH_SLOT = Uint8Array.of(0xff, 0x25, 0, 0, 0, 0);
const JUMPED_DISTANCE = 2;

/** One function's code and what it needs beside it; `sections` stand from index `firstSection` on in the file. */
export function functionSections(
  name: string,
  codeFor: (variant: CodeVariant) => Uint8Array,
  target: X64Target,
  firstSection: number,
): readonly [Section, ...Section[]] {
  const codes = VARIANTS[target].map((variant) => ({ level: variant.level, bytes: codeFor(variant) }));
  const code = (bytes: Uint8Array, relocations: Section["relocations"]): Section => ({
    name: `.text.${name}`,
    kind: "code",
    alignmentBytes: ALIGNMENT_BYTES,
    bytes,
    relocations,
  });
  const [only] = codes;
  if (codes.length === 1 && only !== undefined) return [code(only.bytes, [])];
  return chosenAtFirstCall(name, code, codes, firstSection);
}

interface LevelCode {
  readonly level: keyof Entries;
  readonly bytes: Uint8Array;
}

/** The entry, the chooser and every level's code; and the slot. */
function chosenAtFirstCall(
  name: string,
  code: (bytes: Uint8Array, relocations: Section["relocations"]) => Section,
  codes: readonly LevelCode[],
  firstSection: number,
): readonly [Section, Section] {
  const { bytes, chooserOffset, slotOffset } = joined(codes);
  const toSlot = (offsetBytes: number) =>
    ({ kind: "relative32", offsetBytes, section: firstSection + 1, addend: -4 }) as const;
  const slot: Section = {
    name: `.data.${name}`,
    kind: "data",
    alignmentBytes: SLOT_BYTES,
    bytes: new Uint8Array(SLOT_BYTES),
    relocations: [{ kind: "address64", offsetBytes: 0, section: firstSection, addend: chooserOffset }],
  };
  return [code(bytes, [toSlot(JUMPED_DISTANCE), toSlot(slotOffset)]), slot];
}

function joined(codes: readonly LevelCode[]) {
  const chooserOffset = ALIGNMENT_BYTES;
  // The chooser's length does not depend on the distances in it.
  const chooserBytes = chooser({ sse2: 0, avx2: 0, avx512: 0 }).bytes.length;
  const entries = { sse2: 0, avx2: 0, avx512: 0 };
  let end = upToLine(chooserOffset + chooserBytes);
  for (const { level, bytes } of codes) {
    entries[level] = end - chooserOffset;
    end = upToLine(end + bytes.length);
  }
  const choosing = chooser(entries);
  const all = new Uint8Array(end);
  all.set(JUMP_THROUGH_SLOT);
  all.set(choosing.bytes, chooserOffset);
  for (const { level, bytes } of codes) all.set(bytes, chooserOffset + entries[level]);
  return { bytes: all, chooserOffset, slotOffset: chooserOffset + choosing.slotOffset };
}

const upToLine = (bytes: number): number => Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
