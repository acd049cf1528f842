const isLong = process.env["STOWAGE_TESTS"] === "long";

/**
 * Every n-th of the ways to try one layout in `npm test`, and all in `npm run test:long`. `turn` is another number for
 * each layout, so that every way is tried on some.
 */
export const thinned = <Way>(ways: readonly Way[], n: number, turn: number): readonly Way[] =>
  isLong ? ways : ways.filter((_, i) => (i + turn) % n === 0);
