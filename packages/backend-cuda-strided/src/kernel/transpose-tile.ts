import { divideInParts, type Builder, type Parts, type Value } from "@stowage/ptx";
import { FIELD, repeatField, TRANSPOSE_FIELD } from "../record-fields.js";
import type { Shape } from "../shape.js";
import { tileEdge, tilePitchBytes, TRANSPOSE_THREADS } from "../transpose.js";
import { loadHints, storeHints } from "./hints.js";
import type { ReadField } from "./scattered-offset.js";
import { loadSharedWord, loadWord, storeSharedWord, storeWord } from "./word-access.js";

/** Words that a thread holds at once, all loaded before the first is stored. */
const MOST_HELD = 16;

/** One side of a tile as a block walks it: neighbouring threads at neighbouring words, a pass a few rows further. */
interface Side {
  /** The address of a pass's word; a word of the tile where the thread's own lies beyond. */
  addressIn(pass: number): Value;
  isInside(pass: number): Value;
  /** Where the first pass's word lies in shared memory, and how much further each next one. */
  readonly shared: Value;
  readonly sharedStepBytes: number;
}

/**
 * Moves a square tile of a transpose, of a copy as of one that packs: read as its source lies, staged in shared memory,
 * written as its target lies, so that both sides move whole sectors. Edges of an object that fill no tile load words
 * again and do not store them.
 */
export function transposeTile(builder: Builder, shape: Shape, read: ReadField, tile: Value): void {
  const { direction, wordBytes } = shape;
  const [scattered, packed] = sidesOf(builder, shape, read, tile);
  const [from, to] = direction === "unpack" ? [packed, scattered] : [scattered, packed];
  const passes = tileEdge(wordBytes) ** 2 / TRANSPOSE_THREADS;
  const groups = Array.from({ length: Math.ceil(passes / MOST_HELD) }, (_, group) =>
    Array.from({ length: Math.min(MOST_HELD, passes) }, (_unused, i) => group * MOST_HELD + i),
  );
  // Shared memory may still be read by threads that are behind, in the tile before.
  builder.barrier();
  for (const group of groups) {
    const words = group.map((pass) => loadWord(builder, from.addressIn(pass), wordBytes, loadHints(shape)));
    words.forEach((word, i) =>
      storeSharedWord(builder, from.shared, word, wordBytes, (group[i] ?? 0) * from.sharedStepBytes),
    );
  }
  builder.barrier();
  for (const group of groups) {
    const words = group.map((pass) => loadSharedWord(builder, to.shared, wordBytes, pass * to.sharedStepBytes));
    words.forEach((word, i) => {
      const pass = group[i] ?? 0;
      builder.if(to.isInside(pass), () => storeWord(builder, to.addressIn(pass), word, wordBytes, storeHints(shape)));
    });
  }
}

/** Where a tile lies: its first indices across and along, and the addresses of its plane. */
function placeOf({ dimensions, wordBytes }: Shape, read: ReadField, tile: Value) {
  const split = (n: Value, count: number): Parts =>
    divideInParts(n, read(count, 32), { multiplier: read(count + 1, 32), shift: read(count + 2, 32) });
  const edge = tileEdge(wordBytes);
  const inRow = split(tile, TRANSPOSE_FIELD.acrossTiles);
  let [scattered, packed] = [read(FIELD.scattered, 64), read(FIELD.packed, 64)];
  if (dimensions === 2) return { scattered, packed, across: inRow.rest.mul(edge), along: inRow.quotient.mul(edge) };
  const inPlane = split(inRow.quotient, TRANSPOSE_FIELD.alongTiles);
  let plane = inPlane.quotient;
  for (let repeat = 0; repeat < dimensions - 2; repeat++) {
    const parts = repeat === dimensions - 3 ? undefined : split(plane, repeatField(repeat, "count"));
    const index = parts?.rest ?? plane;
    scattered = index
      .to("s32")
      .mulAddWide(read(repeatField(repeat, "stride"), 32).to("s32"), scattered.to("s64"))
      .to("u64");
    packed = index.mul(read(repeatField(repeat, "packed"), 32)).mulAddWide(wordBytes, packed);
    plane = parts?.quotient ?? plane;
  }
  return { scattered, packed, across: inRow.rest.mul(edge), along: inPlane.rest.mul(edge) };
}

/** The scattered side, then the packed one; word (across, along) of a tile lies at pitch × across + W × along. */
function sidesOf(builder: Builder, shape: Shape, read: ReadField, tile: Value): readonly [Side, Side] {
  const { wordBytes } = shape;
  const edge = tileEdge(wordBytes);
  const pitchBytes = tilePitchBytes(wordBytes);
  const rows = TRANSPOSE_THREADS / edge;
  const thread = builder.special("tid.x");
  const [x, y] = [thread.and(edge - 1), thread.shr(Math.log2(edge))];
  const place = placeOf(shape, read, tile);
  const lastAcross = read(TRANSPOSE_FIELD.acrossCount, 32).sub(1);
  const lastAlong = read(TRANSPOSE_FIELD.alongCount, 32).sub(1);
  const along = { x: place.along.add(x), at: (pass: number) => place.along.add(y.add(pass * rows)) };
  const across = { x: place.across.add(x), at: (pass: number) => place.across.add(y.add(pass * rows)) };
  const [acrossStride, alongStride] = [TRANSPOSE_FIELD.acrossStride, TRANSPOSE_FIELD.alongStride].map((field) =>
    read(field, 32).to("s32"),
  );
  const scatteredRow = along.x
    .min(lastAlong)
    .to("s32")
    .mulAddWide(alongStride ?? 0, place.scattered.to("s64"));
  const packedRow = across.x.min(lastAcross).mulAddWide(wordBytes, place.packed);
  const alongPacked = read(TRANSPOSE_FIELD.alongPacked, 32);
  return [
    {
      addressIn: (pass) =>
        across
          .at(pass)
          .min(lastAcross)
          .to("s32")
          .mulAddWide(acrossStride ?? 0, scatteredRow)
          .to("u64"),
      isInside: (pass) => across.at(pass).le(lastAcross).and(along.x.le(lastAlong)),
      shared: y.mul(pitchBytes).add(x.mul(wordBytes)),
      sharedStepBytes: rows * pitchBytes,
    },
    {
      addressIn: (pass) => along.at(pass).min(lastAlong).mul(alongPacked).mulAddWide(wordBytes, packedRow),
      isInside: (pass) => along.at(pass).le(lastAlong).and(across.x.le(lastAcross)),
      shared: x.mul(pitchBytes).add(y.mul(wordBytes)),
      sharedStepBytes: rows * wordBytes,
    },
  ];
}
