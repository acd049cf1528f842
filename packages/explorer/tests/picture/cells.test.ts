import { canonicalise, hvector, lower, predefined, vector, type Datatype } from "@stowage/ir";
import { expect, test } from "vitest";
import { bytesOf, cellAt, cellsOf } from "../../src/picture/cells.js";
import { indexOf } from "../../src/picture/index-of.js";
import { fittingView, pitchesOf, shownBytes, within, zoomed } from "../../src/picture/view.js";

const ROOM = { columns: 96, rows: 48 };

function seen(datatype: Datatype, count = 1) {
  const layout = canonicalise(lower(datatype));
  const shown = shownBytes(layout, count);
  const pitches = pitchesOf(layout);
  const fit = fittingView(shown, pitches, ROOM);
  const cells = (view = fit) => cellsOf(indexOf(layout, count), layout.startBytes, view, shown, ROOM);
  return { layout, shown, pitches, fit, cells };
}

test("a row is one pitch of the datatype, and each cell knows the packed position of its byte", () => {
  const { fit, cells } = seen(vector(4, 1, 4, predefined("MPI_DOUBLE")));
  expect(fit).toEqual({ pitchBytes: 32, bytesPerCell: 1, firstRow: 0, firstByte: 0 });
  const { columns, rows, filled, packed } = cells();
  expect([columns, rows]).toEqual([32, 4]);
  expect([filled[32], packed[33], filled[40], packed[40]]).toEqual([1, 9, 0, -1]);
});

test("a type of 10^6 blocks fills the room, however many of them there are", () => {
  for (const count of [1, 2, 3]) {
    const { cells, fit } = seen(vector(1_000_000, 1, 2, predefined("MPI_INT")), count);
    const { columns, rows, filled } = cells();
    expect([columns, rows]).toEqual([ROOM.columns, ROOM.rows]);
    expect(filled.slice(0, -ROOM.columns).every((share) => share > 0)).toBe(true);
    expect(fit.bytesPerCell).toBeGreaterThan(1);
  }
  // Few rows that show every byte are the datatype's own.
  expect(seen(vector(2, 1, 4, predefined("MPI_DOUBLE"))).cells().rows).toBe(2);
});

test("the cells of a type of 2^40 bytes add up to it", () => {
  const { shown, fit, cells } = seen(hvector(2 ** 36, 16, 48, predefined("MPI_BYTE")));
  const { columns, filled } = cells();
  const bytes = filled.reduce((sum, share, cell) => {
    const { from, end } = bytesOf(fit, shown, Math.floor(cell / columns), cell % columns);
    return sum + share * Math.max(0, end - from);
  }, 0);
  expect(bytes / 2 ** 40).toBeCloseTo(1, 4);
});

test("zooming to one byte keeps the byte under the anchor, and rows become the datatype's own", () => {
  const plane = hvector(1000, 1, 80_000, vector(100, 2, 100, predefined("MPI_DOUBLE")));
  const { shown, pitches, fit, cells } = seen(plane);
  const anchor = { row: 20, column: 40 };
  let view = fit;
  const { from } = bytesOf(view, shown, anchor.row, anchor.column);
  while (view.bytesPerCell > 1) view = zoomed(view, Math.ceil(view.bytesPerCell / 2), anchor, shown, pitches, ROOM);
  expect(view.pitchBytes).toBe(800);
  const { columns, rows } = cells(view);
  expect(cellAt(view, shown, { columns, rows }, from)).toBeDefined();
});

test("a view is moved to where there is something", () => {
  const { shown, fit } = seen(vector(4, 1, 4, predefined("MPI_DOUBLE")));
  expect(within({ ...fit, firstRow: 900, firstByte: 7 }, shown, ROOM)).toEqual(fit);
});
