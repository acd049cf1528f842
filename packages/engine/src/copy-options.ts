import { conditions, type Conditions, type MemoryKind, type Queue, type Stores } from "@stowage/backend-api";
import { limitsOf } from "./commit-options.js";
import type { Extent } from "./committed.js";

/** What is known of the data when a copy between two datatypes is committed. Everything may be left out. */
export interface CommitCopyOptions {
  /** Where the bytes come from, and where they go. Default: host. */
  readonly fromMemory?: MemoryKind;
  readonly toMemory?: MemoryKind;
  /** Power of two that divides the address of each datatype's address 0. Default: 1. */
  readonly fromAlignment?: number;
  readonly toAlignment?: number;
  /** Elements a copy moves, where every copy moves the same. Default: any. */
  readonly elements?: number | "any";
  /** Most multiprocessors that a kernel may occupy. Default: all. */
  readonly smBudget?: number;
  /** Host threads that may work on one copy. Default: 1. */
  readonly threads?: number;
  /** Whether a host stores what is moved in its caches ("temporal") or past them ("streaming"). Default: as suits its size. */
  readonly stores?: Stores;
  /** The backend to use, by name, instead of the engine's choice. */
  readonly backend?: string;
}

/** The same for a single copy, and how much of the data it moves. */
export interface CopyOptions extends CommitCopyOptions, Extent {
  /** The stream of a device that it runs on. */
  readonly queue?: Queue;
}

export const copyConditions = (options: CommitCopyOptions): Conditions =>
  conditions({
    sourceKind: options.fromMemory ?? "host",
    targetKind: options.toMemory ?? "host",
    sourceAlignment: options.fromAlignment ?? 1,
    targetAlignment: options.toAlignment ?? 1,
    count: options.elements ?? "any",
    ...limitsOf(options),
  });
