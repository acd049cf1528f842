import type { Profile } from "@stowage/backend-api";
import type { MeasuredBackend } from "../calibrate/candidates.js";
import { regretsOf, type RegretRow } from "./cell-regret.js";
import { byMode, type CellRows } from "./cell-rows.js";
import { fixedList } from "./fixed-list.js";
import { predictedRows, type PredictedRow } from "./predicted-row.js";
import { tiersOf } from "./tiering.js";

/** What the choices among some measured ways were worth. */
export interface Scores {
  readonly rows: readonly RegretRow[];
  readonly ways: readonly PredictedRow[];
}

/** Chooses in each cell by what a profile predicts, among the candidates that were measured there. */
export function scored(cells: readonly CellRows[], candidates: readonly MeasuredBackend[], profile: Profile): Scores {
  const each = cells.map((cell) => scoredCell(cell, candidates, profile));
  return { rows: each.flatMap(({ rows }) => rows), ways: each.flatMap(({ ways }) => ways) };
}

function scoredCell(cell: CellRows, candidates: readonly MeasuredBackend[], profile: Profile): Scores {
  const { layout, count, route } = cell;
  const measured = candidates.filter(({ name }) => cell.rows.some(({ contender }) => contender === name));
  const ways = predictedRows(cell.rows, measured, layout, route, profile);
  if (ways.length === 0) return { rows: [], ways };
  const tiers = tiersOf(measured, layout, cell, route, profile);
  const list = fixedList(layout, count, route);
  const rows = byMode(cell.rows).flatMap((same) =>
    regretsOf(
      ways.filter(({ row }) => same.includes(row)),
      list,
      tiers,
    ),
  );
  return { rows, ways };
}
