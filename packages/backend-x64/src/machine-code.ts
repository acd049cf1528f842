import { UnsupportedMoveError, type Conditions, type Move } from "@stowage/backend-api";
import { compileMoves } from "./compile.js";
import type { FeatureLevel } from "./feature-level.js";
import { tuningOf, type X64Options } from "./options.js";
import { AssemblerSession } from "./lower/assembler-session.js";
import { elementCode } from "./lower/element-program.js";
import { NAME } from "./payload.js";
import { unknown } from "./targets/unknown.js";
import { reasonAgainst } from "./supports.js";

/**
 * Position-independent code of one move for a feature level, whichever machine writes it: entered at byte 0 with
 * (source, target, count, first, length) by the System V AMD64 ABI, its tables behind it. Default tuning: that of an
 * unknown processor.
 * @throws UnsupportedMoveError where the layouts need more nodes, nesting or tables than a program may have.
 */
export function machineCode(
  move: Move,
  conditions: Conditions,
  options: X64Options & { level: FeatureLevel },
): Uint8Array {
  const reason = reasonAgainst(move);
  if (reason !== undefined) throw new UnsupportedMoveError(NAME, reason);
  const session = new AssemblerSession();
  return compileMoves([move], conditions, { level: options.level, tuning: tuningOf(options, unknown), session }).code;
}

/** Beside longer elements count and range cost nothing, and non-temporal stores may be due. */
export const MOST_ELEMENT_BYTES = 64 * 1024;

/**
 * The same of one whole element of a pack or unpack of at most MOST_ELEMENT_BYTES, entered with (source, target) alone.
 */
export function elementMachineCode(move: Move, options: X64Options & { level: FeatureLevel }): Uint8Array {
  const reason = reasonAgainst(move);
  if (reason !== undefined) throw new UnsupportedMoveError(NAME, reason);
  return elementCode(move, options.level, tuningOf(options, unknown));
}
