import { listing } from "@stowage/asm-x64";
import {
  describeTables,
  directionOf,
  isReducing,
  scatteredLayout,
  type Conditions,
  type Move,
} from "@stowage/backend-api";
import type { FeatureLevel } from "./feature-level.js";
import { frameRecords, type PlacedProgram } from "./frame-records.js";
import { Constants } from "./loops/facts/constants.js";
import { explainLoops } from "./loops/explain-loops.js";
import { hasFirstCalls } from "./loops/facts/nodes.js";
import { hasSortedTable } from "./loops/facts/sorting.js";
import type { LoopContext } from "./loops/loop-context.js";
import { promisedAlignment } from "./lower/alignment.js";
import type { AssemblerSession } from "./lower/assembler-session.js";
import { isaOf } from "./lower/isa.js";
import {
  contextOf,
  fullProgram,
  program,
  type FullProgram,
  type Program,
  type ProgramOptions,
} from "./lower/program.js";
import type { Tuning } from "./options.js";
import type { Payload } from "./payload.js";
import { reduceListing, reduceProgram } from "./reduce/reduce-program.js";
import { copyListing, copyProgram } from "./relayout/copy-program.js";
import { nonTemporalBytesOfSlice } from "./threads/rules/slices.js";

const ENTRY_ALIGNMENT = 64;

/** What code is written for, and what its programs share. */
export interface CodeSettings {
  readonly level: FeatureLevel;
  readonly tuning: Tuning;
  readonly session: AssemblerSession;
}

/** Of artifacts: `frames`, whether they hold what unwinders need. */
export interface ArtifactSettings extends CodeSettings {
  readonly frames: boolean;
}

/** The programs of all moves, one after another; equal moves share theirs. */
export function compileMoves(moves: readonly Move[], conditions: Conditions, settings: ArtifactSettings): Payload {
  const { level, frames } = settings;
  const pieces: (PlacedProgram & { readonly code: Uint8Array })[] = [];
  const known: { readonly move: Move; readonly entry: number }[] = [];
  let length = 0;
  const entries = Int32Array.from(moves, (move) => {
    const found = known.find((each) => isSameMove(each.move, move));
    if (found !== undefined) return found.entry;
    const entry = length;
    const { code, assembler } = programOf(move, conditions, settings, frames);
    pieces.push({ entry, code, assembler });
    length += Math.ceil(code.length / ENTRY_ALIGNMENT) * ENTRY_ALIGNMENT;
    known.push({ move, entry });
    return entry;
  });
  const only = pieces.length === 1 ? pieces[0] : undefined;
  const code = only?.code ?? joined(pieces, length);
  return { level, entries, code, ...(frames ? { frames: frameRecords(pieces) } : {}) };
}

/** Whether two moves are of the same layouts and do the same: they share code. */
export const isSameMove = (a: Move, b: Move): boolean =>
  a.source === b.source &&
  a.target === b.target &&
  a.reduction?.op === b.reduction?.op &&
  a.reduction?.element === b.reduction?.element;

/** One move's code, for every call. */
export const compileMove = (move: Move, conditions: Conditions, settings: CodeSettings): Uint8Array =>
  programOf(move, conditions, settings).code;

/** One move's code, for every call, and the assembler that keeps its listing. */
export const compileListed = (move: Move, conditions: Conditions, settings: CodeSettings): Program =>
  programOf(move, conditions, settings, true);

/** One move's code for full packs within the caches; undefined where it is not worth having apart. */
export function compileFull(move: Move, conditions: Conditions, settings: CodeSettings): FullProgram | undefined {
  if (isCopy(move) || isReducing(move) || !hasFirstCalls(scatteredLayout(move).root)) return undefined;
  return fullProgram(move, settings.level, settings.tuning, optionsFor(move, conditions, settings));
}

function joined(pieces: readonly { readonly entry: number; readonly code: Uint8Array }[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  for (const { entry, code } of pieces) all.set(code, entry);
  return all;
}

const isCopy = (move: Move): boolean => directionOf(move) === "copy";

/** One move's code, whatever its direction. */
function programOf(move: Move, conditions: Conditions, settings: CodeSettings, listing = false): Program {
  const tuning = tuningFor(conditions, settings.tuning);
  const options = { ...optionsFor(move, conditions, settings), listing };
  if (move.reduction !== undefined) return reduceProgram(move, move.reduction, settings.level, tuning, options);
  return (isCopy(move) ? copyProgram : program)(move, settings.level, tuning, options);
}

function listingOf(move: Move, conditions: Conditions, settings: CodeSettings): string {
  const tuning = tuningFor(conditions, settings.tuning);
  const options = { ...optionsFor(move, conditions, settings), listing: true };
  if (move.reduction !== undefined)
    return reduceListing(reduceProgram(move, move.reduction, settings.level, tuning, options));
  if (isCopy(move)) return copyListing(copyProgram(move, settings.level, tuning, options));
  const { plan, assembler } = program(move, settings.level, tuning, options);
  return `${explainLoops(plan)}\n${listing(assembler)}`;
}

const optionsFor = (move: Move, conditions: Conditions, { tuning, session }: CodeSettings): ProgramOptions => ({
  alignment: tuning.alignedMoves ? promisedAlignment(move, conditions) : 1,
  nonTemporalPartsBytes: tuning.nonTemporalBytes,
  expectedCalls: expectedCallsOf(conditions),
  session,
});

/** Threads each walk a part of a table, so that nothing is repaid that only walks of all of it gain by. */
const expectedCallsOf = ({ reuse = 0, threads }: Conditions): number => (threads === 1 ? reuse : 0);

/** What the expected calls change of the code for some moves, as a word for keys; "": nothing. */
export function variantOf(moves: readonly Move[], conditions: Conditions, settings: CodeSettings): string {
  const isSorted = (move: Move): boolean =>
    directionOf(move) === "unpack" && hasSortedTable(scatteredLayout(move), contextFor(move, conditions, settings));
  return expectedCallsOf(conditions) > 0 && moves.some(isSorted) ? "-sorted" : "";
}

function contextFor(move: Move, conditions: Conditions, settings: CodeSettings): LoopContext {
  const options = optionsFor(move, conditions, settings);
  const isa = isaOf(settings.level, options.alignment);
  return contextOf(
    move,
    { isa, session: settings.session, constants: new Constants() },
    tuningFor(conditions, settings.tuning),
    options,
  );
}

/** Code for threads runs on slices: they are non-temporal where the full launch would be. */
function tuningFor({ threads }: Conditions, tuning: Tuning): Tuning {
  if (threads === 1) return tuning;
  return { ...tuning, nonTemporalBytes: nonTemporalBytesOfSlice(tuning.nonTemporalBytes, threads) };
}

/** What explain() says of moves: who runs them, and each one's machine code. */
export function explainMoves(
  moves: readonly Move[],
  conditions: Conditions,
  settings: CodeSettings,
  sharedFromBytes: number,
): string {
  const listings = moves.map((move, i) => {
    const tables = describeTables(move.tables);
    const head = `; move ${i}, ${settings.level}${tables === undefined ? "" : `\n; ${tables}, a call each`}`;
    return `${head}\n${listingOf(move, conditions, settings)}`;
  });
  return [`; ${explainThreads(conditions, sharedFromBytes)}`, ...listings].join("\n\n");
}

const explainThreads = ({ threads }: Conditions, sharedFromBytes: number): string =>
  threads === 1
    ? "1 thread: the caller's"
    : `${threads} threads, the caller's among them, from ${sharedFromBytes} packed bytes a launch on; 1 below`;
