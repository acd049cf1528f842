import { cpus } from "node:os";
import { commitHash } from "./commit-hash.js";
import { outputFile } from "./output-file.js";
import { processorFamily } from "./processor.js";
import { SCHEMA, type Machine, type ResultRow, type Results } from "./row.js";

/** What a run of bench knows before its first row. */
export type Heading = Omit<Results, "rows">;

/** What a result file says of a run that begins now, on this machine. `gpu` names the GPU; without it there is none. */
export function heading(command: string, gpu: Pick<Machine, "gpu" | "driver"> = NO_GPU): Heading {
  const processors = cpus();
  return {
    schema: SCHEMA,
    command,
    date: new Date().toISOString(),
    commit: commitHash(),
    machine: {
      cpu: processors[0]?.model ?? "unknown",
      processor: processorFamily(),
      cores: Math.max(1, processors.length),
      ...gpu,
      node: process.version,
    },
  };
}

const NO_GPU = { gpu: null, driver: null };

/**
 * Writes a result file in one step. `subject` names the path in errors. Throws an ArgumentError where the path cannot
 * be written.
 */
export function writeResults(path: string, head: Heading, rows: readonly ResultRow[], subject = "results"): void {
  outputFile(path, subject).write(resultsText(head, rows));
}

/**
 * A result file that is kept while a bench goes on: written after every subject where it can be replaced, else once at
 * the end.
 */
export interface ResultsFile {
  /** Writes all rows so far, where the file can be replaced. Throws an ArgumentError where that fails. */
  keep(head: Heading, rows: readonly ResultRow[]): void;
  /** Writes all rows, at the end. Throws an ArgumentError where that fails. */
  finish(head: Heading, rows: readonly ResultRow[]): void;
}

/**
 * Looks at a path for results before anything is measured. Throws an ArgumentError, whose line begins with `subject`,
 * where it cannot be written.
 */
export function resultsFile(path: string, subject: string): ResultsFile {
  const file = outputFile(path, subject);
  return {
    keep: (head, rows) => file.replaceable && file.write(resultsText(head, rows)),
    finish: (head, rows) => file.write(resultsText(head, rows)),
  };
}

const resultsText = (head: Heading, rows: readonly ResultRow[]): string =>
  `${JSON.stringify({ ...head, rows }, null, 1)}\n`;
