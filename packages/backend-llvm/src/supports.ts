import {
  isReducing,
  NO_REDUCTIONS,
  requireConditions,
  requireMoves,
  SUPPORTED,
  unsupported,
  type Conditions,
  type Move,
  type Support,
} from "@stowage/backend-api";
import { koffi } from "@stowage/host-plans";
import { isLibraryInstalled, LlvmError, noLibrary, openLlvm } from "@stowage/llvm";
import { nodeStatistics } from "@stowage/ir";
import type { TargetOrReason } from "./host.js";

/** Nesting that lowering follows; it recurses on depth. */
const MOST_LEVELS = 500;
/** Nodes, members of sequences included: LLVM takes a millisecond and more for each. */
const MOST_NODES = 2000;
/** Entries of tables, which LLVM reads as text. */
const MOST_ENTRIES = 2 ** 20;

/** Whether moves are taken; a missing libLLVM or target is a reason as any other. */
export function supportOf(
  moves: readonly Move[],
  conditions: Conditions,
  found: TargetOrReason,
  library: "load" | "look",
): Support {
  requireMoves(moves);
  requireConditions(conditions);
  if (moves.some(isReducing)) return NO_REDUCTIONS;
  for (const kind of [conditions.sourceKind, conditions.targetKind]) {
    if (kind !== "host" && kind !== "pinned") return unsupported(`it moves host and pinned memory, not ${kind} memory`);
  }
  if (!("target" in found)) return unsupported(found.reason);
  for (const move of moves) {
    const reason = reasonAgainst(move);
    if (reason !== undefined) return unsupported(reason);
  }
  return library === "look" ? supportAtSight(found.target) : supportOfTarget(found.target);
}

/** Targets that a library was found to have; asked once each. */
const answers = new Map<string, Support>();

let isInstalled: boolean | undefined;

function supportAtSight({ triple }: { readonly triple: string }): Support {
  const known = answers.get(triple);
  if (known !== undefined) return known;
  isInstalled ??= process.env["STOWAGE_LLVM"] !== undefined || isLibraryInstalled();
  if (!isInstalled) return unsupported(noLibrary().message);
  try {
    koffi(); // without it no library is of use
    return SUPPORTED;
  } catch (error) {
    return unsupported((error as Error).message);
  }
}

/** Loads the library where that was not done before. */
export function supportOfTarget(target: { readonly triple: string }): Support {
  const known = answers.get(target.triple);
  if (known !== undefined) return known;
  const answer = askFor(target);
  answers.set(target.triple, answer);
  return answer;
}

function askFor(target: { readonly triple: string }): Support {
  try {
    openLlvm().targetMachine(target)[Symbol.dispose]();
    return SUPPORTED;
  } catch (error) {
    if (error instanceof LlvmError) return unsupported(error.message);
    throw error;
  }
}

function reasonAgainst(move: Move): string | undefined {
  for (const { root } of [move.source, move.target]) {
    if (root.depth > MOST_LEVELS) return `it follows ${MOST_LEVELS} levels of nesting, the layout has ${root.depth}`;
    const { nodes, members, tableEntries } = nodeStatistics(root);
    if (nodes + members > MOST_NODES)
      return `it writes code for ${MOST_NODES} nodes, the layout has ${nodes + members}`;
    if (tableEntries > MOST_ENTRIES)
      return `it carries ${MOST_ENTRIES} entries of tables, the layout has ${tableEntries}`;
  }
  return undefined;
}
