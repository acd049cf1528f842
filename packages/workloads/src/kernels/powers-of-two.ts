/** Edges of a box of 2^exponent elements, each a power of two and as equal as can be, the longest first. */
export function boxEdges(exponent: number, dimensions: number): readonly number[] {
  return Array.from({ length: dimensions }, (_, i) => 2 ** Math.floor((exponent + dimensions - 1 - i) / dimensions));
}
