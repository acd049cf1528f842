import * as fc from "fast-check";

/** Values of another arbitrary that shrink by what they are, and not by how they were drawn. */
class Shrinking<T> extends fc.Arbitrary<T> {
  readonly #drawn: fc.Arbitrary<T>;
  readonly #smaller: (value: T) => Iterable<T>;
  readonly #fits: (value: T) => boolean;

  constructor(drawn: fc.Arbitrary<T>, smaller: (value: T) => Iterable<T>, fits: (value: T) => boolean) {
    super();
    this.#drawn = drawn;
    this.#smaller = smaller;
    this.#fits = fits;
  }

  generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    return new fc.Value(this.#drawn.generate(random, biasFactor).value, undefined);
  }

  /** Also a value that was written down: it needs nothing but itself to shrink. */
  canShrinkWithoutContext(value: unknown): value is T {
    return value !== undefined;
  }

  shrink(value: T): fc.Stream<fc.Value<T>> {
    return fc.stream(this.#fitting(value)).map((smaller) => new fc.Value(smaller, undefined));
  }

  *#fitting(value: T): Generator<T, void, void> {
    for (const smaller of this.#smaller(value)) if (this.#fits(smaller)) yield smaller;
  }
}

/**
 * Draws as `drawn` does and shrinks by `smaller`, which gives values a step smaller than one, the smallest first;
 * values that do not fit are left out.
 */
export const shrinking = <T>(
  drawn: fc.Arbitrary<T>,
  smaller: (value: T) => Iterable<T>,
  fits: (value: T) => boolean,
): fc.Arbitrary<T> => new Shrinking(drawn, smaller, fits);
