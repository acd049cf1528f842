import { ArgumentError, isGone, requireArray, requireRecord, type FieldRule, type FieldRules } from "@stowage/ir";
import type { ArchiveMember } from "./archive-member.js";
import type { FrameTable, ObjectFile, ObjectSymbol, Relocation, Section } from "./object-file.js";

/** Characters of one byte each, none of them the zero that ends a name. */
const isName = (value: unknown): boolean => typeof value === "string" && /^[\x01-\x7f]+$/.test(value);
const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const NAME: FieldRule = { expected: "a name in ASCII", allows: isName };
const NAMES: FieldRule = {
  expected: "a list of names in ASCII",
  allows: (value) => Array.isArray(value) && value.every(isName),
};
const BYTES: FieldRule = {
  expected: "a Uint8Array",
  allows: (value) => value instanceof Uint8Array && !isGone(value),
};
const LIST: FieldRule = { expected: "a list", allows: Array.isArray };
const NATURAL: FieldRule = { expected: "an integer of 0 or more", allows: isNatural };
const INTEGER: FieldRule = { expected: "an integer", allows: Number.isSafeInteger };
const ALIGNMENT: FieldRule = {
  expected: "a power of two up to 2^16",
  allows: (value) => isNatural(value) && Number.isInteger(Math.log2(value as number)) && (value as number) <= 2 ** 16,
};
const oneOf = (...values: readonly unknown[]): FieldRule => ({
  expected: values.join(" or "),
  allows: (value) => values.includes(value),
});
/** A place of 4 bytes, the shortest that a linker fills in. */
const within = (sizeBytes: number): FieldRule => ({
  expected: `4 bytes within the ${sizeBytes} of its section`,
  allows: (value) => isNatural(value) && (value as number) + 4 <= sizeBytes,
});
const indexBelow = (count: number): FieldRule => ({
  expected: `the number of one of ${count} sections`,
  allows: (value) => isNatural(value) && (value as number) < count,
});

const optional = (rule: FieldRule): FieldRule => ({
  expected: `${rule.expected}, or none`,
  allows: (value) => value === undefined || rule.allows(value),
});
const FEATURES: FieldRule = {
  expected: "a list of ibt and shstk",
  allows: (value) => Array.isArray(value) && value.every((each) => each === "ibt" || each === "shstk"),
};

const FILE: FieldRules<ObjectFile> = { sections: LIST, symbols: LIST, features: optional(FEATURES) };
const SECTION: FieldRules<Section> = {
  name: NAME,
  kind: oneOf("code", "data"),
  alignmentBytes: ALIGNMENT,
  bytes: BYTES,
  relocations: LIST,
  frames: optional({ expected: "a table of frames", allows: (value) => typeof value === "object" && value !== null }),
};
const MEMBER: FieldRules<ArchiveMember> = { name: NAME, bytes: BYTES, symbols: NAMES };

/** Throws an ArgumentError where something is no object file. */
export function requireObjectFile(file: ObjectFile): ObjectFile {
  const { sections, symbols } = requireRecord(file, "object file", FILE);
  const section = indexBelow(sections.length);
  const symbolRules: FieldRules<ObjectSymbol> = {
    name: NAME,
    section,
    offsetBytes: NATURAL,
    sizeBytes: NATURAL,
    visibility: optional(oneOf("default", "hidden", "local")),
  };
  const kind = oneOf("relative32", "address64");
  for (const each of sections) {
    const { length } = requireRecord(each, "section", SECTION).bytes;
    const relocationRules: FieldRules<Relocation> = { kind, offsetBytes: within(length), section, addend: INTEGER };
    for (const relocation of each.relocations) requireRecord(relocation, "relocation", relocationRules);
    if (each.frames !== undefined) requireFrames(each.frames, length);
  }
  for (const symbol of symbols) requireRecord(symbol, "symbol", symbolRules);
  return file;
}

function requireFrames(frames: FrameTable, sectionBytes: number): void {
  const rules: FieldRules<FrameTable> = {
    startBytes: NATURAL,
    endBytes: {
      expected: `an end within the ${sectionBytes} bytes of its section`,
      allows: (value) => isNatural(value) && (value as number) <= sectionBytes,
    },
    instructions: BYTES,
  };
  const { startBytes, endBytes } = requireRecord(frames, "table of frames", rules);
  if (startBytes > endBytes)
    throw new ArgumentError("start of a table of frames", `at most its end, ${endBytes}`, String(startBytes));
}

/** Throws an ArgumentError where something is no list of members. */
export function requireMembers(members: readonly ArchiveMember[]): readonly ArchiveMember[] {
  requireArray(members, "static library", "a list of members");
  for (const member of members) requireRecord(member, "member of a static library", MEMBER);
  return members;
}
