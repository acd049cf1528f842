import type { Layout } from "@stowage/ir";
import type { Level } from "../counted.js";
import type { Pair } from "../pair.js";

/** Elements shorter than this are worth no code for ranges inside them. */
const LEAST_DIVIDED_BYTES = 4096;

/** Elements side by side; where short ones continue each other's outermost loop on both sides, the children of it. */
export function elementsOf(pair: Pair, source: Layout, target: Layout): Level {
  const { sizeBytes, extentBytes: sourceBytes } = source;
  const targetBytes = target.extentBytes;
  const goesOn =
    pair.kind === "loop" &&
    sizeBytes < LEAST_DIVIDED_BYTES &&
    pair.count * pair.sourceBytes === sourceBytes &&
    pair.count * pair.targetBytes === targetBytes;
  return goesOn
    ? { counted: pair, unitBytes: sizeBytes / pair.count }
    : { counted: { child: pair, sourceBytes, targetBytes }, unitBytes: sizeBytes };
}

/** The outermost loop of one long element, for ranges inside it; undefined: none. */
export const innerOf = (pair: Pair, { sizeBytes }: Layout): Level | undefined =>
  pair.kind === "loop" && sizeBytes >= LEAST_DIVIDED_BYTES
    ? { counted: pair, unitBytes: sizeBytes / pair.count }
    : undefined;
