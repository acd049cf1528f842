import {
  conditions,
  packMove,
  unpackMove,
  type Binding,
  type Buffer,
  type MemoryKind,
  type Move,
  type Plan,
  type Span,
} from "@stowage/backend-api";
import type { Engine } from "@stowage/selector";
import type { Region, Regions } from "./regions.js";

/** A plan of all moves as one launch, and who made it. */
export interface BoundMoves extends Disposable {
  readonly plan: Plan;
  readonly explanation: string;
}

/**
 * Binds moves as one plan; undefined where there are none. Throws a NoBackendError where nothing moves such memory, a
 * BindingError for a wrong binding.
 */
export function bindMoves(
  engine: Engine,
  moves: readonly Move[],
  kinds: { readonly sourceKind: MemoryKind; readonly targetKind: MemoryKind },
  bindings: readonly Binding[],
): BoundMoves | undefined {
  if (moves.length === 0) return undefined;
  const given = conditions({ count: 1, reuse: Infinity, ...kinds });
  const { chosen } = engine.choiceFor(moves, given);
  const kernel = chosen.load(chosen.compile(moves, given));
  try {
    const plan = kernel.bind(bindings);
    const dispose = (): void => [plan, kernel].forEach((each) => each[Symbol.dispose]());
    return { plan, explanation: chosen.name, [Symbol.dispose]: dispose };
  } catch (error) {
    kernel[Symbol.dispose]();
    throw error;
  }
}

/** Where regions lie packed. */
export interface PackedMemory {
  readonly sent: Buffer;
  readonly received: Buffer;
}

/** All regions that go out, by one launch. */
export function bindPacks(engine: Engine, { span, sent }: Regions, memory: PackedMemory): BoundMoves | undefined {
  return bindMoves(
    engine,
    sent.regions.map(({ layout }) => packMove(layout)),
    { sourceKind: kindOf(span), targetKind: memory.sent.kind },
    sent.regions.map((region) => bindingOf(region, span, packedAt(memory.sent, region))),
  );
}

/** All that came in, by one. What a rank keeps for itself never left the memory that it was packed in. */
export function bindUnpacks(
  engine: Engine,
  { span, sent, received }: Regions,
  memory: PackedMemory,
  keeps: number | undefined,
): BoundMoves | undefined {
  const arrivedAt = (region: Region): Span => {
    if (region.peer !== keeps) return packedAt(memory.received, region);
    const kept = sent.regions.find((each) => each.peer === keeps && each.number === region.number) as Region;
    return packedAt(memory.sent, kept);
  };
  return bindMoves(
    engine,
    received.regions.map(({ layout }) => unpackMove(layout)),
    { sourceKind: memory.received.kind, targetKind: kindOf(span) },
    received.regions.map((region) => bindingOf(region, arrivedAt(region), span)),
  );
}

export const packedAt = (memory: Buffer, { at }: Pick<Region, "at">): Span => ({ memory, originBytes: at });

export const bindingOf = ({ layout: { sizeBytes } }: Region, source: Span, target: Span): Binding => ({
  ...{ source, target, count: 1, first: 0, length: sizeBytes },
});

const kindOf = ({ memory }: Span): MemoryKind => (memory as Buffer).kind;
