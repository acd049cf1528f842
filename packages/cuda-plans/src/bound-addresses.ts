import type { Binding } from "@stowage/backend-api";
import { originAddress } from "./origin-address.js";

/** Kernels choose their words by addresses modulo this. */
const WIDEST_WORD_BYTES = 16;

/** The addresses of a plan's moves, as numbers side by side. */
export class BoundAddresses {
  /** Of each move, its source's and its target's. */
  readonly #addresses: Float64Array;

  constructor(bindings: readonly Binding[]) {
    this.#addresses = Float64Array.from(
      bindings.flatMap(({ source, target }) => [originAddress(source), originAddress(target)]),
    );
  }

  source(i: number): number {
    return this.#addresses[2 * i] as number;
  }

  target(i: number): number {
    return this.#addresses[2 * i + 1] as number;
  }

  /** Takes those of a binding; whether they equal the former ones modulo `congruentBytes`. */
  set(i: number, { source, target }: Binding, congruentBytes: number): boolean {
    const [from, to] = [originAddress(source), originAddress(target)];
    const isCongruent = (from - this.source(i)) % congruentBytes === 0 && (to - this.target(i)) % congruentBytes === 0;
    this.#addresses[2 * i] = from;
    this.#addresses[2 * i + 1] = to;
    return isCongruent;
  }

  /** Names what work depends on besides the addresses; undefined where an address space takes part. */
  keyOf(bindings: readonly Binding[]): string | undefined {
    if (this.#addresses.some(Number.isNaN)) return undefined;
    const places = this.#addresses.map((address) => address % WIDEST_WORD_BYTES);
    return [...places, ...bindings.flatMap(({ count, first, length }) => [count, first, length])].join();
  }
}
