import { linear, valuesOf, type Box, type Element, type Stencil, type Values } from "./stencil.js";

/**
 * The stencil by loops on the host, term by term along rows that stay in L1d. Each operation is rounded as the element
 * is, in the order that a GPU has: sums lie in arrays of the element, and a sum or product of two floats is exact
 * enough in a double.
 */
export function applyStencil(
  stencil: Stencil,
  element: Element,
  [from, to]: readonly [Values, Values],
  sizes: readonly number[],
  box: Box,
): void {
  const row = valuesOf(element, sizes.at(-1) as number);
  const terms = stencil.terms.map(({ weight, steps }) => ({
    weight: valuesOf(element, 1).fill(weight)[0] as number,
    offsets: steps.map((each) => linear(each, sizes)),
  }));
  forEachRow(box, sizes, (first, length) => {
    terms.forEach(({ weight, offsets }, t) => {
      offsets.forEach((offset, i) => addRow(row, from, first + offset, length, i === 0));
      if (t === 0) for (let i = 0; i < length; i++) to[first + i] = weight * (row[i] as number);
      else addProduct(to, first, row, weight, length);
    });
  });
}

function addRow(row: Values, from: Values, first: number, length: number, isFirst: boolean): void {
  if (isFirst) for (let i = 0; i < length; i++) row[i] = from[first + i] as number;
  else for (let i = 0; i < length; i++) row[i] = (row[i] as number) + (from[first + i] as number);
}

function addProduct(to: Values, first: number, row: Values, weight: number, length: number): void {
  for (let i = 0; i < length; i++) {
    row[i] = weight * (row[i] as number);
    to[first + i] = (to[first + i] as number) + (row[i] as number);
  }
}

/** Rows of a box of two or three dimensions: where each begins in the array, how long it is, and at which point. */
export function forEachRow(
  { low, high }: Box,
  sizes: readonly number[],
  work: (first: number, length: number, point: readonly number[]) => void,
): void {
  const last = sizes.length - 1;
  const length = (high[last] as number) - (low[last] as number);
  if (length <= 0) return;
  const point = [...low];
  const walk = (k: number): void => {
    if (k === last) return work(linear(point, sizes), length, point);
    for (let at = low[k] as number; at < (high[k] as number); at++) {
      point[k] = at;
      walk(k + 1);
    }
  };
  walk(0);
}
