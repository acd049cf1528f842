import { isRuns, type Blocks } from "@stowage/ir";
import type { ByLength, Spread } from "../plans.js";

export const NO_RUNS = "blocks of one length, or that are no runs";

/** Whether a table is of runs whose lengths differ. */
export const isRagged = (node: Blocks): boolean => node.blocklengths !== 1 && isRuns(node);

/** Moves of the longest run that has a class; longer ones are copied by a loop. */
const LONGEST_MOVES = 4;

export const EMPTY_RUN = "a run is empty";

/** undefined: a run is empty. */
export function byLength(widest: number, { blocklengths, child }: Blocks, spread: Spread): ByLength | undefined {
  if (blocklengths === 1) return undefined;
  const unitBytes = child.sizeBytes;
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
  return { what: "by length", spread, least, longFromBytes: hasLong ? longest : undefined };
}
