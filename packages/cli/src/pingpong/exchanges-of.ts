import { elementsOf, type Subject } from "@stowage/bench";
import { allToAllOf, pingPongOf, type Exchange } from "./exchange.js";

/** FFT2's types come in threes: a column, all columns of a share, the rows that they become. */
const FFT2 = /^FFT2\/(\d+)$/;

/**
 * What subjects exchange, each made when it is asked for: DDTBench's FFT2 is an all-to-all of two of its types, the
 * rest are messages.
 */
export function* exchangesOf(
  subjects: readonly Subject[],
  sizes: readonly (number | undefined)[],
  rank: number,
): Generator<Exchange> {
  for (const subject of subjects) {
    for (const size of sizes) {
      const place = size === undefined ? partOf(subject.name) : 0;
      if (place === 2) continue;
      const elements = elementsOf(subject, size);
      yield place === 1
        ? allToAllOf(elements, elementsOf({ kind: "workload", name: rowsOf(subject.name) }), rank)
        : pingPongOf(elements, rank);
    }
  }
}

function partOf(name: string): number {
  const index = FFT2.exec(name)?.[1];
  return index === undefined ? 0 : Number(index) % 3;
}

const rowsOf = (name: string): string => name.replace(/\d+$/, (index) => String(Number(index) + 1));
