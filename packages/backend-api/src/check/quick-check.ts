import { isDenseLayout, type Layout } from "@stowage/ir";
import type { Binding, Span } from "../binding.js";
import { requireConditions, type Conditions } from "../conditions.js";
import { HostBuffer } from "../host-buffer.js";
import { isAddressSpace, type Buffer, type Memory, type MemoryKind } from "../memory.js";
import { requireMove, type Move } from "../move.js";

/** Sums of four numbers up to this are exact; what lies beyond is left to checkBinding. */
const MOST_BYTES = 2 ** 51;

/**
 * Everything that checkBinding asks, for the bindings that are most common: two single buffers whose reaches are apart.
 * Plain arithmetic on numbers that are read once a move: no allocation, no walk, nothing kept of a binding.
 */
export class QuickCheck {
  readonly #sizeBytes: number;
  readonly #count: number | "any";
  readonly #source: QuickSide;
  readonly #target: QuickSide;

  constructor(move: Move, conditions: Conditions) {
    const { source, target } = requireMove(move);
    requireConditions(conditions);
    this.#sizeBytes = source.sizeBytes === target.sizeBytes ? source.sizeBytes : -1;
    this.#count = conditions.count;
    this.#source = new QuickSide(source, conditions.sourceKind, conditions.sourceAlignment);
    this.#target = new QuickSide(target, conditions.targetKind, conditions.targetAlignment);
  }

  /** True: checkBinding would accept it, and it moves a byte. False says nothing: checkBinding is to decide. */
  passes(binding: Binding): boolean {
    if (!this.fits(binding)) return false;
    const source = binding.source.memory;
    const target = binding.target.memory;
    return spaceOf(source) !== spaceOf(target) || this.areApart(startOf(source), startOf(target));
  }

  /** The same, but for whether both sides are apart: who knows the addresses of both asks areApart. */
  fits(binding: Binding): boolean {
    if (!isObject(binding)) return false;
    const { source, target, count, first, length } = binding;
    if (!hasMemory(source) || !hasMemory(target)) return false;
    if (!isNatural(count) || !isNatural(first) || !isNatural(length) || length === 0) return false;
    if (this.#count !== "any" && this.#count !== count) return false;
    const sizeBytes = this.#sizeBytes;
    const whole = count * sizeBytes;
    const end = first + length;
    if (end > whole || whole > MOST_BYTES) return false;
    const isWhole = length === whole;
    const firstElement = isWhole ? 0 : Math.floor(first / sizeBytes);
    const lastElement = isWhole ? count - 1 : Math.floor((end - 1) / sizeBytes);
    return (
      this.#source.holds(source, first, end, firstElement, lastElement) &&
      this.#target.holds(target, first, end, firstElement, lastElement)
    );
  }

  /** Whether the sides of the binding that last fitted reach no byte in common, where their memories begin at these places. */
  areApart(sourceStart: number, targetStart: number): boolean {
    const source = this.#source;
    const target = this.#target;
    return (
      sourceStart + source.low >= targetStart + target.high || targetStart + target.low >= sourceStart + source.high
    );
  }
}

class QuickSide {
  readonly #kind: MemoryKind;
  readonly #alignment: number;
  readonly #isDense: boolean;
  readonly #extentBytes: number;
  readonly #lowBytes: number;
  readonly #highBytes: number;
  /** How far from the first element others may lie; less than nothing where sums may not be exact. */
  readonly #mostBytes: number;
  // What the last binding reached of its memory: numbers alone, so that nothing of it is kept.
  low = 0;
  high = 0;

  constructor(layout: Layout, kind: MemoryKind, alignment: number) {
    this.#kind = kind;
    this.#alignment = alignment;
    this.#isDense = isDenseLayout(layout);
    this.#extentBytes = layout.extentBytes;
    this.#lowBytes = layout.trueLowerBoundBytes;
    this.#highBytes = layout.trueLowerBoundBytes + layout.trueExtentBytes;
    this.#mostBytes = Math.max(Math.abs(this.#lowBytes), Math.abs(this.#highBytes)) <= MOST_BYTES ? MOST_BYTES : -1;
  }

  // Short, for it is compiled into its callers: what is rare lies in functions of its own.
  holds(span: Span, first: number, end: number, firstElement: number, lastElement: number): boolean {
    const { memory, originBytes } = span;
    const isThere = HostBuffer.is(memory) ? memory.isAttached : startOf(memory) >= 0;
    if (!isThere || memory.kind !== this.#kind || !Number.isSafeInteger(originBytes)) return false;
    let low = originBytes + first;
    let high = originBytes + end;
    if (!this.#isDense) {
      const ofFirst = firstElement * this.#extentBytes;
      const ofLast = lastElement * this.#extentBytes;
      if (Math.abs(ofLast) > this.#mostBytes) return false;
      low = originBytes + this.#lowBytes + Math.min(ofFirst, ofLast);
      high = originBytes + this.#highBytes + Math.max(ofFirst, ofLast);
    }
    if (low < 0 || high > (memory as Buffer).sizeBytes) return false;
    this.low = low;
    this.high = high;
    return this.#alignment === 1 || (startOf(memory) + originBytes) % this.#alignment === 0;
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
