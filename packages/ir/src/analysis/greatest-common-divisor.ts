import { requireNatural } from "../safe-integer.js";

/** The greatest common divisor of two natural numbers, by Euclid; that of a number and 0 is the number. */
export function greatestCommonDivisor(a: number, b: number): number {
  requireNatural(a, "first number to divide");
  requireNatural(b, "second number to divide");
  while (b > 0) [a, b] = [b, a % b];
  return a;
}
