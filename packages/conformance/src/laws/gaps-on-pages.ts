import type { Backend, Move } from "@stowage/backend-api";
import * as fc from "fast-check";
import { rangeOf } from "../cases/copying.js";
import { conditionsFor } from "../cases/directed.js";
import { execute, kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { sideOnPages, type Side } from "../cases/side.js";
import { anyPositions, anySpread, denseSpread, spreadOver, type Position, type Spread } from "../cases/spread.js";
import { denseSubject, type Subject } from "../cases/subject.js";
import { Transfer } from "../cases/transfer.js";
import { anyPattern } from "../cases/trial.js";
import { require } from "../law-violation.js";
import type { Pattern } from "../memory/pattern.js";
import type { TestMemory } from "../memory/test-memory.js";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings, MoveDirection } from "../settings.js";
import { assertOn } from "./law.js";

/** Pieces of a datatype, each on pages of its own, in memory that has no others. */
interface Paging {
  readonly count: number;
  readonly left: readonly [number, number];
  /** Whether the packed bytes end with their last page, or begin with their first. */
  readonly isFlushAtEnd: boolean;
  readonly pattern: Pattern;
  readonly target: readonly Position[];
  readonly spread: Spread;
}

const anyPaging: fc.Arbitrary<Paging> = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  left: fc.oneof(fc.constant([0, 0] as const), fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 400 }))),
  isFlushAtEnd: fc.boolean(),
  pattern: anyPattern,
  target: anyPositions,
  spread: anySpread,
});

function packedSide(memory: TestMemory, sizeBytes: number, range: Range, isFlushAtEnd: boolean): Side {
  const pageBytes = memory.pages?.sizeBytes ?? 1;
  const edge = isFlushAtEnd ? range.first + range.length : range.first;
  return sideOnPages(memory, denseSubject(sizeBytes), range, (pageBytes - (edge % pageBytes)) % pageBytes);
}

interface Sides {
  readonly move: Move;
  readonly source: Side;
  readonly target: Side;
}

function sidesOf(
  { scattered, packed }: LawSettings,
  direction: MoveDirection,
  paging: Paging,
  range: Range,
  of: Subject,
): Sides {
  const pageBytes = scattered.pages?.sizeBytes ?? 1;
  const own = sideOnPages(scattered, of, range, 0);
  if (direction === "copy") {
    const other = denseSpread(pageBytes, paging.spread, paging.target);
    return {
      move: { source: of.layout, target: other.layout },
      source: own,
      target: sideOnPages(scattered, other, range, 0),
    };
  }
  const dense = packedSide(packed, of.map.sizeBytes, range, paging.isFlushAtEnd);
  const [source, target] = direction === "pack" ? [own, dense] : [dense, own];
  return { move: moveOf(of, direction), source, target };
}

function staysOnPages(settings: LawSettings, direction: MoveDirection, paging: Paging, backend: Backend): void {
  const subject = spreadOver(settings.scattered.pages?.sizeBytes ?? 1, paging.spread);
  const range = rangeOf({ trial: { subject, count: paging.count }, left: paging.left });
  const conditions = conditionsFor(settings, { direction, alignment: 1, count: "any" });
  using resources = new Resources();
  const { move, source, target } = sidesOf(settings, direction, paging, range, subject);
  for (const { arena } of [source, target]) resources.hold(arena);
  requireSupport(backend, [move], conditions);
  const transfer = new Transfer(source, target, paging.pattern);
  const plan = resources.hold(kernelFor(resources, backend, [move], conditions).bind([transfer.binding(range)]));
  transfer.expect(range);
  execute(settings, plan);
  const problem = transfer.problem();
  require(problem === undefined, `${direction} of pieces on pages of their own: ${problem}`);
}

/**
 * Reads and writes keep to the pages that hold a byte of the type map, or of the packed range: others may not exist.
 */
export function checkGapsOnPages(settings: LawSettings): void {
  if (settings.scattered.pages === undefined) return;
  for (const direction of settings.directions) {
    assertOn(settings, `3 pages of ${direction}`, anyPaging, (paging, backend) =>
      staysOnPages(settings, direction, paging, backend),
    );
  }
}
