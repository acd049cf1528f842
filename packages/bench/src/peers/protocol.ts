import type { CellMode } from "../results/row.js";
import type { Subject } from "../workloads/subject.js";

/** Names a contender, as data in JSON for the script of its process, with whatever else the script needs. */
export interface PeerSpec {
  /** The contender's name, until it says its own. */
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
  /** What is moved. */
  readonly subject: Subject;
  /** The packed size in bytes that the subject was scaled to, about; null: as published. */
  readonly scaleBytes: number | null;
  /** How many elements are moved. */
  readonly count: number;
  /** The length of the packed stream in bytes. */
  readonly packedBytes: number;
  /** Whether it is packed or unpacked. */
  readonly direction: "pack" | "unpack";
  /** The modes that are asked for. */
  readonly modes: readonly CellMode[];
  /** Milliseconds for which each variant is called before its first sample. */
  readonly warmUpMs: number;
  /** Packed bytes of a fragment, to move the cell in fragments as well. Absent: in one call alone. */
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

/** The time to make the cell's datatype, to commit it and to free it. */
export interface Created {
  /** Mean nanoseconds of each; null for contenders without datatypes. */
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
