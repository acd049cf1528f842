import { grouped, meanOf, type Mean } from "@stowage/bench";
import { BYTES, NATIVE } from "./c-contenders.js";
import type { PingPongRow } from "./row.js";

/** All rows of one exchange, by contender. */
export type Cell = ReadonlyMap<string, PingPongRow>;

export const cellsOfRows = (rows: readonly PingPongRow[]): readonly Cell[] =>
  [...grouped(rows, ({ workload, packedBytes, count }) => `${workload} ${packedBytes} ${count}`).values()].map(
    (group) => new Map(group.map((row) => [row.contender, row])),
  );

/** How many times as fast one contender is as another; undefined where either is missing. */
export function ratioIn(cell: Cell, contender: string, against: string): number | undefined {
  const [one, other] = [cell.get(contender), cell.get(against)];
  return one === undefined || other === undefined ? undefined : other.medianNs / one.medianNs;
}

/** What one contender gains on the MPI's own datatypes. */
export interface Gain {
  readonly contender: string;
  readonly mean: Mean;
  /** The least of messages of more than 4 KiB, and whose. */
  readonly least: { readonly ratio: number; readonly workload: string } | undefined;
  /** The median share that is saved of what the MPI's datatypes take beyond contiguous bytes of that size. */
  readonly shareGained: number | undefined;
}

/** Messages of up to 1 MiB, as the papers plot them. */
const MOST_BYTES = 2 ** 20;
/** Below, a call from JavaScript weighs as much as a message. */
const SMALL_BYTES = 4096;

export function gainOf(cells: readonly Cell[], contender: string): Gain | undefined {
  const counted = cells.flatMap((cell) => {
    const row = cell.get(contender);
    const ratio = ratioIn(cell, contender, NATIVE);
    return row === undefined || ratio === undefined || row.packedBytes > MOST_BYTES ? [] : [{ cell, row, ratio }];
  });
  const mean = meanOf(counted.map(({ ratio }) => ratio));
  if (mean === undefined) return undefined;
  const [least] = counted
    .filter(({ row }) => row.packedBytes > SMALL_BYTES)
    .map(({ row, ratio }) => ({ ratio, workload: row.workload }))
    .sort((a, b) => a.ratio - b.ratio);
  const shares = counted.flatMap(({ cell, row }) => shareOf(cell, row)).sort((a, b) => a - b);
  return { contender, mean, least, shareGained: shares[shares.length >> 1] };
}

/** Nothing of an exchange whose datatypes cost the MPI nothing to speak of: a tenth of the bytes' time. */
function shareOf(cell: Cell, row: PingPongRow): readonly number[] {
  const [native, bytes] = [cell.get(NATIVE)?.medianNs ?? 0, cell.get(BYTES)?.medianNs ?? 0];
  return native < 1.1 * bytes ? [] : [(native - row.medianNs) / (native - bytes)];
}
