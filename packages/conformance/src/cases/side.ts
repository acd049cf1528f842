import { isDenseLayout } from "@stowage/ir";
import { Arena, type ArenaShape } from "../memory/arena.js";
import { intervalsOf, type Interval } from "../memory/intervals.js";
import type { TestMemory } from "../memory/test-memory.js";
import { entriesIn, type ByteMap, type Entry, type Range } from "../reference/byte-map.js";
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
  return { subject, arena: Arena.around(memory, intervals.length > 0 ? intervals : [NOWHERE], { ...shape, asSpace }) };
}

/**
 * A side in memory that has only the pages in which the elements of the range, or the packed range, have bytes. Address
 * 0 lies `phaseBytes` into a page.
 */
export function sideOnPages(memory: TestMemory, subject: Subject, range: Range, phaseBytes: number): Side {
  const bytes = touchedBy(subject, range);
  if (memory.pages === undefined || bytes.length === 0) return sideFor(memory, subject, range, PLAIN);
  return { subject, arena: Arena.onPages(memory, memory.pages, intervalsOf(bytes, 1), phaseBytes) };
}

const PLAIN: ArenaShape = { asSpace: false, padBytes: 0, alignment: 1 };

const NOWHERE: Interval = { low: 0, high: 0 };

/** The bytes that a single buffer must hold: of a packed side the range, else all of the elements that it touches. */
export function reachOfSide(subject: Subject, range: Range): Interval {
  return intervalsOf(touchedBy(subject, range), Infinity)[0] ?? NOWHERE;
}

const touchedBy = ({ layout, map }: Subject, range: Range): readonly Entry[] =>
  isDenseLayout(layout) ? [...entriesIn(map, range)] : elementsOf(map, range);

/** All entries of the elements that a range has a part in: a single buffer must hold their whole reach. */
function elementsOf(map: ByteMap, { count, first, length }: Range) {
  if (length === 0) return [];
  const start = Math.floor(first / map.sizeBytes) * map.sizeBytes;
  const end = Math.ceil((first + length) / map.sizeBytes) * map.sizeBytes;
  return [...entriesIn(map, { count, first: start, length: end - start })];
}
