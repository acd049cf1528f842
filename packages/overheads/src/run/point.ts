import type { OverheadRow } from "../results/row.js";

/** What an experiment prints in a line: a row, but for who and where it is. */
export interface Point extends Pick<
  OverheadRow,
  "panel" | "series" | "x" | "medianNs" | "minNs" | "maxNs" | "samples"
> {
  readonly experiment?: string;
}

/** A line of an experiment; undefined for whatever else a launcher or a library prints. */
export function readPoint(line: string): Point | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Point;
  } catch {
    return undefined; // half a line of a program that was ended
  }
}
