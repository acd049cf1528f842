/** Who takes part: a backend of ours by name ("auto" is the engine's choice), an MPI by its file, or a yardstick. */
export type PeerSpec =
  | { readonly kind: "engine"; readonly backend: string }
  | { readonly kind: "mpi"; readonly path: string }
  | { readonly kind: "plain-c" }
  | { readonly kind: "memcpy" };

/** Where a contender's process works. */
export interface Place {
  /** The processor to stay on; absent: any. */
  readonly processor?: number;
  /** The descriptor of a file to map its cells from; absent: memory of its own. */
  readonly memoryFile?: number;
}

/** A workload at one size in one direction; each process makes the same data of it. */
export interface CellSpec {
  readonly workload: string;
  /** The packed size that the workload was scaled to, about; null: as published. */
  readonly scaleBytes: number | null;
  readonly count: number;
  readonly packedBytes: number;
  readonly direction: "pack" | "unpack";
  /** Also move it in fragments of this many packed bytes; absent: only as a whole. */
  readonly fragmentBytes?: number;
}

/** What is asked of a contender's process; it answers each question before it reads the next. */
export type Request =
  | { readonly ask: "open"; readonly cell: CellSpec }
  | { readonly ask: "verify"; readonly variant: number }
  | { readonly ask: "sample"; readonly variant: number }
  | { readonly ask: "create" }
  | { readonly ask: "close" };

/** The first line that a process writes: it is ready, or why it cannot take part. */
export type Hello = { readonly name: string; readonly pinned: boolean } | { readonly refused: string };

/** The ways in which a contender moves a cell, by the contender's name in result rows, and why it has not others. */
export interface Opened {
  readonly variants: readonly string[];
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
