import type { CellMode } from "../results/row.js";
import type { Subject } from "../workloads/subject.js";

/**
 * Who takes part, as data for the script of its process: what it is called until it tells its own name, and whatever
 * else the script needs.
 */
export interface PeerSpec {
  readonly title: string;
  readonly [field: string]: unknown;
}

/** What the process of a contender is to work with. */
export interface ProcessSettings {
  /** The processor to stay on; absent: any. */
  readonly processor?: number;
  /** The descriptor of a file to map its cells from; absent: memory of its own. */
  readonly memoryFile?: number;
}

/** A subject at one size in one direction; each process makes the same data of it. */
export interface CellSpec {
  readonly subject: Subject;
  /** The packed size that the subject was scaled to, about; null: as published. */
  readonly scaleBytes: number | null;
  readonly count: number;
  readonly packedBytes: number;
  readonly direction: "pack" | "unpack";
  readonly modes: readonly CellMode[];
  /** How long each way is called before its first sample. */
  readonly warmUpMs: number;
  /** Also move it in fragments of this many packed bytes; absent: only in one call. */
  readonly fragmentBytes?: number | undefined;
}

/** What is asked of a contender's process; it answers each question before it reads the next. */
export type Request =
  | { readonly ask: "open"; readonly cell: CellSpec }
  | { readonly ask: "verify"; readonly variant: number }
  | { readonly ask: "sample"; readonly variant: number }
  | { readonly ask: "create" }
  | { readonly ask: "close" };

/** The first line that a process writes: it is ready, or why it cannot take part. */
export type Hello =
  | { readonly name: string; readonly pinned: boolean; readonly copiesStream: boolean }
  | { readonly refused: string };

/** The ways in which a contender moves a cell, by name and mode in result rows, and why it has not others. */
export interface Opened {
  readonly variants: readonly { readonly name: string; readonly mode: CellMode }[];
  readonly refusals: readonly string[];
}

/** Hash of what a variant wrote into fresh memory: all bytes of the target, canaries too. */
export interface Verified {
  readonly sha256: string;
}

/** Time of one run. */
export interface Sampled {
  readonly ns: number;
}

/** Time to make the cell's datatype, to commit it and to free it, each once; null for contenders without datatypes. */
export interface Created {
  readonly times: { readonly createNs: number; readonly commitNs: number; readonly freeNs: number } | null;
}

export interface Answers {
  readonly open: Opened;
  readonly verify: Verified;
  readonly sample: Sampled;
  readonly create: Created;
  readonly close: object;
}

/** An answer to a request that failed, in one line. */
export interface Failed {
  readonly failed: string;
}

/** Marks our lines: whatever else comes out of the process, a library printed. */
const MARK = "@stowage ";

export const encodeLine = (message: object): string => `${MARK}${JSON.stringify(message)}\n`;

/** The message of a line, and what a library printed before it without ending its own line. */
export function decodeLine(line: string): { readonly message?: unknown; readonly printed: string } {
  const at = line.lastIndexOf(MARK);
  if (at < 0) return { printed: line };
  return { message: JSON.parse(line.slice(at + MARK.length)), printed: line.slice(0, at) };
}
