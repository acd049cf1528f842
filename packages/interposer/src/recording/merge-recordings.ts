import type { Datatype } from "@stowage/ir";
import { datatypeOf } from "../description/datatype-of.js";
import type { BothWays, Recording, Traffic } from "./recording.js";

/** One datatype's use by all ranks together. */
export interface TypeUse extends BothWays {
  readonly datatype: Datatype;
  /** How often it was committed, by all ranks together. */
  readonly commits: number;
  /** How many ranks committed it. */
  readonly ranks: number;
  /** How many of them had code for it in the end. */
  readonly ranksWithCode: number;
}

/** The recordings of all ranks of a run, as one. */
export interface MergedRecordings {
  /** How many ranks were recorded. */
  readonly ranks: number;
  /** The names of the programs that ran, each once. */
  readonly programs: readonly string[];
  /** The MPI that the first rank had, such as openmpi-4.1.4. */
  readonly mpi: string;
  /** The derived datatypes, in the order in which they were first met. */
  readonly types: readonly TypeUse[];
  /** The messages of predefined types. */
  readonly others: BothWays;
}

/** Sums recordings over ranks; equal types are one. Throws a DatatypeError where one describes no datatype. */
export function mergeRecordings(recordings: readonly Recording[]): MergedRecordings {
  const types = new Map<string, TypeUse>();
  for (const { types: own } of recordings) {
    for (const { description, commits, hasCode, ...ways } of own) {
      const before = types.get(description);
      types.set(description, {
        datatype: before?.datatype ?? datatypeOf(Buffer.from(description, "hex")),
        commits: (before?.commits ?? 0) + commits,
        ranks: (before?.ranks ?? 0) + 1,
        ranksWithCode: (before?.ranksWithCode ?? 0) + (hasCode ? 1 : 0),
        ...(before === undefined ? ways : sumWays(before, ways)),
      });
    }
  }
  return {
    ranks: recordings.length,
    programs: [...new Set(recordings.map(({ program }) => program))],
    mpi: recordings[0]?.mpi ?? "",
    types: [...types.values()],
    others: recordings.map(({ others }) => others).reduce(sumWays),
  };
}

const sumWays = (a: BothWays, b: BothWays): BothWays => ({
  pack: sumTraffic(a.pack, b.pack),
  unpack: sumTraffic(a.unpack, b.unpack),
});

const sumTraffic = (a: Traffic, b: Traffic): Traffic => ({
  messages: a.messages + b.messages,
  bytes: a.bytes + b.bytes,
  ourMessages: a.ourMessages + b.ourMessages,
  ourBytes: a.ourBytes + b.ourBytes,
  packNs: a.packNs + b.packNs,
  ourPackNs: a.ourPackNs + b.ourPackNs,
  callNs: a.callNs + b.callNs,
  bySize: a.bySize.map((each, i) => each + (b.bySize[i] ?? 0)),
});
