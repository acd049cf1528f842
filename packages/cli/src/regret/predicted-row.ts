import { packMove, unpackMove, type Move, type Profile } from "@stowage/backend-api";
import { sharedCommitNs, sharedNs } from "@stowage/backend-x64";
import { modeOf, type ResultRow } from "@stowage/bench";
import type { DeviceRoute } from "@stowage/bench/device";
import type { Layout } from "@stowage/ir";
import { conditionsOf, type MeasuredBackend } from "../calibrate/candidates.js";

/** What one way was predicted to take of a cell in one mode, and what it took. */
export interface PredictedRow {
  readonly row: ResultRow;
  readonly runNs: number;
  readonly commitNs: number;
}

export const moveOf = (direction: ResultRow["direction"], layout: Layout): Move =>
  direction === "pack" ? packMove(layout) : unpackMove(layout);

/** Rows with what their candidates say of them; a call and a plan are told apart where sharing among threads is. */
export function predictedRows(
  rows: readonly ResultRow[],
  candidates: readonly MeasuredBackend[],
  layout: Layout,
  route: "host" | DeviceRoute,
  profile: Profile,
): readonly PredictedRow[] {
  return rows.flatMap((row) => {
    const candidate = candidates.find(({ name }) => name === row.contender);
    if (candidate === undefined || row.direction === "copy") return [];
    const given = { ...conditionsOf({ direction: row.direction, count: row.count }, route), threads: 1 };
    const alone = candidate.backend.predict?.([moveOf(row.direction, layout)], given, profile);
    if (alone === undefined) return [];
    const { runNs, commitNs } = alone;
    const mode = modeOf(row) === "bound" ? "bound" : "call";
    const { threads } = candidate;
    if (threads === 1) return [{ row, commitNs, runNs }];
    const shared = { commitNs: sharedCommitNs(commitNs, profile), runNs: sharedNs(runNs, threads, profile, mode) };
    return [{ row, ...shared }];
  });
}
