/** One result file of a report. */
export interface ReportRun {
  readonly file: string;
  readonly machine: string;
  readonly date: string;
  readonly commit: string;
  readonly command: string;
}

/** One measurement, as a table shows it. */
export interface ReportRow {
  /** Index of its run. */
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
  readonly commitNs: number;
  /** Bytes a nanosecond. */
  readonly bandwidth: number;
}

/** A contender on a cell that two files have. */
export interface ReportChange {
  readonly workload: string;
  readonly packedBytes: number;
  readonly direction: string;
  readonly mode: string;
  readonly contender: string;
  readonly beforeNs: number;
  readonly nowNs: number;
  /** How many times as fast as before; null where the machines differ. */
  readonly ratio: number | null;
}

/** All that a page of results shows. */
export interface ReportData {
  /** What it says in a glance, a line each; the first is the page's heading. Without any it begins with its runs. */
  readonly headline?: readonly string[];
  readonly runs: readonly ReportRun[];
  readonly rows: readonly ReportRow[];
  /** Empty where there is nothing to compare. */
  readonly changes: readonly ReportChange[];
}
