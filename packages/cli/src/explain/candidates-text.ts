import { conditions, directionOf, packMove, unpackMove, type MemoryKind } from "@stowage/backend-api";
import { cellsOf, formatNs, grouped, measureCell } from "@stowage/bench";
import { canonicalise, lower } from "@stowage/ir";
import { findProfile, type Engine } from "@stowage/selector";
import { hostCandidates, hostContenderOf } from "../calibrate/candidates.js";
import { align } from "../tables/align.js";
import type { NamedType } from "../type-argument.js";

export interface CandidatesAsked {
  readonly count: number;
  readonly from: MemoryKind;
  readonly to: MemoryKind;
  readonly measure: boolean;
}

/** One candidate of a call: what it is predicted to take, or why it does not take part. */
export interface CandidateLine {
  readonly direction: string;
  readonly name: string;
  readonly chosen: boolean;
  readonly reason: string;
  readonly runNs?: number | undefined;
  readonly uncertainty?: number | undefined;
  readonly commitNs?: number | undefined;
  readonly measuredNs?: number | undefined;
}

/** Every backend for packing and for unpacking so many elements, chosen, predicted and where asked measured. */
export function candidateLines(
  engine: Engine,
  { name, datatype }: NamedType,
  asked: CandidatesAsked,
): readonly CandidateLine[] {
  const layout = canonicalise(lower(datatype));
  const { count, from, to } = asked;
  const measured = asked.measure ? measuredTimes(name, datatype, asked) : new Map<string, number>();
  return [packMove(layout), unpackMove(layout)].flatMap((move, i) => {
    const [sourceKind, targetKind] = i === 0 ? [from, to] : [to, from];
    const choice = engine.choiceFor([move], conditions({ sourceKind, targetKind, count }));
    const direction = i === 0 ? "pack" : directionOf(move);
    return choice.candidates.map(({ backend, support, prediction }) => ({
      direction,
      name: backend.name,
      chosen: backend === choice.chosen,
      reason: support.ok ? (backend === choice.chosen ? choice.reason : "takes longer") : support.reason,
      runNs: prediction?.runNs,
      uncertainty: prediction?.uncertainty,
      commitNs: prediction?.commitNs,
      measuredNs: measured.get(`${direction} ${backend.name}`),
    }));
  });
}

/** Throws one line where the memory is a device's: `stowage regret --device cuda` measures there. */
function measuredTimes(
  name: string,
  datatype: NamedType["datatype"],
  { count, from, to }: CandidatesAsked,
): Map<string, number> {
  if (from !== "host" || to !== "host")
    throw new Error(`--measure: expected host memory on both sides, got ${from} and ${to}`);
  const contenders = hostCandidates(1).map(hostContenderOf);
  const cells = cellsOf(name, datatype, count);
  const rows = cells.flatMap((cell) => measureCell(cell, contenders, { modes: ["call"] }).rows);
  return new Map(rows.map(({ direction, contender, medianNs }) => [`${direction} ${contender}`, medianNs]));
}

/** A table of those that take part; of the others a line a reason. */
export function candidatesText(lines: readonly CandidateLine[]): string {
  const time = (ns: number | undefined): string => (ns === undefined ? "-" : formatNs(ns));
  const spread = (uncertainty: number | undefined): string =>
    uncertainty === undefined ? "-" : `${(100 * uncertainty).toFixed(0)} %`;
  const able = lines.filter(({ runNs }) => runNs !== undefined);
  const table = able.map(({ direction, name, chosen, runNs, uncertainty, commitNs, measuredNs, reason }) => [
    `${chosen ? "*" : " "} ${direction} by ${name}`,
    ...[time(runNs), spread(uncertainty), time(commitNs), time(measuredNs)],
    ` ${reason}`,
  ]);
  const head = ["candidates", "predicted", "give or take", "commit", "measured", " why"];
  const unable = lines.filter(({ runNs }) => runNs === undefined);
  return [align([head, ...table]), ...refusalTexts(unable), ...findProfile().remarks].join("\n");
}

/** Most refuse for one reason, in both directions: no GPU, say. */
function refusalTexts(unable: readonly CandidateLine[]): readonly string[] {
  const reasons = grouped(unable, ({ reason }) => reason);
  return [...reasons.entries()].map(([reason, same]) => {
    const names = [...new Set(same.map(({ name }) => name))];
    const directions = [...new Set(same.map(({ direction }) => direction))];
    return `  no ${directions.join(" or ")} by ${names.join(", ")}: ${reason}`;
  });
}
