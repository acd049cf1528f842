import type { ResultRow } from "../results/schema.js";
import type { Cell } from "./cell.js";
import type { Contender, Prepared } from "./contender.js";
import { sampleInTurns, type Sampling } from "./sample.js";

interface Entry {
  readonly contender: Contender;
  readonly prepared: Prepared;
}

/** What a cell gave: a row for each contender that took part, and why the others did not. */
export interface Measured {
  readonly rows: readonly ResultRow[];
  readonly refusals: readonly string[];
}

/** Runs every contender once and checks its bytes, then times them in turns, then checks the bytes again. */
export function measureCell(cell: Cell, contenders: readonly Contender[], sampling: Sampling): Measured {
  const refusals: string[] = [];
  const entries: Entry[] = [];
  try {
    for (const contender of contenders) {
      const prepared = contender.prepare(cell);
      if ("reason" in prepared) refusals.push(`${contender.name}: ${prepared.reason}`);
      else entries.push({ contender, prepared });
    }
    for (const { prepared } of entries) {
      prepared.run();
      prepared.verify();
    }
    const times = sampleInTurns(
      entries.map(
        ({ prepared }) =>
          () =>
            prepared.run(),
      ),
      sampling,
    );
    const rows = entries.map((entry, i) => ({ ...describe(cell, entry), ...(times[i] as Times) }));
    for (const { prepared } of entries) prepared.verify();
    return { refusals, rows };
  } finally {
    for (const { prepared } of entries) prepared[Symbol.dispose]();
  }
}

type Times = ReturnType<typeof sampleInTurns>[number];

function describe(cell: Cell, { contender, prepared }: Entry): Omit<ResultRow, keyof Times> {
  const { workload, count, packedBytes, direction } = cell;
  const { name, route } = contender;
  return {
    ...{ workload, count, packedBytes, direction, route, contender: name, verified: true, commitNs: prepared.commitNs },
    ...(prepared.eventNs === undefined ? {} : { eventNs: prepared.eventNs() }),
  };
}
