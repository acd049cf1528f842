// Copies between two layouts, each with the double loop that does the same in C.
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
} from "@stowage/ir";

const element = (root) => canonicalise(layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes }));
const byColumns = (rows, columns, bytes, pitch) => stream(columns, bytes, stream(rows, pitch * bytes, dense(bytes)));
const byRows = (rows, columns, bytes, pitch) => stream(rows, pitch * bytes, dense(columns * bytes));

/** Part of a matrix to part of another, rows and columns exchanged; `pad` elements more a row than the part has. */
function transpose(rows, columns, bytes, pad) {
  const [pitch, transposedPitch] = [columns + pad, rows + pad];
  return {
    source: element(byColumns(rows, columns, bytes, pitch)),
    target: element(byRows(columns, rows, bytes, transposedPitch)),
    c: { bytes, outer: columns, inner: rows, source: [1, pitch], target: [transposedPitch, 1] },
  };
}

/** `count` structs of `members` doubles, one more for padding, and as many arrays, apart. */
function structsToArrays(count, members, back) {
  const structs = element(stream(members, 8, stream(count, (members + 1) * 8, dense(8))));
  const arrays = element(stream(members, (count + 8) * 8, dense(count * 8)));
  const [inStructs, inArrays] = [
    [1, members + 1],
    [count + 8, 1],
  ];
  const [from, to] = back ? [inArrays, inStructs] : [inStructs, inArrays];
  return {
    source: back ? arrays : structs,
    target: back ? structs : arrays,
    c: { bytes: 8, outer: members, inner: count, source: from, target: to },
  };
}

/** Rows of `bytes` to rows that lie closer. */
function rows(bytes, total) {
  const count = Math.floor(total / bytes);
  const [apart, closer] = [bytes + 512, bytes + 128];
  return {
    source: element(stream(count, apart, dense(bytes))),
    target: element(stream(count, closer, dense(bytes))),
    c: { bytes: 8, outer: count, inner: bytes / 8, source: [apart / 8, 1], target: [closer / 8, 1] },
  };
}

/** A face of a three-dimensional box of doubles to the ghost cells of another box, `axis` being the one across. */
function ghost(edge, axis, width) {
  const sizes = [edge, edge, edge];
  const subsizes = sizes.map((size, i) => (i === axis ? width : size - 2 * width));
  const starts = (at) => sizes.map((_, i) => (i === axis ? at : width));
  const face = (at) =>
    canonicalise(lower(subarray({ sizes, subsizes, starts: starts(at), order: "C", child: predefined("MPI_DOUBLE") })));
  return { source: face(edge - 2 * width), target: face(0) };
}

/** A permutation of places, the same in every run. */
function permuted(count, seed, pitch) {
  const places = Array.from({ length: count }, (_, i) => i);
  let state = seed;
  for (let i = count - 1; i > 0; i--) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [places[i], places[j]] = [places[j], places[i]];
  }
  return integerTable(count, (i) => places[i] * pitch);
}

function indexed(count, elements) {
  const [bytes, pitch] = [8 * elements, 8 * (elements + 1)];
  const [from, to] = [permuted(count, 7919, pitch), permuted(count, 5, pitch)];
  return {
    source: element(uniformBlocks(from, dense(bytes))),
    target: element(uniformBlocks(to, dense(bytes))),
    c: {
      bytes: 8,
      outer: count,
      inner: elements,
      index: [from, to].map((table) => BigInt64Array.from(table, (value) => BigInt(value / 8))),
    },
  };
}

/** Runs of 8 to 40 bytes to runs of as many bytes in another order of lengths. */
function ragged(count) {
  const lengths = (shift) => integerTable(count, (i) => 1 + (((i + shift) * 13) % 40));
  return {
    source: element(blocks(permuted(count, 7919, 48), lengths(0), 1, dense(1))),
    target: element(blocks(permuted(count, 5, 48), lengths(3), 1, dense(1))),
  };
}

const SIZES = { "32 KiB": 2 ** 15, "1 MiB": 2 ** 20, "16 MiB": 2 ** 24 };
const KINDS = { doubles: 8, floats: 4, "complex doubles": 16, bytes: 1 };

export function relayoutCases() {
  const cases = [];
  const add = (name, size, made) => cases.push({ name, size, ...made });
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
