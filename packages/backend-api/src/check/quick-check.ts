import { isDenseLayout, type Layout } from "@stowage/ir";
import type { Binding, Span } from "../binding.js";
import { requireConditions, type Conditions } from "../conditions.js";
import { HostBuffer } from "../host-buffer.js";
import { isAddressSpace, type Buffer, type Memory, type MemoryKind } from "../memory.js";
import { requireMove, type Move } from "../move.js";
import { wholeBytesOf } from "../reduce/reduction.js";

/** Sums of four numbers up to this are exact; what lies beyond is left to checkBinding. */
const MOST_BYTES = 2 ** 51;

/**
 * Checks what checkBinding checks, for the most common bindings of one move: two single buffers whose reaches are
 * apart. It is plain arithmetic on numbers that are read once a move: no allocation, no walk, and nothing of a binding
 * is kept. It may refuse what checkBinding accepts, never the reverse.
 *
 * @example
 * ```ts
 * const quick = new QuickCheck(move, known);
 * if (!quick.passes(binding)) checkBinding([move], 0, binding, known);
 * ```
 */
export class QuickCheck {
  readonly #sizeBytes: number;
  readonly #wholeBytes: number;
  readonly #givenCount: number | "any";
  readonly #sourceReach: QuickReach;
  readonly #targetReach: QuickReach;
  readonly #source: QuickSide;
  readonly #target: QuickSide;
  // The range that was last right (none while its length is 0), and what each side reaches of it, from its origin: most
  // calls move the same range again. Numbers alone, in this object: after a large move each further object is a miss of
  // L1d.
  #count = 0;
  #first = 0;
  #length = 0;
  #sourceLow = 0;
  #sourceHigh = 0;
  #targetLow = 0;
  #targetHigh = 0;

  /**
   * Reads the move's layouts and the conditions once. Throws an ArgumentError for what is no move or are no conditions.
   */
  constructor(move: Move, conditions: Conditions) {
    const { source, target, tables } = requireMove(move);
    requireConditions(conditions);
    // Nothing fits below 0: what tables say is for checkBinding to read.
    this.#sizeBytes = source.sizeBytes === target.sizeBytes && tables === undefined ? source.sizeBytes : -1;
    this.#wholeBytes = wholeBytesOf(move.reduction);
    this.#givenCount = conditions.count;
    this.#sourceReach = new QuickReach(source);
    this.#targetReach = new QuickReach(target);
    this.#source = Object.freeze({ kind: conditions.sourceKind, alignment: conditions.sourceAlignment });
    this.#target = Object.freeze({ kind: conditions.targetKind, alignment: conditions.targetAlignment });
  }

  /**
   * Whether the binding is right beyond doubt, and moves at least one byte. True: checkBinding would accept it. False
   * says nothing: checkBinding is to decide.
   */
  passes(binding: Binding): boolean {
    if (!this.fits(binding)) return false;
    const { source, target } = binding;
    if (spaceOf(source.memory) !== spaceOf(target.memory)) return true;
    return this.areApart(startOf(source.memory) + source.originBytes, startOf(target.memory) + target.originBytes);
  }

  /**
   * Does what `passes` does, but does not ask whether both sides are apart. A caller that knows the addresses of both
   * sides asks areApart next.
   */
  fits(binding: Binding): boolean {
    if (!isObject(binding)) return false;
    const { source, target, count, first, length } = binding;
    if (!hasMemory(source) || !hasMemory(target)) return false;
    const isSame = length === this.#length && length !== 0 && count === this.#count && first === this.#first;
    return (
      (isSame || this.takes(count, first, length)) &&
      holds(source, this.#source, this.#sourceLow, this.#sourceHigh) &&
      holds(target, this.#target, this.#targetLow, this.#targetHigh)
    );
  }

  /**
   * Whether the sides of the binding that last fitted reach no byte in common. The arguments are where their origins
   * lie, in bytes of one space, such as two addresses.
   */
  areApart(sourceOrigin: number, targetOrigin: number): boolean {
    return (
      sourceOrigin + this.#sourceLow >= targetOrigin + this.#targetHigh ||
      targetOrigin + this.#targetLow >= sourceOrigin + this.#sourceHigh
    );
  }

  /** The bytes that the range that was last accepted reaches on both sides. */
  get reach(): QuickReaches {
    return {
      sourceLow: this.#sourceLow,
      sourceHigh: this.#sourceHigh,
      targetLow: this.#targetLow,
      targetHigh: this.#targetHigh,
    };
  }

  /**
   * Whether a range is one of this move, and what it reaches can be computed exactly. A range that is accepted is the
   * one that `reach` and `areApart` then speak of. `first` and `length` are in bytes.
   */
  takes(count: number, first: number, length: number): boolean {
    if (!isNatural(count) || !isNatural(first) || !isNatural(length) || length === 0) return false;
    if (this.#givenCount !== "any" && this.#givenCount !== count) return false;
    if (this.#wholeBytes !== 1 && (first % this.#wholeBytes !== 0 || length % this.#wholeBytes !== 0)) return false;
    const sizeBytes = this.#sizeBytes;
    const whole = count * sizeBytes;
    const end = first + length;
    if (end > whole || whole > MOST_BYTES) return false;
    const firstElement = Math.floor(first / sizeBytes);
    const lastElement = Math.floor((end - 1) / sizeBytes);
    const [source, target] = [this.#sourceReach, this.#targetReach];
    if (!source.isExact(lastElement) || !target.isExact(lastElement)) return false;
    this.#count = count;
    this.#first = first;
    this.#length = length;
    this.#sourceLow = source.low(first, firstElement, lastElement);
    this.#sourceHigh = source.high(end, firstElement, lastElement);
    this.#targetLow = target.low(first, firstElement, lastElement);
    this.#targetHigh = target.high(end, firstElement, lastElement);
    return true;
  }
}

/** What a range reaches on both sides: bytes from low to before high, counted from each side's origin. */
export interface QuickReaches {
  /** The lowest byte that is read. */
  readonly sourceLow: number;
  /** The byte behind the highest that is read. */
  readonly sourceHigh: number;
  /** The lowest byte that is written. */
  readonly targetLow: number;
  /** The byte behind the highest that is written. */
  readonly targetHigh: number;
}

/** What a side was promised to be. */
interface QuickSide {
  readonly kind: MemoryKind;
  readonly alignment: number;
}

/**
 * Whether the memory is there, of the promised kind and alignment, and holds what is reached. Short, to be compiled
 * into its callers.
 */
function holds(
  { memory, originBytes }: Span,
  { kind, alignment }: QuickSide,
  lowBytes: number,
  highBytes: number,
): boolean {
  const isThere = HostBuffer.is(memory) ? memory.isAttached : startOf(memory) >= 0;
  if (!isThere || memory.kind !== kind || !Number.isSafeInteger(originBytes)) return false;
  if (originBytes + lowBytes < 0 || originBytes + highBytes > (memory as Buffer).sizeBytes) return false;
  return alignment === 1 || (startOf(memory) + originBytes) % alignment === 0;
}

/** What elements of a layout reach from the origin. */
class QuickReach {
  readonly #isDense: boolean;
  readonly #extentBytes: number;
  readonly #lowBytes: number;
  readonly #highBytes: number;
  /** How far from the first element others may lie; less than nothing where sums may not be exact. */
  readonly #mostBytes: number;

  constructor(layout: Layout) {
    this.#isDense = isDenseLayout(layout);
    this.#extentBytes = layout.extentBytes;
    this.#lowBytes = layout.trueLowerBoundBytes;
    this.#highBytes = layout.trueLowerBoundBytes + layout.trueExtentBytes;
    this.#mostBytes = Math.max(Math.abs(this.#lowBytes), Math.abs(this.#highBytes)) <= MOST_BYTES ? MOST_BYTES : -1;
  }

  isExact(lastElement: number): boolean {
    return this.#isDense || Math.abs(lastElement * this.#extentBytes) <= this.#mostBytes;
  }

  low(first: number, firstElement: number, lastElement: number): number {
    const extentBytes = this.#extentBytes;
    return this.#isDense ? first : this.#lowBytes + Math.min(firstElement * extentBytes, lastElement * extentBytes);
  }

  high(end: number, firstElement: number, lastElement: number): number {
    const extentBytes = this.#extentBytes;
    return this.#isDense ? end : this.#highBytes + Math.max(firstElement * extentBytes, lastElement * extentBytes);
  }
}

// Callers without a type checker pass anything; what it is, checkBinding says.
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const hasMemory = (span: Span): boolean => isObject(span) && isObject(span.memory);

const isNatural = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Where a buffer begins in the space that it is compared in; -1 where it is not one buffer that is there. */
function startOf(memory: Memory): number {
  if (HostBuffer.is(memory)) return memory.isAttached ? memory.startBytes : -1;
  if (isAddressSpace(memory)) return -1;
  const { address, bytes, sizeBytes } = memory;
  if (address === undefined || address <= 0 || !Number.isSafeInteger(address)) return -1;
  return bytes === undefined || bytes.length >= sizeBytes ? address : -1;
}

const ADDRESSES = Object.freeze({});

/** What two buffers must share for their bytes to meet: an ArrayBuffer, or the machine's addresses. */
const spaceOf = (memory: Memory): object => (HostBuffer.is(memory) ? memory.store : ADDRESSES);
