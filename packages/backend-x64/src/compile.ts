import { listing } from "@stowage/asm-x64";
import { directionOf, isReducing, scatteredLayout, type Conditions, type Move } from "@stowage/backend-api";
import { nodeStatistics } from "@stowage/ir";
import type { FeatureLevel } from "./feature-level.js";
import { promisedAlignment } from "./lower/alignment.js";
import { fullProgram, program, type FullProgram, type Program, type ProgramOptions } from "./lower/program.js";
import type { Tuning } from "./options.js";
import type { Payload } from "./payload.js";
import { copyListing, copyProgram } from "./relayout/copy-program.js";
import { reduceListing, reduceProgram } from "./reduce/reduce-program.js";
import { nonTemporalBytesOfSlice } from "./threads/plan-threads.js";

const ENTRY_ALIGNMENT = 64;

/** The programs of all moves, one after another; equal moves share theirs. */
export function compileMoves(
  moves: readonly Move[],
  conditions: Conditions,
  level: FeatureLevel,
  machineTuning: Tuning,
): Payload {
  const tuning = tuningFor(conditions, machineTuning);
  const pieces: Uint8Array[] = [];
  const known: { readonly move: Move; readonly entry: number }[] = [];
  let length = 0;
  const entries = Int32Array.from(moves, (move) => {
    const found = known.find((each) => isSameMove(each.move, move));
    if (found !== undefined) return found.entry;
    const entry = length;
    const { code } = programOf(move, level, tuning, optionsFor(move, conditions, machineTuning));
    pieces.push(code);
    length += Math.ceil(code.length / ENTRY_ALIGNMENT) * ENTRY_ALIGNMENT;
    known.push({ move, entry });
    return entry;
  });
  const only = pieces.length === 1 ? pieces[0] : undefined;
  return { level, entries, code: only ?? joined(pieces, length) };
}

/** Whether two moves are of the same layouts and do the same: they share code. */
export const isSameMove = (a: Move, b: Move): boolean =>
  a.source === b.source &&
  a.target === b.target &&
  a.reduction?.op === b.reduction?.op &&
  a.reduction?.element === b.reduction?.element;

/** One move's code, for every call. */
export const compileMove = (
  move: Move,
  conditions: Conditions,
  level: FeatureLevel,
  machineTuning: Tuning,
): Uint8Array =>
  programOf(move, level, tuningFor(conditions, machineTuning), optionsFor(move, conditions, machineTuning)).code;

/** Entries of tables that are not worth writing twice. */
const MOST_ENTRIES_TWICE = 4096;

/** One move's code for full packs within the caches; undefined where it is not worth having apart. */
export function compileFull(
  move: Move,
  conditions: Conditions,
  level: FeatureLevel,
  machineTuning: Tuning,
): FullProgram | undefined {
  if (isCopy(move) || isReducing(move) || nodeStatistics(scatteredLayout(move).root).tableEntries > MOST_ENTRIES_TWICE)
    return undefined;
  return fullProgram(move, level, machineTuning, optionsFor(move, conditions, machineTuning));
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const code = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    code.set(piece, at);
    at += Math.ceil(piece.length / ENTRY_ALIGNMENT) * ENTRY_ALIGNMENT;
  }
  return code;
}

const isCopy = (move: Move): boolean => directionOf(move) === "copy";

/** One move's code, whatever its direction. */
function programOf(move: Move, level: FeatureLevel, tuning: Tuning, options: ProgramOptions): Program {
  if (move.reduction !== undefined) return reduceProgram(move, move.reduction, level, tuning, options);
  return isCopy(move) ? copyProgram(move, level, tuning, options) : program(move, level, tuning, options);
}

function listingOf(move: Move, level: FeatureLevel, tuning: Tuning, options: ProgramOptions): string {
  if (move.reduction !== undefined) return reduceListing(reduceProgram(move, move.reduction, level, tuning, options));
  return isCopy(move)
    ? copyListing(copyProgram(move, level, tuning, options))
    : listing(program(move, level, tuning, options).assembler);
}

const optionsFor = (
  move: Move,
  conditions: Conditions,
  { alignedMoves, nonTemporalBytes }: Tuning,
): ProgramOptions => ({
  alignment: alignedMoves ? promisedAlignment(move, conditions) : 1,
  nonTemporalPartsBytes: nonTemporalBytes,
});

/** Code for threads runs on slices: they are non-temporal where the full launch would be. */
function tuningFor({ threads }: Conditions, tuning: Tuning): Tuning {
  if (threads === 1) return tuning;
  return { ...tuning, nonTemporalBytes: nonTemporalBytesOfSlice(tuning.nonTemporalBytes, threads) };
}

/** What explain() says of moves: who runs them, and each one's machine code. */
export function explainMoves(
  moves: readonly Move[],
  conditions: Conditions,
  level: FeatureLevel,
  machineTuning: Tuning,
  sharedFromBytes: number,
): string {
  const tuning = tuningFor(conditions, machineTuning);
  const options = (move: Move) => ({ ...optionsFor(move, conditions, machineTuning), listing: true });
  const listings = moves.map((move, i) => `; move ${i}, ${level}\n${listingOf(move, level, tuning, options(move))}`);
  return [`; ${explainThreads(conditions, sharedFromBytes)}`, ...listings].join("\n\n");
}

const explainThreads = ({ threads }: Conditions, sharedFromBytes: number): string =>
  threads === 1
    ? "1 thread: the caller's"
    : `${threads} threads, the caller's among them, from ${sharedFromBytes} packed bytes a launch on; 1 below`;
