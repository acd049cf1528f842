import type { Conditions, Move } from "@stowage/backend-api";
import { scatteredLayout, directionOf } from "@stowage/backend-api";
import { layoutAlignment } from "@stowage/ir";

/** A line: no move is wider. */
const MOST_BYTES = 64;

/** Bytes that divide the address of every run's start and length, on both sides, as the conditions promise it. */
export function promisedAlignment(move: Move, { sourceAlignment, targetAlignment }: Conditions): number {
  const [scattered, packed] =
    directionOf(move) === "unpack" ? [targetAlignment, sourceAlignment] : [sourceAlignment, targetAlignment];
  return Math.min(layoutAlignment(scatteredLayout(move), MOST_BYTES), scattered, packed);
}
