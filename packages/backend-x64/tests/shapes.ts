import {
  blocks,
  dense,
  integerTable,
  layout,
  sequence,
  stream,
  uniformBlocks,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";
import { DEFAULT_TUNING, type Tuning } from "../src/options.js";

const element = (root: LayoutNode, extentBytes = root.highBytes): Layout =>
  layout(0, root, { lowerBoundBytes: 0, extentBytes });

const transposes = [4, 8, 16].flatMap((bytes) =>
  [3, 4, 5, 8, 17].flatMap((rows) =>
    [4, 7, 8, 19].map(
      (columns) =>
        [
          `transpose of ${rows} x ${columns} elements of ${bytes}`,
          element(stream(columns, bytes, stream(rows, bytes * columns + 64, dense(bytes)))),
        ] as const,
    ),
  ),
);
/**
 * As many columns as a block has, and more; those of 4096 bytes collide in the cache. Rows 64 and 80 bytes apart
 * overlap their neighbours.
 */
const blocksOfColumns = [1, 2, 4, 8, 16].flatMap((bytes) =>
  [
    [33, 300 / bytes, 384],
    [4096 / bytes, 11, 192],
    [70, 257 / bytes, -320],
    [40, 40 / bytes, 64],
    [35, 64 / bytes, 80],
    [37, 150 / bytes, 4096],
    [37, 150 / bytes, 4112],
  ].map(([rows = 0, count = 0, stride = 0]) => {
    const columns = Math.ceil(count);
    return [
      `${rows} x ${columns} elements of ${bytes} at ${stride}`,
      element(stream(columns, bytes, stream(rows, stride, dense(bytes))), 64),
    ] as const;
  }),
);
/** Fewer columns than a cache line has: rounds of each width that is left. */
const narrowColumns = [1, 2, 4, 8].flatMap((bytes) =>
  [2, 3, 5, 7, 13, 15].map(
    (columns) =>
      [
        `${columns} columns of ${bytes}`,
        element(stream(columns, bytes, stream(43, bytes * columns + 70, dense(bytes)))),
      ] as const,
  ),
);

const columns = [8, 16].map(
  (bytes) =>
    [
      `columns of ${bytes}, one an element`,
      layout(0, stream(9, 640, dense(bytes)), { lowerBoundBytes: 0, extentBytes: bytes }),
    ] as const,
);
const strided = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 20, 24, 31, 32, 33, 40, 47, 64, 72, 100, 128, 500, 513, 1000, 4097,
].flatMap((bytes) =>
  [bytes + 1, 2 * bytes, 3 * bytes + 2, -(2 * bytes)].map(
    (stride) =>
      [
        `blocks of ${bytes} at ${stride}`,
        element(stream(41, stride, dense(bytes)), 41 * Math.abs(stride) + 3),
      ] as const,
  ),
);
/** Columns with set conflicts in L1d, by each loop schedule, and blocks so far apart that rounds grow. */
const scheduled = [2048, 4096, 8192, -12_288, 192].flatMap((stride) =>
  [5, 70, 371].map(
    (count) => [`${count} blocks of 12 at ${stride}`, element(stream(count, stride, dense(12)), 16)] as const,
  ),
);
const tables = [1, 3, 4, 8, 12, 24, 40, 600].map(
  (bytes) =>
    [
      `table of blocks of ${bytes}`,
      element(
        uniformBlocks(
          integerTable(97, (i) => ((i * 37) % 97) * (bytes + 3)),
          dense(bytes),
        ),
      ),
    ] as const,
);
/** So many that hundreds of whole ones lie inside a range. */
const runs = (
  [
    [8, 128],
    [1, 128],
    [2, 60],
    [3, 999],
  ] as const
).map(([unit, longest]) => {
  const lengths = Int32Array.from({ length: 900 }, (_, i) => 1 + Math.floor(((i * 7919) % longest) / unit));
  const places = Int32Array.from(lengths, (_, i) => ((i * 37) % 900) * (longest + 8));
  return [
    `runs of varying length, up to ${longest} bytes, of units of ${unit}`,
    element(blocks(places, lengths, unit, dense(unit))),
  ] as const;
});
/** Empty ones among them, which no class of lengths holds. */
const emptyRuns = [1, 8].map((unit) => {
  const lengths = Int32Array.from({ length: 90 }, (_, i) => (i * 7) % 5);
  const places = Int32Array.from(lengths, (_, i) => ((i * 37) % 90) * (5 * unit + 3));
  return [
    `runs of varying length, some empty, of units of ${unit}`,
    element(blocks(places, lengths, unit, dense(unit))),
  ] as const;
});
/** Gaps of a line, less a byte and more. */
const gaps = [3, 12, 20, 36].flatMap((bytes) =>
  [63, 64, 65].map(
    (gap) => [`blocks of ${bytes}, ${gap} bytes between them`, element(stream(41, bytes + gap, dense(bytes)))] as const,
  ),
);
/** By non-temporal stores: runs of full lines, and the lines inside runs that begin and end anywhere. */
const nonTemporal = [
  ["boxes of whole lines", element(stream(3, 4096, stream(4, 512, dense(192))))],
  [
    "table of whole lines",
    element(
      uniformBlocks(
        integerTable(19, (i) => ((i * 7) % 19) * 256),
        dense(128),
      ),
    ),
  ],
  [
    "members of whole lines",
    element(
      sequence([
        { offsetBytes: 4096, node: dense(704) },
        { offsetBytes: 0, node: stream(9, 128, dense(64)) },
      ]),
    ),
  ],
  [
    "table of long runs",
    element(
      uniformBlocks(
        integerTable(7, (i) => ((i * 3) % 7) * 2111),
        dense(2003),
      ),
    ),
  ],
  [
    "long runs of varying length",
    element(blocks(Int32Array.of(9000, 0, 5000, 16_500), Int32Array.of(1601, 4500, 2999, 77), 1, dense(1))),
  ],
  [
    "members that are long runs",
    element(
      sequence([
        { offsetBytes: 7001, node: dense(1777) },
        { offsetBytes: 0, node: stream(3, 2100, dense(1536)) },
        { offsetBytes: 6900, node: dense(3) },
      ]),
    ),
  ],
] as const;
const nested = [
  ["blocks in pages", element(stream(5, 6560, dense(40)))],
  ["blocks in pages, downward", element(stream(3, 20_000, stream(5, -4112, dense(12))))],
  ["boxes", element(stream(5, 4000, stream(6, 600, stream(7, 80, dense(24)))))],
  [
    "table of streams",
    element(
      uniformBlocks(
        integerTable(30, (i) => ((i * 7) % 30) * 500),
        stream(9, 40, dense(12)),
      ),
    ),
  ],
  [
    "stream of tables",
    element(
      stream(
        3,
        4000,
        uniformBlocks(
          integerTable(70, (i) => ((i * 11) % 70) * 30),
          dense(20),
        ),
      ),
    ),
  ],
  [
    "members",
    element(
      sequence([
        { offsetBytes: 9000, node: dense(700) },
        { offsetBytes: 0, node: stream(60, 30, dense(12)) },
        { offsetBytes: 4000, node: stream(5, 500, stream(9, 32, dense(20))) },
      ]),
    ),
  ],
] as const;

/** Starts and lengths of ranges that cut such a layout everywhere. */
export const ranges = (total: number, size: number): readonly (readonly [number, number])[] => [
  [0, total],
  [1, total - 1],
  [0, total - 1],
  // Whole lines from an aligned target, wherever the next child begins.
  [64, total - 64],
  [Math.floor(total / 3), Math.floor(total / 3)],
  [size - 1, 2],
  [Math.floor(size / 2), size],
];

/** Named layouts, each of which takes another way through the lowering. */
export const SHAPES: readonly (readonly [name: string, layout: Layout])[] = [
  ...transposes,
  ...blocksOfColumns,
  ...narrowColumns,
  ...columns,
  ...strided,
  ...scheduled,
  ...tables,
  ...runs,
  ...emptyRuns,
  ...gaps,
  ...nonTemporal,
  ...nested,
];

/** What large layouts do, at any size. */
export const OUT_OF_CACHE: Tuning = {
  ...DEFAULT_TUNING,
  nonTemporalBytes: 0,
  prefetchReachBytes: 0,
  sortReachBytes: 0,
  branchHistoryRuns: 0,
  paddedConflicts: true,
  fencedConflicts: true,
  paddedStores: true,
  paddedBlocks: true,
  paddedPages: true,
};
