import type { ResultRow } from "@stowage/bench";
import type { TopLevelSpec } from "vega-lite";
import type { Run } from "../run.js";
import type { RatioRow } from "../summary.js";
import type { Palette } from "./palette.js";

/** What the plots of one machine are drawn from. */
export interface Drawn {
  readonly runs: readonly Run[];
  /** The rows that tables lead with. */
  readonly rows: readonly ResultRow[];
  readonly ratios: readonly RatioRow[];
  readonly palette: Palette;
}

/** A plot that a report can draw; undefined where the rows hold nothing to draw. */
export interface Figure {
  readonly name: string;
  readonly title: string;
  readonly draw: (drawn: Drawn) => TopLevelSpec | undefined;
}

/** MILC_su3_zdown/3 belongs to MILC_su3_zdown. */
export const family = (workload: string): string => workload.split("/")[0] ?? workload;

/** Contenders among some values of a plot. */
export const contendersIn = (values: readonly { readonly contender: string }[]): readonly string[] => [
  ...new Set(values.map(({ contender }) => contender)),
];
