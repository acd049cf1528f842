import type { Binding, Move } from "@stowage/backend-api";
import { differenceOf, type Image } from "../memory/image.js";
import { packedFrom, unpackInto } from "../memory/move-bytes.js";
import type { Pattern } from "../memory/pattern.js";
import type { Range } from "../reference/byte-map.js";
import type { Side } from "./side.js";

/** One move with memory on both sides, and what that memory must hold by the reference. */
export class Transfer {
  readonly move: Move;
  readonly source: Side;
  readonly target: Side;
  #sourceImage: Image;
  #expected: Image;

  /** Fills both sides; what the target holds before the move is canary. */
  constructor(source: Side, target: Side, pattern: Pattern) {
    this.move = { source: source.subject.layout, target: target.subject.layout };
    this.source = source;
    this.target = target;
    target.arena.fill({ seed: ~pattern.seed, nans: false });
    this.#expected = target.arena.image();
    this.#sourceImage = this.#filled(pattern);
  }

  /** Other data in the source, the same memory. */
  refill(pattern: Pattern): void {
    this.#sourceImage = this.#filled(pattern);
  }

  /** As refill, by writes that nothing waits for. */
  enqueue(pattern: Pattern): void {
    this.#sourceImage = this.source.arena.enqueue(pattern);
  }

  /** Puts the packed bytes of a range into the source. */
  provide(range: Range, packed: Uint8Array): void {
    unpackInto(this.#sourceImage, this.source.subject.map, range, packed);
    this.source.arena.restore(this.#sourceImage);
  }

  /** Takes what the target holds now as what it must hold. */
  forgetTarget(): void {
    this.#expected = this.target.arena.image();
  }

  binding(range: Range): Binding {
    return { source: this.source.arena.span, target: this.target.arena.span, ...range };
  }

  /** Notes that a range of the packed stream should have moved, as the source is now. */
  expect(range: Range): void {
    unpackInto(this.#expected, this.target.subject.map, range, this.expectedPacked(range));
  }

  /** What the reference packs of a range of the source, as the source is now. */
  expectedPacked(range: Range): Uint8Array {
    return packedFrom(this.#sourceImage, this.source.subject.map, range);
  }

  /** What is wrong in memory: the first byte of either side that is not as it must be. */
  problem(): string | undefined {
    return this.problemAgainst(this.#expected);
  }

  /** The problem, if any, beside a given content of the target: for who knows better what the target must hold. */
  problemAgainst(expected: Image): string | undefined {
    const written = differenceOf(this.target.arena.image(), expected);
    if (written !== undefined) return `target, ${written}`;
    const changed = differenceOf(this.source.arena.image(), this.#sourceImage);
    return changed === undefined ? undefined : `source, which nothing may write to, ${changed}`;
  }

  #filled(pattern: Pattern): Image {
    this.source.arena.fill(pattern);
    return this.source.arena.image();
  }
}
