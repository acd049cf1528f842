/** Transforms rows of `length` complex numbers in place, scaled so that their norm stays. */
export class RowFft {
  constructor(length: number);
  transform(values: Float64Array, rows: number): void;
}
