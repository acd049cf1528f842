import type { Machine } from "@stowage/bench";
import type { Projected } from "../model/projected.js";
import type { MeasuredLoad } from "./measured-load.js";
import type { OverheadRow } from "./row.js";

/** The form of files that `stowage overheads --out` writes; fields are added to it, none is changed. */
export const OVERHEADS_SCHEMA = "stowage-overheads/1";

/** One run: what `stowage overheads` writes and `stowage report` compares. */
export interface OverheadResults {
  readonly schema: typeof OVERHEADS_SCHEMA;
  /** The command that wrote the file. */
  readonly command: string;
  /** When it began, in ISO 8601. */
  readonly date: string;
  /** The commit of the sources that measured. */
  readonly commit: string;
  readonly machine: Machine;
  /** What could not be measured and why, one line each. */
  readonly remarks: readonly string[];
  readonly rows: readonly OverheadRow[];
  /** Beside what other work each program ran; not in older files, empty where the system does not tell. */
  readonly loads?: readonly MeasuredLoad[] | undefined;
  /** What `--project` made of the rows. */
  readonly projected?: readonly Projected[];
}
