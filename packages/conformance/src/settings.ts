import type { Backend, Conditions, Direction, Profile, Queue } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import type { FreshProcess } from "./fresh/fresh-process.js";
import type { TestMemory } from "./memory/test-memory.js";

/** How the laws are run on a backend. Every field has a default that suits a backend of host memory. */
export interface LawOptions {
  /** The memory of the scattered side of a move. Default: host memory. */
  readonly scattered?: TestMemory;
  /** The memory of the packed side of a move. Default: host memory. */
  readonly packed?: TestMemory;
  /** Gives the queue that plans run on. Default: there is none. */
  readonly queue?: () => Queue;
  /** Conditions that hold in every case, such as threads; kinds, alignments and count are the laws' own. */
  readonly conditions?: Partial<Pick<Conditions, "reuse" | "smBudget" | "threads">>;
  /**
   * What the backend can do at all; a law that needs another direction leaves that part out. Default: pack, unpack and
   * copy.
   */
  readonly directions?: readonly MoveDirection[];
  /**
   * Whether several registered buffers in one address space are tried, and with them offsets past 2^32. Default: true.
   */
  readonly addressSpaces?: boolean;
  /** How many cases a law tries. Default: STOWAGE_LAW_RUNS, or 2,000. */
  readonly runs?: number;
  /** The seed of the cases. Default: STOWAGE_SEED; in CI a fixed one; else the time. */
  readonly seed?: number;
  /**
   * The one case to run again, as a violation prints it: `3 splits of pack:17:0:2`, the part of a law and the path of
   * the case. Default: STOWAGE_REPLAY; else all cases.
   */
  readonly replay?: string;
  /** The most packed bytes of one element of a generated datatype. Default: 1,024. */
  readonly maxSizeBytes?: number;
  /** The most bytes that one element of a generated datatype reaches over. Default: 8,192. */
  readonly maxReachBytes?: number;
  /** The most milliseconds that one law may take; describeBackend alone heeds it. Default: 300,000. */
  readonly timeoutMs?: number;
  /** The figures that predictions are made from. Default: UNCALIBRATED. */
  readonly profile?: Profile;
  /** The canonicalisation under test in law 4. Default: that of @stowage/ir. */
  readonly canonicalise?: Canonicalise;
  /**
   * A module with which law 8 loads artifacts in a process of its own. Default: a second backend in this process loads
   * them.
   */
  readonly freshProcess?: FreshProcess;
}

/** Brings a layout to its canonical form, and calls `onPass` after every pass. */
export type Canonicalise = (layout: Layout, options?: { onPass?: OnPass }) => Layout;
type OnPass = (name: string, before: Layout, after: Layout) => void;

/** A part of a law, and the path of one of its cases. */
export interface Replay {
  readonly part: string;
  readonly path: string;
}

/** Where bytes are moved and not combined: law 11 looks at reductions. */
export type MoveDirection = Exclude<Direction, "reduce">;

/** All options, defaults filled in, and the backend to run them on. */
export interface LawSettings {
  readonly factory: () => Backend;
  readonly scattered: TestMemory;
  readonly packed: TestMemory;
  readonly queue: () => Queue | undefined;
  readonly conditions: Partial<Pick<Conditions, "reuse" | "smBudget" | "threads">>;
  readonly directions: readonly MoveDirection[];
  readonly addressSpaces: boolean;
  readonly runs: number;
  readonly seed: number;
  readonly replay: Replay | undefined;
  readonly maxSizeBytes: number;
  readonly maxReachBytes: number;
  readonly profile: Profile;
  readonly canonicalise: Canonicalise;
  readonly freshProcess: FreshProcess | undefined;
}
