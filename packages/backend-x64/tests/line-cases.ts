import { dense, sequence, stream, uniformBlocks, type Layout, type LayoutNode } from "@stowage/ir";
import { byColumns, byRows, element, shuffled, structs, type Case } from "./copy-shapes.js";

/** Targets whose cache lines are written fully, so that they may take non-temporal stores. */
const onLines = (root: LayoutNode): Layout => element(root, Math.ceil(root.highBytes / 64) * 64 + 64);
export const WHOLE_LINES: readonly Case[] = [
  ...[1, 2, 4, 8, 16].flatMap((bytes) =>
    [
      [1, 37],
      [3, 5],
      [5, 130],
    ].map(([lines = 0, columns = 0]): Case => {
      const rows = (lines * 64) / bytes;
      return [
        `${rows} x ${columns} elements of ${bytes} to whole lines`,
        onLines(byColumns(rows, columns, bytes, columns + 3)),
        onLines(byRows(columns, rows, bytes, rows + 64 / bytes)),
      ];
    }),
  ),
  [
    "whole lines of which the next element's are none",
    onLines(byColumns(64, 40, 8, 43)),
    element(byRows(40, 64, 8, 72)),
  ],
  ...[4, 8, 16].map((bytes): Case => {
    const rows = (5 * 32) / bytes;
    return [
      `${rows} x 37 elements of ${bytes} to half lines`,
      onLines(byColumns(rows, 37, bytes, 41)),
      element(byRows(37, rows, bytes, rows + 64 / bytes), 38 * 224),
    ];
  }),
  ["structs of 4 to arrays of whole lines", onLines(structs(96, 4, 8)), onLines(stream(4, 1024, dense(768)))],
  ["rows of 192 bytes to rows of 576", onLines(stream(60, 200, dense(192))), onLines(stream(20, 640, dense(576)))],
  ["rows of 5000 bytes", onLines(stream(9, 5200, dense(5000))), onLines(stream(9, 5100, dense(5000)))],
  [
    "a table to a table of whole lines",
    onLines(uniformBlocks(shuffled(97, 37, 130), dense(128))),
    onLines(uniformBlocks(shuffled(97, 12, 192), dense(128))),
  ],
  [
    "a list to whole lines",
    onLines(stream(30, 70, dense(64))),
    onLines(
      sequence([
        { offsetBytes: 1280, node: dense(640) },
        { offsetBytes: 0, node: stream(10, 128, dense(64)) },
        { offsetBytes: 6400, node: stream(5, 320, dense(128)) },
      ]),
    ),
  ],
];

/** Runs of two lines each, whose places in the target are no lines', in each way that a pair has for them. */
export const PARTIAL_LINES: readonly Case[] = [
  ["rows at a pitch of no lines", onLines(stream(100, 192, dense(128))), onLines(stream(100, 136, dense(128)))],
  [
    "a table of no lines",
    onLines(uniformBlocks(shuffled(97, 37, 192), dense(128))),
    onLines(uniformBlocks(shuffled(97, 12, 136), dense(128))),
  ],
  [
    "members of no lines",
    onLines(stream(4, 192, dense(128))),
    onLines(
      sequence([
        { offsetBytes: 1032, node: dense(256) },
        { offsetBytes: 0, node: dense(256) },
      ]),
    ),
  ],
  ["rows of no lines", onLines(stream(100, 192, dense(120))), onLines(stream(100, 128, dense(120)))],
  ["columns of no lines", onLines(byColumns(61, 40, 8, 43)), onLines(byRows(40, 61, 8, 68))],
];
