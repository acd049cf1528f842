import type { Builder, Value } from "@stowage/ptx";
import type { Point, PositionType } from "./point.js";

/** A list's tables, as addresses. */
export interface ListTables {
  readonly entries: Value;
  readonly buckets: Value;
  readonly bucketShift: Value | number;
}

/** The block that a position falls into. */
export interface Found {
  readonly index: Value;
  readonly prefix: Value;
  readonly displacement: Value;
  /** Where the next block begins; behind the last one, where the list ends. */
  readonly nextPrefix: Value;
}

/** So many blocks are stepped over faster than they are halved: the steps' loads hit the lines of the first. */
const MOST_STEPS = 4;

/**
 * For every point, the last block that begins at or before its position. A bucket says where to begin; buckets being
 * about as long as a block, a step or two behind that block it is found. Only where a bucket holds many short blocks is
 * it halved first. All points take their steps together, so their loads are in flight together.
 */
export function search(
  k: Builder,
  points: readonly Point[],
  tables: ListTables,
  type: PositionType,
  tableBits: 32 | 64,
): readonly Found[] {
  const entryAt = (index: Value): Value => tables.entries.add(index.to("u64").shl(tableBits === 32 ? 3 : 4));
  const ranges = points.map(({ position }) => {
    const bucket = tables.buckets.add(position.shr(tables.bucketShift).to("u64").shl(2));
    const low = k.variable("u32", k.load("global", bucket, { bits: 32 }, CACHED));
    const high = k.variable("u32", k.load("global", bucket, { bits: 32, offsetBytes: 4 }, CACHED));
    return { low, high, position };
  });
  const isLong = ({ low, high }: (typeof ranges)[number]): Value => high.gt(low.add(MOST_STEPS));
  k.while(
    () => ranges.map(isLong).reduce((any, open) => any.or(open)),
    () => {
      const steps = ranges.map((range) => {
        const middle = range.low.add(range.high).add(1).shr(1);
        return { ...range, middle, prefix: loadPrefix(k, entryAt(middle), type, tableBits) };
      });
      for (const { low, high, middle, prefix, position } of steps) {
        const after = prefix.le(position);
        // A closed range has middle = low, which begins at or before the position: it stays as it is.
        high.set(after.select(high, middle.sub(1)));
        low.set(after.select(middle, low));
      }
    },
  );
  const nextOf = (index: Value): Value => loadPrefix(k, entryAt(index.add(1)), type, tableBits);
  const walks = ranges.map(({ low, position }) => ({
    position,
    index: low,
    nextPrefix: k.variable(type, nextOf(low)),
  }));
  const isBehind = ({ position, nextPrefix }: (typeof walks)[number]): Value => position.ge(nextPrefix);
  k.while(
    () => walks.map(isBehind).reduce((any, open) => any.or(open)),
    () => {
      for (const walk of walks) {
        k.if(isBehind(walk), () => {
          walk.index.set(walk.index.add(1));
          walk.nextPrefix.set(nextOf(walk.index));
        });
      }
    },
  );
  return walks.map(({ index, nextPrefix }) => ({
    ...loadEntry(k, entryAt(index), type, tableBits),
    index,
    nextPrefix,
  }));
}

/** Tables are read again and again, and never written by the kernel. */
export const CACHED = { nonCoherent: true } as const;

function loadPrefix(k: Builder, address: Value, type: PositionType, tableBits: 32 | 64): Value {
  return k.load("global", address, { bits: tableBits }, CACHED).to(type);
}

function loadEntry(k: Builder, address: Value, type: PositionType, tableBits: 32 | 64) {
  const [prefix, displacement] = k.loadVector("global", address, { bits: tableBits, lanes: 2 }, CACHED);
  if (prefix === undefined || displacement === undefined) throw new TypeError("entry: expected a pair");
  return { prefix: prefix.to(type), displacement: signExtended(displacement) };
}

/** Displacements are signed; offsets are added modulo 2^64. */
export const signExtended = (value: Value): Value =>
  value.type === "u32" ? value.to("s32").to("s64").to("u64") : value;
