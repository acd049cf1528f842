import type { Conditions, Move, Prediction } from "@stowage/backend-api";

/** Measured on one core of an AMD EPYC (Zen 4); a profile's figures of the same names go before them. */
const DEFAULTS = {
  /** To compile the program of a layout, and for each entry of its tables. */
  commitNs: 4000,
  commitNsPerBlock: 12,
  /** To start a plan. */
  callNs: 120,
  /** For each block that moves, and for each byte. */
  nsPerBlock: 1.6,
  nsPerByte: 0.06,
} as const;

/** Linear in blocks and bytes: the interpreter's cost is its inner loops', and those do the same for every block. */
export function predictRun(
  moves: readonly Move[],
  { count }: Conditions,
  figures: Readonly<Partial<Record<keyof typeof DEFAULTS, number>>>,
): Prediction {
  const { commitNs, commitNsPerBlock, callNs, nsPerBlock, nsPerByte } = { ...DEFAULTS, ...figures };
  const elements = count === "any" ? 1 : count;
  let runNs: number = callNs;
  let compileNs = 0;
  for (const { source, target } of moves) {
    const blocks = Math.max(source.root.blockCount, target.root.blockCount);
    runNs += elements * (blocks * nsPerBlock + source.sizeBytes * nsPerByte);
    compileNs += commitNs + tableEntries(source) * commitNsPerBlock + tableEntries(target) * commitNsPerBlock;
  }
  return { commitNs: compileNs + commitNs, runNs };
}

/** Entries of the outermost table, which is where long ones stand. */
const tableEntries = ({ root }: Move["source"]): number =>
  root.kind === "blocks" ? root.displacementsBytes.length : root.kind === "sequence" ? root.members.length : 0;
