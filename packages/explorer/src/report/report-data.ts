/** One result file of a report. */
export interface ReportRun {
  /** The path of the file. */
  readonly file: string;
  /** The machine, in words. */
  readonly machine: string;
  readonly date: string;
  /** The commit of the sources that measured. */
  readonly commit: string;
  /** The command that wrote the file. */
  readonly command: string;
}

/** One measurement, as a table shows it. */
export interface ReportRow {
  /** The index of its run in ReportData.runs. */
  readonly run: number;
  readonly workload: string;
  readonly packedBytes: number;
  readonly direction: string;
  readonly route: string;
  readonly mode: string;
  readonly contender: string;
  readonly medianNs: number;
  readonly minNs: number;
  readonly maxNs: number;
  /** Nanoseconds to commit: to choose and compile. */
  readonly commitNs: number;
  /** Packed bytes a nanosecond, which are GB/s. */
  readonly bandwidth: number;
}

/** A contender on a workload, size, direction and mode that two files have. */
export interface ReportChange {
  readonly workload: string;
  readonly packedBytes: number;
  readonly direction: string;
  readonly mode: string;
  readonly contender: string;
  /** The median in the older file. */
  readonly beforeNs: number;
  /** The median in the newer file. */
  readonly nowNs: number;
  /** How many times as fast as before; null where the machines differ. */
  readonly ratio: number | null;
}

/** All that a page of results shows. */
export interface ReportData {
  /** What the page says in a glance, a line each; the first is its heading. Without any it begins with its runs. */
  readonly headline?: readonly string[];
  /** The files of the report. */
  readonly runs: readonly ReportRun[];
  readonly rows: readonly ReportRow[];
  /** What changed between two files; empty where there is nothing to compare. */
  readonly changes: readonly ReportChange[];
}
