import { isDenseLayout, type Layout } from "@stowage/ir";
import type { Binding, Span } from "../binding.js";
import type { Conditions } from "../conditions.js";
import { HostBuffer } from "../host-buffer.js";
import { isAddressSpace, type Memory, type MemoryKind } from "../memory.js";
import type { Move } from "../move.js";

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

  constructor({ source, target }: Move, conditions: Conditions) {
    this.#sizeBytes = source.sizeBytes === target.sizeBytes ? source.sizeBytes : -1;
    this.#count = conditions.count;
    this.#source = new QuickSide(source, conditions.sourceKind, conditions.sourceAlignment);
    this.#target = new QuickSide(target, conditions.targetKind, conditions.targetAlignment);
  }

  /** True: checkBinding would accept it, and it moves a byte. False says nothing: checkBinding is to decide. */
  passes(binding: Binding): boolean {
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
    if (!this.#source.holds(source, first, end, firstElement, lastElement)) return false;
    if (!this.#target.holds(target, first, end, firstElement, lastElement)) return false;
    return this.#source.isApart(this.#target) || spaceOf(source.memory) !== spaceOf(target.memory);
  }
}

class QuickSide {
  readonly #kind: MemoryKind;
  readonly #alignment: number;
  readonly #isDense: boolean;
  readonly #extentBytes: number;
  readonly #lowBytes: number;
  readonly #highBytes: number;
  // What the last binding reached, from the start of its space: numbers alone, so that nothing of its memory is kept.
  #low = 0;
  #high = 0;

  constructor(layout: Layout, kind: MemoryKind, alignment: number) {
    this.#kind = kind;
    this.#alignment = alignment;
    this.#isDense = isDenseLayout(layout);
    this.#extentBytes = layout.extentBytes;
    this.#lowBytes = layout.trueLowerBoundBytes;
    this.#highBytes = layout.trueLowerBoundBytes + layout.trueExtentBytes;
  }

  holds({ memory, originBytes }: Span, first: number, end: number, firstElement: number, lastElement: number): boolean {
    const startBytes = startOf(memory);
    if (startBytes < 0 || memory.kind !== this.#kind || !isModest(originBytes)) return false;
    let low = originBytes + first;
    let high = originBytes + end;
    if (!this.#isDense) {
      const ofFirst = firstElement * this.#extentBytes;
      const ofLast = lastElement * this.#extentBytes;
      if (!isModest(ofFirst) || !isModest(ofLast) || !isModest(this.#lowBytes) || !isModest(this.#highBytes))
        return false;
      low = originBytes + this.#lowBytes + Math.min(ofFirst, ofLast);
      high = originBytes + this.#highBytes + Math.max(ofFirst, ofLast);
    }
    if (low < 0 || high > sizeOf(memory)) return false;
    if (this.#alignment !== 1 && (startBytes + originBytes) % this.#alignment !== 0) return false;
    this.#low = startBytes + low;
    this.#high = startBytes + high;
    return true;
  }

  isApart(other: QuickSide): boolean {
    return this.#low >= other.#high || other.#low >= this.#high;
  }
}

// Callers without a type checker pass anything; what it is, checkBinding says.
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const hasMemory = (span: Span): boolean => isObject(span) && isObject(span.memory);

const isNatural = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const isModest = (value: number): boolean => Number.isSafeInteger(value) && value <= MOST_BYTES && value >= -MOST_BYTES;

const sizeOf = (memory: Memory): number => (isAddressSpace(memory) ? 0 : memory.sizeBytes);

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
