import { conditions, type Conditions, type MemoryKind } from "@stowage/backend-api";
import { CALL_RULES, type CallOptions } from "./call-options.js";
import { checkOptions, POWER_OF_TWO, type Rules } from "./check-options.js";
import { COUNT, LIMIT_RULES, limitsOf, MEMORY_KIND, type LimitOptions } from "./commit-options.js";

/** What is known of the data when a copy between two datatypes is committed. Everything may be left out. */
export interface CommitCopyOptions extends LimitOptions {
  /** Where the bytes come from, and where they go. Default: host. */
  readonly fromMemory?: MemoryKind;
  readonly toMemory?: MemoryKind;
  /** Power of two that divides the address of each datatype's address 0, in bytes. Default: 1. */
  readonly fromAlignment?: number;
  readonly toAlignment?: number;
  /** Elements that every copy moves. Default: "any", each call says how many. */
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
