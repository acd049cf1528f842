import { conditions, copyMove, packMove, unpackMove, type Move } from "@stowage/backend-api";
import { elementMachineCode, machineCode, MOST_ELEMENT_BYTES } from "@stowage/backend-x64";
import { relocatableObject, type ObjectFile, type ObjectSymbol, type Section } from "@stowage/object-files";
import type { CompiledType } from "../compiled-type.js";
import { functionSections } from "./function-sections.js";
import type { CodeVariant, X64Target } from "./target.js";

/** A function, by what follows its datatype's symbol, and its code for a kind of processor. */
interface FunctionCode {
  readonly name: string;
  readonly codeFor: (variant: CodeVariant) => Uint8Array;
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

/**
 * What the functions of datatypes need in one object file. Throws an UnsupportedMoveError where a table would be too
 * large.
 */
export function objectFileOf(types: readonly CompiledType[], target: X64Target): ObjectFile {
  const sections: Section[] = [];
  const symbols: ObjectSymbol[] = [];
  for (const type of types) {
    for (const { name: functionName, codeFor } of functionsOf(type)) {
      const name = `${type.symbol}_${functionName}`;
      const own = functionSections(name, codeFor, target, sections.length);
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
