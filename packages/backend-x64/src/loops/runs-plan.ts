import { isRuns, type Blocks, type IntegerTable } from "@stowage/ir";
import type { LoopContext } from "./loop-context.js";
import { hasMasks } from "./vector-levels.js";

/** Longest run that masks move. */
const LONGEST_MASKED_BYTES = 128;
/** Bytes of masked moves at most, for each byte of a run on average. */
const MOST_WASTE = 4;
export const MASKED_BYTES = 64;

/** How whole runs of varying length are moved, with few branches that depend on a length or none. */
export type RunMoves = Masked | ByLength;

/** As many moves for every run, of which masks leave its bytes. */
interface Masked {
  readonly what: "masked";
  readonly stepBytes: number;
}

interface ByLength extends LengthClasses {
  readonly what: "by length";
}

/** The longest run of a class, in its shortest: 2 by its head and its tail, 4 by clamped moves. */
export type Spread = 2 | 4;

/** Lengths of runs in classes: the same moves take all of one, so that few branches depend on a length. */
export interface LengthClasses {
  readonly spread: Spread;
  /** Least length of each class, powers of two, descending. */
  readonly least: readonly number[];
  /** Runs of more bytes are longer than any class; undefined: there are none. */
  readonly longFromBytes: number | undefined;
}

/** undefined: blocks of one length or that are no runs, and empty runs among them. */
export function runMovesOf({ isa, tuning }: LoopContext, node: Blocks): RunMoves | undefined {
  const { blocklengths, child } = node;
  if (blocklengths === 1 || !isRuns(node)) return undefined;
  const isPredicted = blocklengths.length <= tuning.branchHistoryRuns;
  const stepBytes =
    isPredicted || !hasMasks(isa.level) || !tuning.maskedRuns ? undefined : maskedStep(node, blocklengths);
  if (stepBytes !== undefined) return { what: "masked", stepBytes };
  const classes = lengthClassesOf(isa.widest, blocklengths, child.sizeBytes, isPredicted ? 2 : 4);
  return classes === undefined ? undefined : { what: "by length", ...classes };
}

/** undefined: some runs are long, or most much shorter than others. */
function maskedStep({ sizeBytes, child }: Blocks, blocklengths: IntegerTable): number | undefined {
  let longest = 0;
  for (const length of blocklengths) longest = Math.max(longest, length * child.sizeBytes);
  const stepBytes = Math.ceil(longest / MASKED_BYTES) * MASKED_BYTES;
  return stepBytes <= LONGEST_MASKED_BYTES && stepBytes * blocklengths.length <= MOST_WASTE * sizeBytes
    ? stepBytes
    : undefined;
}

const LONGEST_MOVES = 4;

/** undefined: a run is empty. */
function lengthClassesOf(
  widest: number,
  blocklengths: ArrayLike<number>,
  unitBytes: number,
  spread: Spread,
): LengthClasses | undefined {
  const longest = LONGEST_MOVES * widest;
  const present = new Uint8Array(longest + 1);
  let hasLong = false;
  for (let i = 0; i < blocklengths.length; i++) {
    const bytes = (blocklengths[i] as number) * unitBytes;
    if (bytes > longest) hasLong = true;
    else present[bytes] = 1;
  }
  if (present[0] === 1) return undefined;
  const least: number[] = [];
  for (let bytes = present.lastIndexOf(1); bytes > 0; bytes = present.lastIndexOf(1, (least.at(-1) as number) - 1)) {
    least.push(2 ** Math.ceil(Math.log2(Math.max(1, bytes / spread))));
  }
  return { spread, least, longFromBytes: hasLong ? longest : undefined };
}
