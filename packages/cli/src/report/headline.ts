import { meanOf, significant, type ResultRow } from "@stowage/bench";
import { leadingRows } from "../tables/leading-mode.js";
import { BETTER_MPI, cellRatios, partsOf, type Parts } from "../tables/ratios.js";
import type { Run } from "./run.js";
import { ratiosOf } from "./summary.js";

/** Whom a run is about, where several of ours took part. */
const PREFERRED = ["x64", "cuda-strided", "cuda-generic", "dma", "cpu"];
const NAMES_SHOWN = 4;

/** The one sentence that a run comes down to: its contender over the strongest baseline, or who took part. */
export function headlineOf(run: Run): string {
  const rows = leadingRows(run.rows);
  const parts = partsOf(rows);
  const ours = PREFERRED.find((name) => parts.ours.includes(name));
  const against = parts.mpis.length > 0 ? BETTER_MPI : parts.baselines[0];
  if (ours === undefined || against === undefined) return whoTookPart(rows);
  const mean = meanOf(ratiosWith(run, rows, parts, ours, against));
  if (mean === undefined) return whoTookPart(rows);
  const { geometricMean, least, cells } = mean;
  return `${ours} over ${against}: ${significant(geometricMean)} x in the geometric mean of ${cells} cells, least ${significant(least)} x`;
}

function ratiosWith(run: Run, rows: readonly ResultRow[], parts: Parts, ours: string, against: string): number[] {
  if (against !== BETTER_MPI)
    return ratiosOf([{ ...run, rows }], against).flatMap(({ row, ratio }) => (row.contender === ours ? [ratio] : []));
  return cellRatios(rows, ours, parts).flatMap((one) => (one.against === against ? [one.ratio] : []));
}

function whoTookPart(rows: readonly ResultRow[]): string {
  const names = [...new Set(rows.map(({ contender }) => contender))];
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return `${rows.length} rows of ${names.slice(0, NAMES_SHOWN).join(", ")}${more}`;
}
