import { isDenseLayout } from "@stowage/ir";
import { Arena, type ArenaShape } from "../memory/arena.js";
import { intervalsOf, type Interval } from "../memory/intervals.js";
import type { TestMemory } from "../memory/test-memory.js";
import { entriesIn, type ByteMap, type Range } from "../reference/byte-map.js";
import type { Subject } from "./subject.js";

/** A subject with memory around the bytes of a range. */
export interface Side {
  readonly subject: Subject;
  readonly arena: Arena;
}

/** Entries at least so far apart get regions of their own in an address space: room for canaries and alignment. */
const REGION_GAP_BYTES = 64;
/** What reaches further than this fits no single buffer. */
const LARGEST_BUFFER_BYTES = 2 ** 22;

export function sideFor(memory: TestMemory, subject: Subject, range: Range, shape: ArenaShape): Side {
  const reach = reachOfSide(subject, range);
  const asSpace = shape.asSpace || reach.high - reach.low > LARGEST_BUFFER_BYTES;
  const intervals = asSpace ? intervalsOf(entriesIn(subject.map, range), REGION_GAP_BYTES) : [reach];
  return { subject, arena: new Arena(memory, intervals.length > 0 ? intervals : [NOWHERE], { ...shape, asSpace }) };
}

const NOWHERE: Interval = { low: 0, high: 0 };

/** The bytes that a single buffer must hold: of a packed side the range, else all of the elements that it touches. */
export function reachOfSide(subject: Subject, range: Range): Interval {
  const touched = isDenseLayout(subject.layout) ? [...entriesIn(subject.map, range)] : elementsOf(subject.map, range);
  return intervalsOf(touched, Infinity)[0] ?? NOWHERE;
}

/** All entries of the elements that a range has a part in: a single buffer must hold their whole reach. */
function elementsOf(map: ByteMap, { count, first, length }: Range) {
  if (length === 0) return [];
  const start = Math.floor(first / map.sizeBytes) * map.sizeBytes;
  const end = Math.ceil((first + length) / map.sizeBytes) * map.sizeBytes;
  return [...entriesIn(map, { count, first: start, length: end - start })];
}
