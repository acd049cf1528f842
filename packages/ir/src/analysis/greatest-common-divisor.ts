/** Of two natural numbers, by Euclid; of a number and 0 the number. */
export function greatestCommonDivisor(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b];
  return a;
}
