import { conditions, type Conditions, type MemoryKind, type Stores } from "@stowage/backend-api";

/** What is known of the data when a datatype is committed. Everything may be left out. */
export interface CommitOptions {
  /** Where the scattered data lies. Default: host. */
  readonly memory?: MemoryKind;
  /** Where packed streams lie. Default: host. */
  readonly packedMemory?: MemoryKind;
  /** Power of two that divides the address of the datatype's address 0. Default: 1. */
  readonly alignment?: number;
  /** Elements a call moves, where every call moves the same. Default: any. */
  readonly count?: number | "any";
  /** Most multiprocessors that a kernel may occupy. Default: all. */
  readonly smBudget?: number;
  /** Host threads that may work on one call. Default: 1. */
  readonly threads?: number;
  /** Whether a host stores what is moved in its caches ("temporal") or past them ("streaming"). Default: as suits its size. */
  readonly stores?: Stores;
  /** The backend to use, by name, instead of the engine's choice. */
  readonly backend?: string;
}

export function packConditions(options: CommitOptions): Conditions {
  return conditions({
    sourceKind: options.memory ?? "host",
    targetKind: options.packedMemory ?? "host",
    sourceAlignment: options.alignment ?? 1,
    count: options.count ?? "any",
    ...limitsOf(options),
  });
}

export function unpackConditions(options: CommitOptions): Conditions {
  return conditions({
    sourceKind: options.packedMemory ?? "host",
    targetKind: options.memory ?? "host",
    targetAlignment: options.alignment ?? 1,
    count: options.count ?? "any",
    ...limitsOf(options),
  });
}

/** What a kernel may take of the machine: the same of every commit. */
export function limitsOf({
  threads,
  smBudget,
  stores,
}: Pick<CommitOptions, "threads" | "smBudget" | "stores">): Partial<Conditions> {
  return {
    threads: threads ?? 1,
    ...(smBudget === undefined ? {} : { smBudget }),
    ...(stores === undefined ? {} : { stores }),
  };
}
