import type { Launch, LaunchRecord } from "@stowage/host-plans";
import { grainOf } from "./grain.js";

/** At each cut, this part of a slice at most is given up for a better place. */
const PARTS_OF_SLICE = 4;

/**
 * The records of a launch in at most `count` slices of about equal length, in packed order. Records are cut where they
 * must be; a piece of whole elements becomes a record of its own whole elements, which kernels move fastest.
 */
export function cutRecords(launches: readonly Launch[], count: number): readonly (readonly LaunchRecord[])[] {
  const total = launches.reduce((sum, { record }) => sum + record[5], 0);
  const slices: LaunchRecord[][] = [[]];
  let done = 0;
  for (const { record, move } of launches) {
    const [, , , , first, length] = record;
    const grain = grainOf(move, Math.floor(total / count / PARTS_OF_SLICE));
    for (let from = first; from < first + length;) {
      const goal = Math.ceil((total * slices.length) / count);
      const to = cutNear(from, from + goal - done, first + length, grain);
      slices.at(-1)?.push(pieceOf({ record, move }, from, to));
      done += to - from;
      from = to;
      if (done < total && (from < first + length || done >= goal)) slices.push([]);
    }
  }
  return slices;
}

/** The multiple of `grain` next to `goal`, past `from`; or `end`, where that comes first. */
function cutNear(from: number, goal: number, end: number, grain: number): number {
  if (goal >= end) return end;
  const to = Math.round(goal / grain) * grain;
  return Math.min(end, to > from ? to : (Math.floor(from / grain) + 1) * grain);
}

/** Bytes [from, to) of a record's packed stream. */
function pieceOf({ record, move }: Launch, from: number, to: number): LaunchRecord {
  const [code, source, target, count] = record;
  const size = move.source.sizeBytes;
  if (from % size !== 0 || to % size !== 0) return [code, source, target, count, from, to - from];
  const skipped = from / size;
  const [sourceBytes, targetBytes] = [skipped * move.source.extentBytes, skipped * move.target.extentBytes];
  return [code, source + sourceBytes, target + targetBytes, (to - from) / size, 0, to - from];
}
