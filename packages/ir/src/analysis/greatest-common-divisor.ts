import { requireNatural } from "../safe-integer.js";

/** Of two natural numbers, by Euclid; of a number and 0 the number. */
export function greatestCommonDivisor(a: number, b: number): number {
  requireNatural(a, "first number to divide");
  requireNatural(b, "second number to divide");
  while (b > 0) [a, b] = [b, a % b];
  return a;
}
