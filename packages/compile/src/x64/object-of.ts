import { copyMove, packMove, unpackMove, type Move } from "@stowage/backend-api";
import { relocatableObject, type ObjectFile, type ObjectSymbol, type Section } from "@stowage/object-files";
import type { CompiledType } from "../compiled-type.js";
import { functionSections } from "./function-sections.js";
import type { X64Target } from "./target.js";

/** The functions of a datatype, by what follows its symbol. */
export type FunctionName = "pack" | "unpack" | "copy";

export function functionsOf({ layout, copyLayout }: CompiledType): readonly (readonly [FunctionName, Move])[] {
  const both = [
    ["pack", packMove(layout)],
    ["unpack", unpackMove(layout)],
  ] as const;
  return copyLayout === undefined ? both : [...both, ["copy", copyMove(layout, copyLayout)]];
}

/** What the functions of datatypes need in one object file. Throws an UnsupportedMoveError where a table would be too large. */
export function objectFileOf(types: readonly CompiledType[], target: X64Target): ObjectFile {
  const sections: Section[] = [];
  const symbols: ObjectSymbol[] = [];
  for (const type of types) {
    for (const [functionName, move] of functionsOf(type)) {
      const name = `${type.symbol}_${functionName}`;
      const own = functionSections(name, move, target, sections.length);
      symbols.push({ name, section: sections.length, offsetBytes: 0, sizeBytes: own[0].bytes.length });
      sections.push(...own);
    }
  }
  return { sections, symbols };
}

/** A relocatable object of one datatype's functions, and their symbols. */
export function objectOf(type: CompiledType, target: X64Target) {
  const file = objectFileOf([type], target);
  return { bytes: relocatableObject(file), symbols: file.symbols.map(({ name }) => name) };
}
