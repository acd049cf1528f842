import { blocks, dense, integerTable, layout, sequence, stream, uniformBlocks, type Layout } from "@stowage/ir";
import { arrays, byColumns, byRows, element, shuffled, structs, type Case } from "./copy-shapes.js";
import { PARTIAL_LINES, WHOLE_LINES } from "./line-cases.js";

const SHAPES = [
  [1, 5],
  [2, 3],
  [3, 2],
  [4, 4],
  [5, 7],
  [8, 8],
  [9, 33],
  [31, 16],
  [70, 65],
  [3, 200],
  [200, 3],
  [6, 129],
  [257, 130],
] as const;
const transposes = [1, 2, 4, 8, 16, 12, 24].flatMap((bytes) =>
  SHAPES.filter(([rows, columns]) => rows * columns * bytes < 2 ** 19).map(([rows, columns]): Case => [
    `transpose of ${rows} x ${columns} elements of ${bytes}`,
    element(byColumns(rows, columns, bytes, columns + 3)),
    element(byRows(columns, rows, bytes, rows + 1)),
  ]),
);

/** Pitches of 4096 bytes and of 16 more: lines of neighbouring rows conflict in few sets of L1d. */
const conflicting = [1, 2, 4, 8, 16].flatMap((bytes) =>
  [4096, 4112].map((pitch): Case => {
    const rows = pitch / bytes - 1;
    return [
      `transpose of ${rows} x 37 elements of ${bytes} at ${pitch}`,
      element(byColumns(rows, 37, bytes, pitch / bytes)),
      element(byRows(37, rows, bytes, pitch / bytes)),
    ];
  }),
);

/** Structs of `members` doubles, padded; and as many arrays, apart. */
const conversions = [2, 3, 4, 6].flatMap((members) =>
  [4, 8].flatMap((bytes): Case[] => [
    [
      `${members} of ${bytes}: structs to arrays`,
      element(structs(101, members, bytes)),
      element(arrays(101, members, bytes)),
    ],
    [
      `${members} of ${bytes}: arrays to structs`,
      element(arrays(101, members, bytes)),
      element(structs(101, members, bytes)),
    ],
    [
      `${members} of ${bytes}: an element each`,
      element(stream(1, 0, dense(members * bytes)), (members + 1) * bytes),
      element(stream(members, 32 * bytes, dense(bytes)), bytes),
    ],
    [
      `${members} of ${bytes}: an element each, back`,
      element(stream(members, 32 * bytes, dense(bytes)), bytes),
      element(stream(1, 0, dense(members * bytes)), (members + 1) * bytes),
    ],
  ]),
);

const tables = [4, 8, 24, 40, 600].flatMap((bytes): Case[] => [
  [
    `table to table of ${bytes}`,
    element(uniformBlocks(shuffled(97, 37, bytes + 3), dense(bytes))),
    element(uniformBlocks(shuffled(97, 12, bytes + 8), dense(bytes))),
  ],
  [
    `table to stride of ${bytes}`,
    element(uniformBlocks(shuffled(97, 37, bytes + 3), dense(bytes))),
    element(stream(97, 2 * bytes, dense(bytes))),
  ],
  [
    `stride of twice ${bytes} to table`,
    element(stream(48, 3 * bytes, dense(2 * bytes))),
    element(uniformBlocks(shuffled(96, 37, bytes + 3), dense(bytes))),
  ],
  [
    `table of streams, ${bytes}`,
    element(uniformBlocks(shuffled(30, 7, 9 * bytes * 3), stream(9, 2 * bytes, dense(bytes)))),
    element(uniformBlocks(shuffled(30, 11, 9 * bytes * 3), stream(9, 3 * bytes, dense(bytes)))),
  ],
]);

const lengths = integerTable(50, (i) => 8 * (1 + ((i * 7) % 5)));
const runs: Case[] = [
  [
    "runs of varying length to a stride",
    element(blocks(shuffled(50, 17, 48), lengths, 1, dense(1))),
    element(stream((50 * 24) / 8, 24, dense(8))),
  ],
  [
    "odd runs to odd runs",
    element(
      blocks(
        shuffled(50, 17, 48),
        integerTable(50, (i) => 1 + (i % 9)),
        1,
        dense(1),
      ),
    ),
    element(
      blocks(
        shuffled(50, 3, 48),
        integerTable(50, (i) => 1 + ((49 - i) % 9)),
        1,
        dense(1),
      ),
    ),
  ],
];

const many: Case[] = [
  [
    "long runs of any length to others",
    element(
      blocks(
        shuffled(900, 17, 208),
        integerTable(900, (i) => 1 + ((i * 31) % 200)),
        1,
        dense(1),
      ),
    ),
    element(
      blocks(
        shuffled(900, 7, 208),
        integerTable(900, (i) => 1 + (((899 - i) * 31) % 200)),
        1,
        dense(1),
      ),
    ),
  ],
  [
    "runs of any length to a stride",
    element(
      blocks(
        shuffled(90, 17, 208),
        integerTable(90, (i) => 1 + ((i * 31) % 90)),
        1,
        dense(1),
      ),
    ),
    element(stream(819, 7, dense(5))),
  ],
  [
    "a list of many",
    element(
      sequence(Array.from({ length: 100 }, (_, i) => ({ offsetBytes: i * i * 40, node: stream(3, 12, dense(7)) }))),
    ),
    element(stream(100, 50, dense(21))),
  ],
];

const factorings: Case[] = [
  [
    "3 x 5 to 5 x 3",
    element(stream(3, 100, stream(5, 16, dense(8)))),
    element(stream(5, 100, stream(3, 16, dense(8)))),
  ],
  ["rows of 12 to rows of 20", element(stream(35, 16, dense(12))), element(stream(21, 28, dense(20)))],
  ["rows of 12 to rows of 20, many", element(stream(350, 16, dense(12))), element(stream(210, 28, dense(20)))],
  ["rows of 24 to rows of 8", element(stream(40, 40, dense(24))), element(stream(120, 12, dense(8)))],
  [
    "boxes",
    element(stream(5, 4000, stream(6, 600, stream(7, 80, dense(24))))),
    element(stream(5, 3000, stream(6, 400, stream(7, 40, dense(24))))),
  ],
  [
    "a box transposed three ways",
    element(stream(9, 8, stream(10, 88, stream(11, 968, dense(8))))),
    element(stream(9, 880, stream(10, 88, dense(88)))),
  ],
  [
    "negative strides",
    element(stream(20, -40, stream(3, 8, dense(8)))),
    element(stream(20, 24, stream(3, -7, dense(8))), 800),
  ],
  [
    "transposed with negative strides",
    element(stream(20, -8, stream(30, 168, dense(8)))),
    element(stream(20, 256, stream(30, -8, dense(8)))),
  ],
  ["the same bytes again and again", element(stream(20, 0, dense(16))), element(stream(20, 24, dense(16)))],
  [
    "members",
    element(
      sequence([
        { offsetBytes: 900, node: dense(70) },
        { offsetBytes: 0, node: stream(60, 30, dense(12)) },
      ]),
    ),
    element(
      sequence([
        { offsetBytes: 9000, node: dense(50) },
        { offsetBytes: 0, node: stream(37, 30, dense(20)) },
      ]),
    ),
  ],
  ["pages", element(stream(7, 9000, dense(8200))), element(stream(7, 8201, dense(8200)))],
];

/**
 * Elements that continue those before them on one side alone, on both, and long ones; extents differ on the two sides.
 */
const extents = ([bytes, rows] = [8, 4]): readonly Case[] =>
  [
    [64, 200],
    [128, 96],
    [64, 96],
    [200, 128],
  ].map(([sourceBytes = 0, targetBytes = 0]): Case => {
    const [sourcePitch, targetPitch] = [2 * bytes, 3 * bytes];
    const typed = (pitch: number, extentBytes: number): Layout =>
      layout(0, stream(rows, pitch, dense(bytes)), {
        lowerBoundBytes: 0,
        extentBytes: (extentBytes * bytes * rows) / 32,
      });
    return [
      `${rows} x ${bytes} bytes, elements ${sourceBytes} and ${targetBytes} apart`,
      typed(sourcePitch, sourceBytes),
      typed(targetPitch, targetBytes),
    ];
  });

/** Transposes, structs and arrays, tables, runs, and shapes that factor well or badly. */
export const COPIES: readonly Case[] = [
  ...transposes,
  ...conflicting,
  ...WHOLE_LINES,
  ...PARTIAL_LINES,
  ...extents(),
  ...extents([64, 80]),
  ...conversions,
  ...tables,
  ...runs,
  ...many,
  ...factorings,
];
