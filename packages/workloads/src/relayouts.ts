import {
  blocks,
  canonicalise,
  dense,
  integerTable,
  layout,
  lower,
  predefined,
  stream,
  subarray,
  uniformBlocks,
  type IntegerTable,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";

/** The double loop in C that does the same; strides and tables count elements of `bytes`. */
export interface DoubleLoop {
  /** Bytes of one element. */
  readonly bytes: number;
  /** How often the outer loop runs. */
  readonly outer: number;
  /** How often the inner loop runs, for each step of the outer one. */
  readonly inner: number;
  /** The strides of the outer and the inner loop on the source's side; absent where `index` has the places. */
  readonly source?: readonly [number, number];
  /** The strides of the outer and the inner loop on the target's side; absent where `index` has the places. */
  readonly target?: readonly [number, number];
  /** Where each outer step begins, in the source and in the target; `outer` entries each. Inner steps follow it. */
  readonly index?: readonly [BigInt64Array<ArrayBuffer>, BigInt64Array<ArrayBuffer>];
}

/** A copy of one element from layout to layout: transposes, structs and arrays, rows, lists, ghost cells. */
export interface Relayout {
  /** What moves, in words. */
  readonly name: string;
  /** About how many bytes move, as a person says it, such as "1 MiB". */
  readonly size: string;
  readonly source: Layout;
  readonly target: Layout;
  readonly loop?: DoubleLoop;
}

type Sides = Omit<Relayout, "name" | "size">;

const element = (root: LayoutNode): Layout =>
  canonicalise(layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes }));
const byColumns = (rows: number, columns: number, bytes: number, pitch: number): LayoutNode =>
  stream(columns, bytes, stream(rows, pitch * bytes, dense(bytes)));
const byRows = (rows: number, columns: number, bytes: number, pitch: number): LayoutNode =>
  stream(rows, pitch * bytes, dense(columns * bytes));

/** Part of a matrix to part of another, rows and columns exchanged; `pad` elements more a row than the part has. */
function transpose(rows: number, columns: number, bytes: number, pad: number): Sides {
  const [pitch, transposedPitch] = [columns + pad, rows + pad];
  return {
    source: element(byColumns(rows, columns, bytes, pitch)),
    target: element(byRows(columns, rows, bytes, transposedPitch)),
    loop: { bytes, outer: columns, inner: rows, source: [1, pitch], target: [transposedPitch, 1] },
  };
}

/** `count` structs of `members` doubles, one more for padding, and as many arrays, apart. */
function structsToArrays(count: number, members: number, back: boolean): Sides {
  const structs = element(stream(members, 8, stream(count, (members + 1) * 8, dense(8))));
  const arrays = element(stream(members, (count + 8) * 8, dense(count * 8)));
  const inStructs = [1, members + 1] as const;
  const inArrays = [count + 8, 1] as const;
  const [from, to] = back ? [inArrays, inStructs] : [inStructs, inArrays];
  return {
    source: back ? arrays : structs,
    target: back ? structs : arrays,
    loop: { bytes: 8, outer: members, inner: count, source: from, target: to },
  };
}

/** Rows of `bytes` to rows that lie closer. */
function rows(bytes: number, total: number): Sides {
  const count = Math.floor(total / bytes);
  const [apart, closer] = [bytes + 512, bytes + 128];
  return {
    source: element(stream(count, apart, dense(bytes))),
    target: element(stream(count, closer, dense(bytes))),
    loop: { bytes: 8, outer: count, inner: bytes / 8, source: [apart / 8, 1], target: [closer / 8, 1] },
  };
}

/** A face of a three-dimensional box of doubles to the ghost cells of another box, `axis` being the one across. */
function ghost(edge: number, axis: number, width: number): Sides {
  const sizes = [edge, edge, edge];
  const subsizes = sizes.map((size, i) => (i === axis ? width : size - 2 * width));
  const starts = (at: number): readonly number[] => sizes.map((_, i) => (i === axis ? at : width));
  const face = (at: number): Layout =>
    canonicalise(lower(subarray({ sizes, subsizes, starts: starts(at), order: "C", child: predefined("MPI_DOUBLE") })));
  return { source: face(edge - 2 * width), target: face(0) };
}

/** A permutation of places, the same in every run. */
function permuted(count: number, seed: number, pitch: number): IntegerTable {
  const places = Array.from({ length: count }, (_, i) => i);
  let state = seed;
  for (let i = count - 1; i > 0; i--) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [places[i], places[j]] = [places[j] as number, places[i] as number];
  }
  return integerTable(count, (i) => (places[i] as number) * pitch);
}

const wordsOf = (table: IntegerTable): BigInt64Array<ArrayBuffer> =>
  BigInt64Array.from(table, (value) => BigInt(value / 8));

function indexed(count: number, elements: number): Sides {
  const [bytes, pitch] = [8 * elements, 8 * (elements + 1)];
  const [from, to] = [permuted(count, 7919, pitch), permuted(count, 5, pitch)];
  return {
    source: element(uniformBlocks(from, dense(bytes))),
    target: element(uniformBlocks(to, dense(bytes))),
    loop: {
      bytes: 8,
      outer: count,
      inner: elements,
      index: [wordsOf(from), wordsOf(to)],
    },
  };
}

/** Runs of 8 to 40 bytes to runs of as many bytes in another order of lengths. */
function ragged(count: number): Sides {
  const lengths = (shift: number): IntegerTable => integerTable(count, (i) => 1 + (((i + shift) * 13) % 40));
  return {
    source: element(blocks(permuted(count, 7919, 48), lengths(0), 1, dense(1))),
    target: element(blocks(permuted(count, 5, 48), lengths(3), 1, dense(1))),
  };
}

const SIZES = { "32 KiB": 2 ** 15, "1 MiB": 2 ** 20, "16 MiB": 2 ** 24 };
const KINDS = { doubles: 8, floats: 4, "complex doubles": 16, bytes: 1 };

/** The copies from layout to layout that benchmarks move, the same in every process. */
export function relayouts(): readonly Relayout[] {
  const cases: Relayout[] = [];
  const add = (name: string, size: string, sides: Sides): void => void cases.push({ name, size, ...sides });
  for (const [size, bytes] of Object.entries(SIZES)) {
    for (const [kind, width] of Object.entries(KINDS)) {
      const edge = 2 ** Math.floor(Math.log2(Math.sqrt(bytes / width)));
      const other = bytes / width / edge;
      add(`transpose of ${kind}, ${edge} x ${other}, padded`, size, transpose(edge, other, width, 8));
      add(
        `transpose of ${kind}, ${edge} x ${other}, pitch a power of two`,
        size,
        transpose(edge / 2, other, width, other),
      );
      const [rows, columns] = [edge - 3, Math.round(bytes / width / (edge - 3))];
      add(`transpose of ${kind}, ragged ${rows} x ${columns}`, size, transpose(rows, columns, width, 5));
    }
    for (const members of [3, 4, 6]) {
      const count = Math.floor(bytes / members / 8);
      add(`structs of ${members} doubles to arrays`, size, structsToArrays(count, members, false));
      add(`arrays to structs of ${members} doubles`, size, structsToArrays(count, members, true));
    }
    for (const length of [64, 1024, 5000]) add(`rows of ${length} bytes`, size, rows(length, bytes));
    add("indexed to indexed, 3 doubles", size, indexed(Math.floor(bytes / 24), 3));
    add("indexed to indexed, 1 double", size, indexed(bytes / 8, 1));
    add("runs of 1 to 40 bytes to others", size, ragged(Math.floor(bytes / 20.5 / 40) * 40));
  }
  for (const edge of [34, 130])
    for (const axis of [0, 1, 2])
      add(`ghost cells of ${edge}^3 doubles across axis ${axis}`, `${edge}^3`, ghost(edge, axis, 1));
  return cases;
}
