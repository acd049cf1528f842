import { ArgumentError, hexWord, layoutHash, quoted } from "@stowage/ir";
import { requireConditions, type Conditions } from "./conditions.js";
import { requireMoves, type Move } from "./move.js";
import { tablesText } from "./tables/move-tables.js";

/**
 * Names what compiling these moves gives: `backend-version-hash`, with 16 hexadecimal digits of a hash (two MurmurHash3
 * of 32 bits) of the moves' layouts, reductions and tables, and of every condition but `reuse`. Equal moves and
 * conditions have equal keys; a store that must not trust 64 bits compares the artifact's own moves as well. A backend
 * with several targets, or with a `variant` for these moves, says which in its name for the key. Throws an
 * ArgumentError for what are no moves, conditions, name or version.
 */
export function artifactKey(
  backend: string,
  formatVersion: number,
  moves: readonly Move[],
  conditions: Conditions,
): string {
  if (typeof backend !== "string") throw new ArgumentError("backend of an artifact", "its name", quoted(backend));
  if (typeof formatVersion !== "number")
    throw new ArgumentError("format of an artifact", "a number", quoted(formatVersion));
  requireMoves(moves);
  const { sourceKind, targetKind, sourceAlignment, targetAlignment, count, smBudget, threads, stores, tableKind } =
    requireConditions(conditions);
  let text = `${sourceKind} ${targetKind} ${sourceAlignment} ${targetAlignment} ${count} ${smBudget ?? "all"} ${threads} ${stores ?? "any"}`;
  if (tableKind !== undefined) text += ` tables ${tableKind}`;
  for (const { source, target, reduction, tables } of moves) {
    text += ` ${layoutHash(source)} ${layoutHash(target)}`;
    if (reduction !== undefined) text += ` ${reduction.op} ${reduction.element}`;
    if (tables !== undefined) text += ` ${tablesText(tables)}`;
  }
  return `${backend}-${formatVersion}-${murmur3(text, 0x9747b28c)}${murmur3(text, 0x165667b1)}`;
}

/** MurmurHash3 (32 bits, one code unit a step) of a text, from a seed; the finaliser spreads every bit. */
function murmur3(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) {
    const word = Math.imul(text.charCodeAt(i), 0xcc9e2d51);
    hash ^= Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hexWord(hash ^ (hash >>> 16));
}
