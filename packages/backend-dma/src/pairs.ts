import { runs, type Layout, type PackedRange, type Run } from "@stowage/ir";

/** Bytes that lie together on both sides. */
export interface Pair {
  readonly sourceBytes: number;
  readonly targetBytes: number;
  readonly lengthBytes: number;
}

/** The byte runs of two layouts, cut where either breaks: what goes where, in packed order. */
export function* pairs(source: Layout, target: Layout, range: PackedRange): Generator<Pair> {
  const [from, to] = [new Cursor(source, range), new Cursor(target, range)];
  while (from.leftBytes > 0 && to.leftBytes > 0) {
    const lengthBytes = Math.min(from.leftBytes, to.leftBytes);
    yield { sourceBytes: from.offsetBytes, targetBytes: to.offsetBytes, lengthBytes };
    from.advance(lengthBytes);
    to.advance(lengthBytes);
  }
}

class Cursor {
  readonly #runs: Iterator<Run, unknown>;
  offsetBytes = 0;
  leftBytes = 0;

  constructor(layout: Layout, range: PackedRange) {
    this.#runs = runs(layout, range)[Symbol.iterator]();
    this.#next();
  }

  advance(bytes: number): void {
    this.offsetBytes += bytes;
    this.leftBytes -= bytes;
    if (this.leftBytes === 0) this.#next();
  }

  #next(): void {
    const next = this.#runs.next();
    if (next.done === true) return;
    this.offsetBytes = next.value.offsetBytes;
    this.leftBytes = next.value.lengthBytes;
  }
}
