import { fitsInt32, narrowest, type IntegerTable } from "../integer-table.js";
import { greatestCommonDivisor } from "./greatest-common-divisor.js";
import { isRuns, type RunBlocks } from "./is-runs.js";
import { quoted } from "../checks/quoted.js";
import { ArgumentError } from "../errors.js";
import type { LayoutNode } from "../layout/node.js";
import { requireNode } from "../layout/require-node.js";
import { requireNatural } from "../safe-integer.js";

/** Runs cut into pieces of one length. */
export interface EqualPieces {
  readonly pieceBytes: number;
  /** Where each piece starts, from the node's zero, in packed order. */
  readonly displacementsBytes: IntegerTable;
}

/** The longest piece that divides every run of a table, in bytes; 0 where the runs are empty. O(runs). */
export function longestPieceBytes(node: RunBlocks): number {
  const { blocklengths, child } = requireRuns(node);
  if (blocklengths === 1) return child.lengthBytes;
  let piece = 0;
  for (let i = 0; i < blocklengths.length && piece !== 1; i++) {
    const length = blocklengths[i] as number;
    if (piece === 0 || length % piece !== 0) piece = greatestCommonDivisor(piece, length);
  }
  return piece * child.lengthBytes;
}

/**
 * The runs of a table cut into the longest equal pieces; undefined where there would be more than `mostPerRun` pieces a
 * run on average. A walk over equal pieces reads no lengths. O(runs + pieces). Throws an ArgumentError where `node` is
 * no table of runs.
 */
export function equalPieces(node: RunBlocks, mostPerRun: number): EqualPieces | undefined {
  const pieceBytes = longestPieceBytes(node);
  if (typeof mostPerRun !== "number") throw new ArgumentError("pieces a run", "a number", quoted(mostPerRun));
  const runCount = node.displacementsBytes.length;
  return pieceBytes === 0 || node.sizeBytes / pieceBytes > mostPerRun * runCount
    ? undefined
    : piecesOf(node, pieceBytes);
}

/** The runs of a table cut into pieces of so many bytes; undefined where these do not divide every run. */
export function piecesOf(node: RunBlocks, pieceBytes: number): EqualPieces | undefined {
  const { displacementsBytes, blocklengths, child, sizeBytes } = requireRuns(node);
  if (requireNatural(pieceBytes, "length of a piece in bytes") === 0) return undefined;
  if (sizeBytes % pieceBytes !== 0) return undefined;
  // No start lies outside the node.
  const isNarrow = fitsInt32(node.lowBytes) && fitsInt32(node.highBytes);
  const pieces = sizeBytes / pieceBytes;
  const starts = isNarrow ? new Int32Array(pieces) : new Float64Array(pieces);
  let filled = 0;
  for (let i = 0; i < displacementsBytes.length; i++) {
    const start = displacementsBytes[i] as number;
    const lengthBytes = (blocklengths === 1 ? 1 : (blocklengths[i] as number)) * child.lengthBytes;
    if (lengthBytes % pieceBytes !== 0) return undefined;
    for (let at = 0; at < lengthBytes; at += pieceBytes) starts[filled++] = start + at;
  }
  return { pieceBytes, displacementsBytes: starts instanceof Int32Array ? starts : narrowest(starts) };
}

function requireRuns(node: RunBlocks): RunBlocks {
  requireNode(node, "table of runs");
  if ((node as LayoutNode).kind === "blocks" && isRuns(node)) return node;
  throw new ArgumentError("table of runs", "blocks of which each is one run", `a ${node.kind} node`);
}
