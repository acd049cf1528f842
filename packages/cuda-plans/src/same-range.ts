import { isAddressSpace, reachOf, type Binding, type Conditions, type Move, type Span } from "@stowage/backend-api";

/** Sums of a few numbers up to this are exact. */
const MOST_BYTES = 2 ** 51;
const FIELDS = 7;
const [COUNT, FIRST, LENGTH, SOURCE_LOW, SOURCE_HIGH, TARGET_LOW, TARGET_HIGH] = [0, 1, 2, 3, 4, 5, 6] as const;

/**
 * What checkBinding would accept of a move, known from a binding that it accepted: the same range in other memory, one
 * buffer a side, whose reaches are apart. Constant time, and no allocation.
 */
export class SameRange {
  readonly #conditions: Conditions;
  readonly #moves: readonly Move[];
  readonly #numbers: Float64Array;

  /** No range is known yet. */
  constructor(moves: readonly Move[], conditions: Conditions) {
    this.#moves = moves;
    this.#conditions = conditions;
    this.#numbers = new Float64Array(moves.length * FIELDS).fill(NaN);
  }

  /** Takes the range of a binding that checkBinding accepted. */
  learn(i: number, binding: Binding): void {
    const { source, target, tables } = this.#moves[i] as Move;
    if (tables !== undefined) return; // what they say is read at each binding
    const [from, to] = [reachOf(source, binding), reachOf(target, binding)];
    const { count, first, length } = binding;
    const reach = [from.lowBytes, from.highBytes, to.lowBytes, to.highBytes];
    this.#numbers.set([count, first, length > 0 ? length : NaN, ...reach], i * FIELDS);
  }

  /** False says nothing: checkBinding is to decide. */
  accepts(i: number, { source, target, count, first, length }: Binding): boolean {
    const numbers = this.#numbers;
    const at = i * FIELDS;
    if (numbers[at + COUNT] !== count || numbers[at + FIRST] !== first || numbers[at + LENGTH] !== length) return false;
    const { sourceKind, sourceAlignment, targetKind, targetAlignment } = this.#conditions;
    const sourceLow = numbers[at + SOURCE_LOW] as number;
    const sourceHigh = numbers[at + SOURCE_HIGH] as number;
    const from = placeOf(source, sourceKind, sourceAlignment, sourceLow, sourceHigh);
    const targetLow = numbers[at + TARGET_LOW] as number;
    const targetHigh = numbers[at + TARGET_HIGH] as number;
    const to = placeOf(target, targetKind, targetAlignment, targetLow, targetHigh);
    return from + sourceHigh <= to + targetLow || to + targetHigh <= from + sourceLow;
  }
}

/** The address that offsets count from; NaN, which no comparison accepts, where the span does not hold [low, high). */
function placeOf(span: Span, kind: string, alignment: number, low: number, high: number): number {
  const { memory, originBytes } = span;
  if (isAddressSpace(memory) || memory.kind !== kind || !Number.isSafeInteger(originBytes)) return NaN;
  const { address, bytes, sizeBytes } = memory;
  if (address === undefined || !Number.isSafeInteger(address) || address <= 0 || address > MOST_BYTES) return NaN;
  if (originBytes + low < 0 || originBytes + high > sizeBytes || sizeBytes > MOST_BYTES) return NaN;
  if (bytes !== undefined && bytes.length < sizeBytes) return NaN;
  const start = address + originBytes;
  return alignment === 1 || start % alignment === 0 ? start : NaN;
}
