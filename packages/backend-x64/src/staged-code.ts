import type { Conditions, Move } from "@stowage/backend-api";
import { compileFull, compileMove, isSameMove, type CodeSettings } from "./compile.js";
import type { KernelCode } from "./kernel-code.js";
import { MoveCode, type FullCode } from "@stowage/host-plans";

/** What code is written for, and where to. */
export interface CodeTarget {
  readonly code: KernelCode;
  readonly conditions: Conditions;
  readonly settings: CodeSettings;
}

/** The code of each move, as far as the first calls need it; equal moves share theirs. */
export function moveCodesOf(moves: readonly Move[], target: CodeTarget): readonly MoveCode[] {
  const known: { readonly move: Move; readonly code: MoveCode }[] = [];
  return moves.map((move) => {
    const found = known.find((each) => isSameMove(each.move, move));
    if (found !== undefined) return found.code;
    const code = moveCodeOf(move, target);
    known.push({ move, code });
    return code;
  });
}

function moveCodeOf(move: Move, { code, conditions, settings }: CodeTarget): MoveCode {
  const write = (): number => code.add(compileMove(move, conditions, settings));
  const full = isAlone(conditions) ? compileFull(move, conditions, settings) : undefined;
  if (full !== undefined) return new MoveCode(write, fullCode(code.add(full.code), move, full.belowBytes));
  const any = write();
  return new MoveCode(() => any);
}

const fullCode = (address: number, { source }: Move, belowBytes: number): FullCode => ({
  address,
  elementBytes: source.sizeBytes,
  belowBytes,
});

/** Threads cut what they share into parts. */
const isAlone = ({ threads }: Conditions): boolean => threads === 1;
