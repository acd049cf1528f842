import {
  directionOf,
  isReducing,
  isTabled,
  requireConditions,
  requireMoves,
  SUPPORTED,
  unsupported,
  type Conditions,
  type Move,
  type Support,
} from "@stowage/backend-api";
import { nodeStatistics, runsApart, type NodeStatistics } from "@stowage/ir";
import { FEATURE_LEVELS, runsOn, type FeatureLevel } from "./feature-level.js";
import type { MachineOrReason } from "./memory/machine.js";

/** Nesting that lowering follows; it recurses on depth. */
const MOST_LEVELS = 500;
/** Nodes, members of sequences included, that one program is written out for. */
const MOST_NODES = 50_000;
/** Threads of one pool: more than any machine has cores, and few enough to start in a moment. */
const MOST_THREADS = 1024;
/** Bytes of tables that one program may carry: its code reaches them by 32-bit distances. */
const MOST_TABLE_BYTES = 2 ** 30;
/** Bytes of tables of a copy, which has the tables of both sides, and another of pairs, at most seven times as long. */
const MOST_COPIED_TABLE_BYTES = 2 ** 27;

export function supportOf(
  moves: readonly Move[],
  conditions: Conditions,
  probed: MachineOrReason,
  level: FeatureLevel | undefined,
): Support {
  requireMoves(moves);
  requireConditions(conditions);
  if (!("machine" in probed)) return unsupported(probed.reason);
  if (level !== undefined && !runsOn(level, probed.machine.level)) {
    return unsupported(
      `it is to emit ${level}, the processor has ${FEATURE_LEVELS.filter((each) => runsOn(each, probed.machine.level)).join(", ")}`,
    );
  }
  const againstTables = reasonAgainstTables(moves, conditions);
  if (againstTables !== undefined) return unsupported(againstTables);
  for (const kind of [conditions.sourceKind, conditions.targetKind]) {
    if (kind !== "host" && kind !== "pinned") return unsupported(`it moves host and pinned memory, not ${kind} memory`);
  }
  const refused = reasonAgainstThreads(conditions);
  if (refused !== undefined) return unsupported(refused);
  for (const move of moves) {
    const reason = reasonAgainst(move);
    if (reason !== undefined) return unsupported(reason);
  }
  return SUPPORTED;
}

export const reasonAgainstThreads = ({ threads }: Conditions): string | undefined =>
  threads <= MOST_THREADS ? undefined : `it runs on 1 to ${MOST_THREADS} threads, not on ${threads}`;

/** Why no program is written for a move; undefined where one is. */
export function reasonAgainst(move: Move): string | undefined {
  if (isReducing(move) && !runsApart(move.target)) return `it combines no elements whose runs share bytes`;
  const most = directionOf(move) === "copy" ? MOST_COPIED_TABLE_BYTES : MOST_TABLE_BYTES;
  for (const { root } of [move.source, move.target]) {
    if (root.depth > MOST_LEVELS) return `it follows ${MOST_LEVELS} levels of nesting, the layout has ${root.depth}`;
    const statistics = nodeStatistics(root);
    const [nodes, tableBytes] = [statistics.nodes + statistics.members, tableBytesOf(statistics)];
    if (nodes > MOST_NODES) return `it writes code for ${MOST_NODES} nodes, the layout has ${nodes}`;
    if (tableBytes > most) return `it carries ${most} bytes of tables, the layout needs ${tableBytes}`;
  }
  return undefined;
}

/** Bytes of code's tables: a place each, and of runs of varying length their starts and moves beside it. */
const tableBytesOf = ({ tableEntries, lengthEntries }: NodeStatistics): number => 8 * tableEntries + 32 * lengthEntries;

/** Its code moves the elements that tables place one by one: what was promised of all must hold for each. */
function reasonAgainstTables(moves: readonly Move[], conditions: Conditions): string | undefined {
  if (!moves.some(isTabled)) return undefined;
  const { tableKind = "host", count, sourceAlignment, targetAlignment } = conditions;
  if (tableKind !== "host") return `it reads tables of host memory, not of ${tableKind} memory`;
  if (count !== "any") return "it moves elements that tables place for any count alone";
  const strides = ({ source, target, tables }: Move): readonly [number, number] => [
    tables?.source?.strideBytes ?? source.extentBytes,
    tables?.target?.strideBytes ?? target.extentBytes,
  ];
  const keepsAlignment = moves
    .map(strides)
    .every(([from, to]) => from % sourceAlignment === 0 && to % targetAlignment === 0);
  return keepsAlignment ? undefined : "its tables put elements at addresses that are aligned less than was promised";
}
