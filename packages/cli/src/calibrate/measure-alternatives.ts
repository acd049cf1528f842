import { isDeepStrictEqual } from "node:util";
import { conditions, packMove, unpackMove, type Figures } from "@stowage/backend-api";
import {
  alternativeFigures,
  silentAlternatives,
  X64Backend,
  type Alternative,
  type X64Options,
} from "@stowage/backend-x64";
import { cellsOf, hostContender, measureCell, type Cell } from "@stowage/bench";
import { canonicalise, contiguous, hindexed, hvector, lower, predefined, type Datatype } from "@stowage/ir";
import { engineCommit } from "../contenders/engine-commit.js";

const BYTE = predefined("MPI_BYTE");
const SAMPLING = { budgetMs: 20, warmUpMs: 2, sampleUs: 50, rounds: 15, modes: ["call"] } as const;
/** The other way wins where it is so much faster in the mean, and nowhere so much slower. */
const LEAST_GAIN = 1.03;
const MOST_LOSS = 0.9;

const blocks = (count: number, bytes: number, strideBytes: number): Datatype =>
  hvector(count, 1, strideBytes, contiguous(bytes, BYTE));

/** Runs of 1 to 16 doubles in no order that repeats. */
function ragged(count: number): Datatype {
  let [state, at] = [1, 0];
  const runs = Array.from({ length: count }, () => {
    state = (state * 48271) % 0x7fffffff;
    const length = 8 * (1 + (state % 16));
    at += length + 8;
    return { length, displacement: at - length };
  });
  return hindexed(
    runs.map(({ length }) => length),
    runs.map(({ displacement }) => displacement),
    BYTE,
  );
}

const columnsInOneSet = (): readonly Datatype[] =>
  [64, 384, 1024, 4096].flatMap((count) => [blocks(count, 16, 4096), blocks(count, 16, 12_288)]);

/** What each alternative is about. */
const DATATYPES: Readonly<Record<Alternative["name"], readonly Datatype[]>> = {
  paddingLimitsConflicts: columnsInOneSet(),
  fencesLimitConflicts: columnsInOneSet(),
  paddingLimitsStoreConflicts: [...columnsInOneSet(), ...[128, 512, 1024].map((count) => blocks(count, 16, 2048))],
  retriesMisses: [blocks(1_398_101, 12, 96), blocks(1_398_101, 12, 128), blocks(182_361, 92, 128)],
  branchHistoryRuns: [ragged(600), ragged(2400)],
  repMovsbBytes: [4096, 16_384, 65_536].map((bytes) => blocks(16, bytes, bytes + 4096)),
  repMovsbUnpackedBytes: [2048, 3072, 4096].flatMap((bytes) =>
    [16, 32].map((count) => blocks(count, bytes, bytes + 4096)),
  ),
  alignedStoresBytes: [1088, 2916, 8152].flatMap((bytes) => [4, 16].map((count) => blocks(count, bytes, bytes + 168))),
  paddedPageStoresBytes: [6560, 16_400].flatMap((stride) => [16, 40].map((bytes) => blocks(4000, bytes, stride))),
  prefetchesL2: [1000, 3240].flatMap((stride) => [blocks(2000, 20, stride), blocks(4000, 24, stride)]),
  longRoundsInL2: [128, 320].flatMap((stride) => [blocks(500, 16, stride), blocks(2000, 24, stride)]),
};

/**
 * Times the alternatives that this processor's description is silent of, until the time is over; what won, as figures
 * of the section "x64". Code is written by the shipped ways where nothing was timed.
 */
export function alternativesFound(isWithheld: boolean, isOver: () => boolean): Figures {
  const won: [name: string, wins: boolean][] = [];
  for (const each of silentAlternatives(isWithheld)) {
    if (isOver()) break;
    won.push([each.name, wins(each)]);
  }
  return won.length === 0 ? {} : alternativeFigures(Object.fromEntries(won));
}

function wins(alternative: Alternative): boolean {
  const speedUps = DATATYPES[alternative.name].flatMap((datatype, i) => speedUpsOf(alternative, datatype, i));
  const mean = Math.exp(speedUps.reduce((sum, each) => sum + Math.log(each), 0) / speedUps.length);
  return mean >= LEAST_GAIN && Math.min(...speedUps) >= MOST_LOSS;
}

function speedUpsOf({ name, plain, other }: Alternative, datatype: Datatype, i: number): readonly number[] {
  const contenders = Object.entries({ plain, other }).map(([way, options]) =>
    hostContender(way, engineCommit({ backends: [new X64Backend(options)] }, { threads: 1 })),
  );
  const cells = cellsOf(`${name} ${i}`, datatype, 1).filter((cell) => isOtherCode(cell, plain, other));
  return cells.map((cell) => {
    const { rows } = measureCell(cell, contenders, SAMPLING);
    const nsOf = (way: string): number => rows.find(({ contender }) => contender === way)?.medianNs ?? NaN;
    return nsOf("plain") / nsOf("other");
  });
}

/** Whether the two ways write other code for a cell: where they do not, what differs is noise. */
function isOtherCode({ datatype, direction }: Cell, ...ways: readonly [X64Options, X64Options]): boolean {
  const move = (direction === "pack" ? packMove : unpackMove)(canonicalise(lower(datatype)));
  const [plain, other] = ways.map((options) => new X64Backend(options).compile([move], conditions()).payload);
  return !isDeepStrictEqual(plain, other);
}
