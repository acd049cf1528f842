import type { Builder, Value } from "@stowage/ptx";
import { FIELD, recordBytes } from "../record-fields.js";
import type { Shape } from "../shape.js";
import { loadHints, storeHints } from "./hints.js";
import { placesOf, type ReadField } from "./scattered-offset.js";
import { loadVectorWords, loadWord, storeVector, storeWord } from "./word-access.js";

/** Moves one tile of a move: threads × vectorsPerThread vectors of the packed side, or what is left of them. */
export function moveTile(builder: Builder, shape: Shape, read: ReadField, tile: Value): void {
  const { wordBytes, vectorBytes, vectorsPerThread, wide } = shape;
  const bits = wide ? 64 : 32;
  const type = wide ? "u64" : "u32";
  const wordsPerVector = vectorBytes / wordBytes;
  const threads = builder.special("ntid.x").to(type);
  const thread = builder.special("tid.x").to(type);
  const words = read(FIELD.words, bits);
  const mover = new Mover(builder, shape, read);
  const tileWords = threads.mul(vectorsPerThread * wordsPerVector);
  const start = tile.to(type).mul(tileWords);
  builder.if(
    start.add(tileWords).le(words),
    () => {
      const firsts = Array.from({ length: vectorsPerThread }, (_, i) =>
        start.add(thread.add(threads.mul(i)).mul(wordsPerVector)),
      );
      mover.moveVectors(firsts);
    },
    () => {
      const last = words.sub(1);
      const singles = Array.from({ length: vectorsPerThread * wordsPerVector }, (_, i) =>
        start.add(thread.add(threads.mul(i))),
      );
      mover.moveSingles(singles, last);
    },
  );
}

/** Moves words and vectors by their numbers in the range; every load comes before the first store. */
class Mover {
  readonly #builder: Builder;
  readonly #shape: Shape;
  readonly #packed: Value;
  readonly #scattered: Value;
  readonly #firstWord: Value;
  readonly #offsetOf: (word: Value) => Value;
  /** In a copy: gives the offset on the target's side of a word of the range. */
  readonly #targetOffsetOf: ((word: Value) => Value) | undefined;

  constructor(builder: Builder, shape: Shape, read: ReadField) {
    this.#builder = builder;
    this.#shape = shape;
    this.#packed = read(FIELD.packed, 64);
    this.#scattered = read(FIELD.scattered, 64);
    this.#firstWord = read(FIELD.firstWord, shape.wide ? 64 : 32);
    const places = placesOf(builder, shape, read);
    this.#offsetOf = (word) => places.offsetOf(word);
    this.#targetOffsetOf = shape.target === undefined ? undefined : targetOffsets(builder, shape, shape.target, read);
  }

  moveVectors(firsts: readonly Value[]): void {
    const builder = this.#builder;
    const { direction, wordBytes, vectorBytes } = this.#shape;
    const perVector = vectorBytes / wordBytes;
    const wordsOf = (first: Value) =>
      Array.from({ length: perVector }, (_, i) => this.#scatteredAt(i === 0 ? first : first.add(i)));
    const vectors = firsts.map((first) => ({ packed: this.#packedAt(first), places: wordsOf(first) }));
    if (direction !== "unpack") {
      const loaded = vectors.map(({ places }) =>
        places.map((at) => loadWord(builder, at, wordBytes, loadHints(this.#shape))),
      );
      vectors.forEach(({ packed }, i) =>
        storeVector(builder, packed, loaded[i] ?? [], wordBytes, vectorBytes, storeHints(this.#shape)),
      );
      return;
    }
    const loaded = vectors.map(({ packed }) =>
      loadVectorWords(builder, packed, wordBytes, vectorBytes, loadHints(this.#shape)),
    );
    vectors.forEach(({ places }, i) =>
      places.forEach((at, j) => storeWord(builder, at, loaded[i]?.[j] ?? [], wordBytes, storeHints(this.#shape))),
    );
  }

  /** Words past the last load the last word again, and are not stored. */
  moveSingles(words: readonly Value[], last: Value): void {
    const builder = this.#builder;
    const { direction, wordBytes } = this.#shape;
    const loaded = words.map((word) => {
      const within = word.min(last);
      const [packed, scattered] = [this.#packedAt(within), this.#scatteredAt(within)];
      const [from, to] = direction === "unpack" ? [packed, scattered] : [scattered, packed];
      return { word, to, value: loadWord(builder, from, wordBytes, loadHints(this.#shape)) };
    });
    for (const { word, to, value } of loaded) {
      builder.if(word.le(last), () => storeWord(builder, to, value, wordBytes, storeHints(this.#shape)));
    }
  }

  #packedAt(word: Value): Value {
    const { wide, wordBytes } = this.#shape;
    if (this.#targetOffsetOf !== undefined) return this.#packed.add(this.#targetOffsetOf(word).to("u64"));
    return wide ? word.mulAdd(wordBytes, this.#packed) : word.mulAddWide(wordBytes, this.#packed);
  }

  #scatteredAt(word: Value): Value {
    return this.#scattered.add(this.#offsetOf(word.add(this.#firstWord)).to("u64"));
  }
}

/** The target of a copy has a record of its own behind the source's. */
function targetOffsets(
  builder: Builder,
  shape: Shape,
  target: Pick<Shape, "dimensions" | "unitRows">,
  read: ReadField,
): (word: Value) => Value {
  const behind = recordBytes(shape.dimensions) / 8;
  const readBehind: ReadField = (field, bits) => read(behind + field, bits);
  const first = readBehind(FIELD.firstWord, shape.wide ? 64 : 32);
  const places = placesOf(builder, { ...shape, ...target }, readBehind);
  return (word) => places.offsetOf(word.add(first));
}
