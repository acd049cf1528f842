import type { Fragment, Label } from "@stowage/asm-x64";
import { conditions, copyMove, packMove, unpackMove, type Move } from "@stowage/backend-api";
import { elementMachineCode, machineCode, MOST_ELEMENT_BYTES } from "@stowage/backend-x64";
import { relocatableObject, type ObjectFile, type ObjectSymbol, type Section } from "@stowage/object-files";
import type { CompiledType } from "../compiled-type.js";
import { chooser } from "./choose-level.js";
import { codeSection } from "./code-section.js";
import { leveledFunction, type LevelCode } from "./function-code.js";
import { VARIANTS, type CodeVariant, type X64Target } from "./target.js";

/** Who may link to the functions: everybody, or what is linked into the same program or library alone. */
export type Visibility = "default" | "hidden";

/** A function, by what follows its datatype's symbol, and its code for a kind of processor. */
interface FunctionCode {
  readonly name: string;
  readonly codeFor: (variant: CodeVariant) => Fragment;
}

function functionsOf({ layout, copyLayout }: CompiledType): readonly FunctionCode[] {
  const moves: readonly (readonly [string, Move])[] = [
    ["pack", packMove(layout)],
    ["unpack", unpackMove(layout)],
    ...(copyLayout === undefined ? [] : [["copy", copyMove(layout, copyLayout)] as const]),
  ];
  return moves.flatMap(([name, move]) => {
    const ofRange: FunctionCode = {
      name,
      codeFor: ({ level, options }) => machineCode(move, conditions(), { ...options, level }),
    };
    const ofElement: FunctionCode = {
      name: `${name}_element`,
      codeFor: ({ level, options }) => elementMachineCode(move, { ...options, level }),
    };
    return name !== "copy" && layout.sizeBytes <= MOST_ELEMENT_BYTES ? [ofRange, ofElement] : [ofRange];
  });
}

/** An object file in the making. */
interface Draft {
  readonly sections: Section[];
  readonly symbols: ObjectSymbol[];
}

/**
 * What the functions of datatypes need in one object file. Throws an UnsupportedMoveError where a table would be too
 * large.
 */
export function objectFileOf(
  types: readonly CompiledType[],
  target: X64Target,
  visibility: Visibility = "default",
): ObjectFile {
  const draft: Draft = { sections: [], symbols: [] };
  const variants = VARIANTS[target];
  const choice = variants.length > 1 ? addChoice(draft) : undefined;
  for (const type of types) {
    for (const { name: functionName, codeFor } of functionsOf(type)) {
      const name = `${type.symbol}_${functionName}`;
      const codes = variants.map((variant) => ({ level: variant.level, program: codeFor(variant) }));
      if (choice === undefined) addPlain(draft, name, codes, visibility);
      else addLeveled(draft, name, codes, visibility, choice);
    }
  }
  return { ...draft, features: ["ibt", "shstk"] };
}

/** The sections of the routine that chooses a level, and of the number that it keeps. */
interface Choice {
  readonly choose: number;
  readonly kept: number;
}

const CHOOSER = "stowage_choose_level";
const KEPT_BYTES = 4;

/** Once for all functions of a file. */
function addChoice({ sections, symbols }: Draft): Choice {
  const { assembler } = chooser();
  const choice = { choose: sections.length, kept: sections.length + 1 };
  const code = codeSection(CHOOSER, assembler, () => choice.kept);
  const sizeBytes = code.frames?.endBytes ?? 0;
  symbols.push({ name: CHOOSER, section: choice.choose, offsetBytes: 0, sizeBytes, visibility: "local" });
  const bytes = new Uint8Array(KEPT_BYTES);
  sections.push(code, {
    name: ".data.stowage_level",
    kind: "data",
    alignmentBytes: KEPT_BYTES,
    bytes,
    relocations: [],
  });
  return choice;
}

function addPlain(draft: Draft, name: string, codes: readonly LevelCode[], visibility: Visibility): void {
  const [only] = codes;
  if (only === undefined) throw new TypeError(`code of ${name}: expected a level, got none`);
  const section = draft.sections.length;
  const code = codeSection(name, only.program.assembler, () => section);
  draft.symbols.push({ name, section, offsetBytes: 0, sizeBytes: code.bytes.length, visibility });
  draft.sections.push(code);
}

function addLeveled(
  draft: Draft,
  name: string,
  codes: readonly LevelCode[],
  visibility: Visibility,
  { choose, kept }: Choice,
): void {
  const { assembler, parts, kept: keptLabel } = leveledFunction(codes);
  const section = draft.sections.length;
  const sectionOf = (label: Label): number => (label.id === keptLabel.id ? kept : choose);
  for (const { suffix, offset, sizeBytes } of parts) {
    const seen = suffix === "" ? visibility : "local";
    draft.symbols.push({ name: `${name}${suffix}`, section, offsetBytes: offset, sizeBytes, visibility: seen });
  }
  draft.sections.push(codeSection(name, assembler, sectionOf));
}

/** A relocatable object of one datatype's functions, and the symbols that others see. */
export function objectOf(type: CompiledType, target: X64Target, visibility: Visibility) {
  const file = objectFileOf([type], target, visibility);
  const symbols = file.symbols.filter((symbol) => symbol.visibility !== "local").map(({ name }) => name);
  return { bytes: relocatableObject(file), symbols };
}
