import type { Counters, Kernel, SimulatedMemory, WarpAccess } from "@stowage/ptx";
import { requireOptions, requireRecord, type FieldRule, type FieldRules } from "@stowage/ir";
import type { Calls } from "../calls.js";
import type { SharedPages } from "./shared-pages.js";

/** What a simulated driver pretends to be. Every fault that a real driver can have can be asked for. */
export interface SimulatedOptions {
  /** How many GPUs there are; 0 gives a driver without a device. Default: 1. */
  readonly devices?: number;
  /**
   * Which GPUs of its machine this process sees, by number and in its order, as CUDA_VISIBLE_DEVICES says. Default: all
   * from 0 on.
   */
  readonly visible?: readonly number[];
  /** CUDA's version, as cuDriverGetVersion gives it. Default: 13000. */
  readonly version?: number;
  /** The compute capability of the devices. Default: 90, an H200. */
  readonly architecture?: number;
  /**
   * The bytes of memory that a device has; past it, allocation fails. Default: 141 GiB, for large allocations are
   * sparse.
   */
  readonly memoryBytes?: number;
  /** The most bytes with which this process backs simulated memory. Default: 2^28. */
  readonly backedBytes?: number;
  /** The memory of all devices, for callers that want to unmap some of it. Default: one of `backedBytes`. */
  readonly memory?: SimulatedMemory;
  /**
   * Memory by which simulated devices of other processes see this one's, through IPC handles. Absent: this process
   * alone does.
   */
  readonly shared?: SharedPages;
  /**
   * Is called with what every launch did, once it ran. Without it, sectors and lines are not counted, which is faster.
   */
  readonly launched?: (kernel: Kernel, counters: Counters) => void;
  /** Is called with each warp's access to global memory, before `launched` is; only where that is given too. */
  readonly accessed?: (access: WarpAccess) => void;
  /**
   * Is called before every call, and gives a CUresult that the call is to return instead of being made, or undefined.
   * Lost devices fail so.
   */
  readonly fault?: (call: keyof Calls) => number | undefined;
}

const absentOr = (expected: string, allows: (value: unknown) => boolean): FieldRule => ({
  expected,
  allows: (value) => value === undefined || allows(value),
});
const integerFrom = (least: number): FieldRule =>
  absentOr(`an integer of ${least} or more`, (value) => Number.isSafeInteger(value) && (value as number) >= least);
const A_FUNCTION = absentOr("a function", (value) => typeof value === "function");
const MOST_DEVICES = 64;

const RULES: FieldRules<SimulatedOptions> = {
  devices: absentOr(
    `an integer from 0 to ${MOST_DEVICES}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MOST_DEVICES,
  ),
  visible: absentOr(
    `a list of numbers from 0 to ${MOST_DEVICES - 1}, each once`,
    (value) =>
      Array.isArray(value) &&
      new Set(value).size === value.length &&
      value.every((each) => Number.isSafeInteger(each) && each >= 0 && each < MOST_DEVICES),
  ),
  version: integerFrom(0),
  architecture: integerFrom(1),
  memoryBytes: integerFrom(1),
  backedBytes: integerFrom(1),
  memory: absentOr("simulated memory", (value) => typeof value === "object" && value !== null && "find" in value),
  shared: absentOr("shared pages", (value) => typeof value === "object" && value !== null && "share" in value),
  launched: A_FUNCTION,
  accessed: A_FUNCTION,
  fault: A_FUNCTION,
};
const NAMES = Object.keys(RULES);

/** Throws an ArgumentError where plain JavaScript handed over what are no options. */
export function requireSimulated(options: SimulatedOptions): SimulatedOptions {
  requireOptions(options, "options of simulated CUDA", NAMES);
  return requireRecord(options, "options of simulated CUDA", RULES);
}
