import type { Fragment } from "@stowage/asm-x64";
import { UnsupportedMoveError, type Conditions, type Move } from "@stowage/backend-api";
import { compileListed } from "./compile.js";
import type { FeatureLevel } from "./feature-level.js";
import { tuningOf, type X64Options } from "./options.js";
import { AssemblerSession } from "./lower/assembler-session.js";
import { elementProgram } from "./lower/element-program.js";
import { NAME } from "./payload.js";
import { unknown } from "./targets/unknown.js";
import { reasonAgainst } from "./supports.js";

/**
 * Writes position-independent code of one move for a feature level, whichever machine writes it, to be linked into a
 * program. It is entered at byte 0 with (source, target, count, first, length) by the System V AMD64 ABI, and its
 * tables stand behind it. It begins with ENDBR64 and keeps to indirect branch tracking (Intel SDM, volume 1,
 * "Control-flow Enforcement Technology"). Its assembler keeps a listing, for frameRows(). Default tuning: that of an
 * unknown processor. Throws an UnsupportedMoveError where the layouts need more nodes, nesting or tables than a program
 * may have.
 */
export function machineCode(
  move: Move,
  conditions: Conditions,
  options: X64Options & { level: FeatureLevel },
): Fragment {
  requireSupported(move);
  return compileListed(move, conditions, {
    level: options.level,
    tuning: tuningOf(options, unknown),
    session: linked(),
  });
}

/**
 * The most packed bytes of an element that elementMachineCode writes code for: beside longer elements, count and range
 * cost nothing, and non-temporal stores may be due.
 */
export const MOST_ELEMENT_BYTES = 64 * 1024;

/**
 * Writes code for one whole element of a pack or unpack, of at most MOST_ELEMENT_BYTES, entered with (source, target)
 * alone. Throws as machineCode does.
 */
export function elementMachineCode(move: Move, options: X64Options & { level: FeatureLevel }): Fragment {
  requireSupported(move);
  const program = { session: linked(), listing: true };
  return elementProgram(move, options.level, tuningOf(options, unknown), program);
}

const linked = (): AssemblerSession => new AssemblerSession({ branchTracking: true });

/** Throws an UnsupportedMoveError where no program is written for a move. */
export function requireSupported(move: Move): void {
  const reason = reasonAgainst(move);
  if (reason !== undefined) throw new UnsupportedMoveError(NAME, reason);
}
