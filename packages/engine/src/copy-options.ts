import { conditions, type Conditions, type MemoryKind } from "@stowage/backend-api";
import { CALL_RULES, type CallOptions } from "./call-options.js";
import { checkOptions, POWER_OF_TWO, type Rules } from "./check-options.js";
import { COUNT, LIMIT_RULES, limitsOf, MEMORY_KIND, type LimitOptions } from "./commit-options.js";

/** What is known of the data when a copy between two datatypes is committed. Everything may be left out. */
export interface CommitCopyOptions extends LimitOptions {
  /** The kind of memory that the bytes come from. Default: host. */
  readonly fromMemory?: MemoryKind;
  /** The kind of memory that the bytes go to. Default: host. */
  readonly toMemory?: MemoryKind;
  /** A power of two, in bytes, that divides the address at which the first datatype's address 0 lies. Default: 1. */
  readonly fromAlignment?: number;
  /** A power of two, in bytes, that divides the address at which the second datatype's address 0 lies. Default: 1. */
  readonly toAlignment?: number;
  /** How many elements every copy moves. Default: "any", each call says how many. */
  readonly count?: number | "any";
}

/** What may be told of a single copy, and how much of the data it moves: its code is good for any count. */
export interface CopyOptions extends Omit<CommitCopyOptions, "count">, CallOptions {}

const COMMIT_RULES: Rules<CommitCopyOptions> = {
  fromMemory: MEMORY_KIND,
  toMemory: MEMORY_KIND,
  fromAlignment: POWER_OF_TWO,
  toAlignment: POWER_OF_TWO,
  count: COUNT,
  ...LIMIT_RULES,
};

const COPY_RULES: Rules<CopyOptions> = { ...COMMIT_RULES, ...CALL_RULES };

export const checkCommitCopyOptions = (options: CommitCopyOptions): void =>
  checkOptions("copy options", options, COMMIT_RULES);

export const checkCopyOptions = (options: CopyOptions): void => checkOptions("copy options", options, COPY_RULES);

export const copyConditions = (options: CommitCopyOptions): Conditions =>
  conditions({
    sourceKind: options.fromMemory ?? "host",
    targetKind: options.toMemory ?? "host",
    sourceAlignment: options.fromAlignment ?? 1,
    targetAlignment: options.toAlignment ?? 1,
    count: options.count ?? "any",
    ...limitsOf(options),
  });
