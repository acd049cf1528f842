import type { Figures } from "@stowage/backend-api";
import type { Processor } from "./processor.js";

/** How a processor behaves where alternatives are to be measured on it. */
export interface Behaviour {
  /**
   * Whether fences between stores, and NOP padding between loads, of lines that conflict in a set of L1d let each line
   * finish before it is evicted: "fenced" over "paced" in results/epyc/strides.json; results/xeon/strides.json has the
   * reverse.
   */
  readonly limitsSetConflicts: boolean;
  /**
   * Whether loads that find no fill buffer are retried, so that NOP padding between blocks that miss all caches gains.
   */
  readonly retriesMisses: boolean;
  /** Branches on varying lengths whose outcomes the branch predictor holds. */
  readonly branchHistoryRuns: number;
  /** Bytes from which REP MOVSB copies a run faster than vectors do; Infinity: none. */
  readonly repMovsbBytes: number;
  /** The same of runs that are unpacked. */
  readonly repMovsbUnpackedBytes: number;
  /**
   * The same where another core wrote the source's lines or has the target's in its cache, as of messages between
   * ranks.
   */
  readonly repMovsbBetweenCoresBytes: number;
  /** Whether short blocks that lie in L2 gain by a prefetch where they are too far apart for the hardware to follow. */
  readonly prefetchesL2: boolean;
  /** Whether rounds of 32 short blocks gain over rounds of 8 in L2 too: eight strides mislead the L1 prefetcher. */
  readonly longRoundsInL2: boolean;
}

/** Where nobody measured: nothing is on that won elsewhere only. */
export const PLAIN: Behaviour = Object.freeze({
  limitsSetConflicts: false,
  retriesMisses: false,
  branchHistoryRuns: 256,
  repMovsbBytes: Infinity,
  repMovsbUnpackedBytes: Infinity,
  repMovsbBetweenCoresBytes: Infinity,
  prefetchesL2: true,
  longRoundsInL2: false,
});

/** The alternatives that won somewhere: what `stowage calibrate` times against the plain ones. */
export const ALTERNATIVES: Behaviour = Object.freeze({
  limitsSetConflicts: true,
  retriesMisses: true,
  branchHistoryRuns: 4096,
  repMovsbBytes: 4096,
  repMovsbUnpackedBytes: 2048,
  repMovsbBetweenCoresBytes: 1024,
  prefetchesL2: false,
  longRoundsInL2: true,
});

/** Those that calibration decides on one core. */
export type Measurable = Exclude<keyof Behaviour, "repMovsbUnpackedBytes" | "repMovsbBetweenCoresBytes">;

export const MEASURABLE: readonly Measurable[] = [
  "limitsSetConflicts",
  "retriesMisses",
  "branchHistoryRuns",
  "repMovsbBytes",
  "prefetchesL2",
  "longRoundsInL2",
];

const PREFIX = "alternative.";

/** What calibration found, as figures of a profile: 1 where the alternative won, and of which processor that holds. */
export const answersAsFigures = (
  { family, model }: Processor,
  answers: Readonly<Partial<Record<Measurable, boolean>>>,
): Figures => ({
  [`${PREFIX}family`]: family,
  [`${PREFIX}model`]: model,
  ...Object.fromEntries(Object.entries(answers).map(([name, won]) => [PREFIX + name, won ? 1 : 0])),
});

/** The behaviour that a profile's figures tell of a processor; of another one they tell nothing. */
export function behaviourOfFigures({ family, model }: Processor, figures: Figures): Partial<Behaviour> {
  if (figures[`${PREFIX}family`] !== family || figures[`${PREFIX}model`] !== model) return {};
  const answered = MEASURABLE.filter((name) => figures[PREFIX + name] !== undefined);
  return Object.fromEntries(
    answered.map((name) => [name, (figures[PREFIX + name] === 1 ? ALTERNATIVES : PLAIN)[name]]),
  );
}
