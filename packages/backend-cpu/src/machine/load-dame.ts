import { quoted } from "@stowage/ir";
import { DameError } from "../language/dame-error.js";
import type { Primitive } from "../language/primitive.js";
import type { DameProgram } from "../language/program.js";
import { typeSizeBytes } from "../language/type-size.js";
import { requireVerified } from "../language/verify-dame.js";
import { BY_COPIES, type Level } from "./level.js";
import { Linker } from "./linker.js";

/** A program with a loop over elements around it, ready to run. */
export interface LoadedDame {
  /** The program. */
  readonly program: DameProgram;
  /** Bytes from one element to the next. */
  readonly extentBytes: number;
  /** Packed bytes of one element. */
  readonly sizeBytes: number;
  /** Bytes from the datatype's address 0 to where the element's outermost level stands. */
  readonly startBytes: number;
  /** The loop over elements, with the program's loops inside. */
  readonly root: Level;
}

const LOADED = new WeakSet<LoadedDame>();

/** What loading or flattening made. */
export function loadedDame(made: LoadedDame): LoadedDame {
  LOADED.add(made);
  return Object.freeze(made);
}

export function requireLoaded(loaded: LoadedDame): LoadedDame {
  if (LOADED.has(loaded)) return loaded;
  throw new DameError("loaded program", "one that loadDame made", quoted(loaded));
}

/**
 * Prepares a program to run over elements `extentBytes` apart: links its loops, counts its tables in words, takes
 * prefix sums. It takes O(primitives and table entries). Throws a DameError for a program that is wrong, or an extent
 * that is no safe integer.
 */
export function loadDame(program: DameProgram, extentBytes: number): LoadedDame {
  requireVerified(program);
  if (!Number.isSafeInteger(extentBytes)) throw new DameError("extent in bytes", "a safe integer", quoted(extentBytes));
  const outermost = program.primitives[1] as Primitive;
  const shifted = outermost.kind === "BLOCKINDEX1" && outermost.count === 1;
  const first = shifted ? 2 : 1;
  return loadedDame({
    program,
    extentBytes,
    sizeBytes: typeSizeBytes(program.primitives[first] as Primitive),
    startBytes: shifted ? (outermost.displacementsBytes[0] as number) : 0,
    root: new Linker(program).repeat(-1, BY_COPIES, extentBytes, first),
  });
}
