import { BindingError, type Element, type Queue, type UnpackOperation } from "@stowage/backend-api";
import type { PackedRange } from "@stowage/ir";
import { checkOptions, type Rule, type Rules } from "./check-options.js";

/** How much of the packed stream to move. Default: all of it. */
export interface RangeOptions {
  /** How many elements of the datatype the packed stream is of. Default: as many as it was committed for, or 1. */
  readonly count?: number | undefined;
  /** The first byte of the packed stream to move. Default: 0. */
  readonly first?: number | undefined;
  /** How many bytes of the packed stream to move. Default: all from `first` to the end. */
  readonly length?: number | undefined;
}

/** What a single run may be told: its range, and the stream of a device. */
export interface CallOptions extends RangeOptions {
  /** The stream of a device that it runs on. Default: as without a queue, see docs/design/backend-api.md. */
  readonly queue?: Queue | undefined;
}

/** How an unpack combines what it brings with what is there. */
export interface CombineOptions {
  /**
   * What becomes of an element that is there when one arrives: an operation by its MPI name, such as "MPI_SUM". The
   * datatype must be made of one basic type that the operation is defined for, and the range of whole elements.
   * Default: MPI_REPLACE, a plain unpack.
   */
  readonly op?: UnpackOperation | undefined;
  /** What the elements are, where a layout was committed: layouts know bytes only. Default: as the datatype says. */
  readonly element?: Element | undefined;
}

/** The options of an unpack, which may combine. */
export interface UnpackOptions extends CallOptions, CombineOptions {}

/** The options of a planned unpack, which may combine. */
export interface UnpackRangeOptions extends RangeOptions, CombineOptions {}

export const QUEUE: Rule = {
  expected: "the stream of a device",
  allows: (value) => typeof value === "object" && value !== null && "handle" in value && "device" in value,
};

/** Which numbers they may be, bind checks. */
const NUMBER: Rule = { expected: "an integer of 0 or more", allows: (value) => typeof value === "number" };

const RANGE_RULES: Rules<RangeOptions> = { count: NUMBER, first: NUMBER, length: NUMBER };

export const CALL_RULES: Rules<CallOptions> = { ...RANGE_RULES, queue: QUEUE };

export const NO_OPTIONS: CallOptions = Object.freeze({});

/** Throws an ArgumentError. */
export function checkRangeOptions(options: RangeOptions): void {
  checkOptions("plan options", options, RANGE_RULES);
}

/** Throws an ArgumentError. */
export function checkCallOptions(options: CallOptions): void {
  if (!areRight(options)) checkOptions("call options", options, CALL_RULES);
}

/** Options that are right at a glance, as most are; what others are, checkOptions says. */
export function areRight(options: CallOptions): boolean {
  if (options === NO_OPTIONS) return true;
  if (typeof options !== "object" || options === null || Array.isArray(options)) return false;
  for (const name in options) if (name !== "count" && name !== "first" && name !== "length") return false;
  const { count, first, length } = options;
  return isNumberOrNone(count) && isNumberOrNone(first) && isNumberOrNone(length);
}

const isNumberOrNone = (value: unknown): boolean => value === undefined || typeof value === "number";

/** A packed range that is written anew, so that a call allocates none. */
export type RangeRecord = { -readonly [Name in keyof PackedRange]: PackedRange[Name] };

/**
 * Writes the packed range that options name, for elements of so many bytes; which numbers they are is for bind to
 * check. Throws a BindingError where the first byte lies past the end that was left to us.
 */
export function writeRange(range: RangeRecord, options: RangeOptions, sizeBytes: number, defaultCount: number): void {
  const { count = defaultCount, first = 0 } = options;
  const end = count * sizeBytes;
  if (options.length === undefined && Number.isSafeInteger(count) && end >= 0 && first > end) {
    throw new BindingError("first byte", `one within ${count} x ${sizeBytes} packed bytes`, String(first));
  }
  range.count = count;
  range.first = first;
  range.length = options.length ?? end - first;
}
