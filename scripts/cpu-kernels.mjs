// Writes the inner loops of backend-cpu: one function for each walk over blocks, width of word and block length, in
// full. V8 compiles a loop for the types it has seen, and one that has seen arrays of two types runs at a third of its
// speed, so that no function may serve two widths; here each walk and each body is written once.
// With --update the files are written; without, a difference fails.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "packages/backend-cpu/src/kernels");
const update = process.argv.includes("--update");

/**
 * BigInt64Array keeps every bit: an engine may change a NaN on its way through a Float64Array. Optimised loops hold no
 * BigInt.
 */
const WIDTHS = [
  { bytes: 4, array: "Int32Array", value: "number" },
  { bytes: 8, array: "BigInt64Array", value: "bigint" },
];

const indent = (lines, by = 2) => lines.map((line) => " ".repeat(by) + line);
const times = (n, line) => Array.from({ length: n }, (_, i) => line(i));
const plus = (name, n) => (n === 0 ? name : `${name} + ${n}`);

/** Parameters of one side: strided, by a table of displacements, or one run. */
const SIDE = {
  strided: (side, array) => [`${side}: ${array}`, `${side}At: number`, `${side}Stride: number`],
  table: (side, array) => [
    `${side}: ${array}`,
    `${side}At: number`,
    "table: Int32Array",
    "scale: number",
    "first: number",
  ],
  runs: (side, array) => [`${side}: ${array}`, `${side}At: number`, "table: Int32Array", "lengths: Int32Array", "scale: number", "first: number"], // oxfmt-ignore
  run: (side, array) => [`${side}: ${array}`, `${side}At: number`],
};

/** Walks over the blocks of two sides. `source` and `target` say how each side goes from block to block. */
const WALKS = {
  strided: { source: "strided", target: "strided" },
  gather: { source: "table", target: "strided" },
  scatter: { source: "strided", target: "table" },
};
const RUN_WALKS = {
  gatherRuns: { source: "runs", target: "run", about: "Blocks of differing lengths into one run" },
  scatterRuns: { source: "run", target: "runs", about: "One run into blocks of differing lengths" },
};

const place = (side, block) => `${side}At + (table[${block}] as number) * scale`;

/** Several words of a block, in one body. */
const words = (value, n) => times(n, (i) => `target[${plus("to", i)}] = source[${plus("from", i)}] as ${value};`);

/** A block of any number of words, eight at a time. */
const anyWords = (value) => {
  const word = (i) => `target[${plus("to + i", i)}] = source[${plus("from + i", i)}] as ${value};`;
  return [
    "let i = 0;",
    "for (; i < words - 7; i += 8) {",
    ...indent(times(8, word)),
    "}",
    "if (i < words - 3) {",
    ...indent(times(4, word)),
    "  i += 4;",
    "}",
    `for (; i < words; i++) ${word(0)}`,
  ];
};

/** A block of any length at any address, 4 bytes at a time. */
const anyBytes = [
  "let i = 0;",
  "for (; i < lengthBytes - 7; i += 8) {",
  "  target.setInt32(to + i, source.getInt32(from + i, true), true);",
  "  target.setInt32(to + i + 4, source.getInt32(from + i + 4, true), true);",
  "}",
  "if (i < lengthBytes - 3) {",
  "  target.setInt32(to + i, source.getInt32(from + i, true), true);",
  "  i += 4;",
  "}",
  "for (; i < lengthBytes; i++) target.setUint8(to + i, source.getUint8(from + i));",
];

function declaration(name, walk, array, last) {
  const parameters = [...SIDE[walk.source]("source", array), ...SIDE[walk.target]("target", array), ...last];
  return [`export function ${name}(`, ...indent(parameters.map((parameter) => `${parameter},`)), "): void {"];
}

/** One block: where its table says it lies, its bytes, then one stride further on the other side. */
function step(walk, body, block) {
  const before = [
    ...(walk.source === "table" ? [`from = ${place("source", block)};`] : []),
    ...(walk.target === "table" ? [`to = ${place("target", block)};`] : []),
  ];
  const after = [
    ...(walk.source === "strided" ? ["from += sourceStride;"] : []),
    ...(walk.target === "strided" ? ["to += targetStride;"] : []),
  ];
  return [...before, ...body, ...after];
}

/** A loop over blocks, `unroll` of them a round: engines load an array's length and address anew each round. */
function blockFunction(name, walk, { array, last, body, unroll }) {
  const byTable = walk.source === "table" || walk.target === "table";
  const end = byTable ? "end" : "count";
  const unrolled = [
    `for (; block < ${end} - ${unroll - 1}; block += ${unroll}) {`,
    ...indent(times(unroll, (i) => step(walk, body, plus("block", i))).flat()),
    "}",
  ];
  return [
    ...declaration(name, walk, array, last),
    ...indent([
      "let from = sourceAt;",
      "let to = targetAt;",
      ...(byTable ? ["let block = first;", "const end = first + count;"] : ["let block = 0;"]),
      ...(unroll > 1 ? unrolled : []),
      `for (; block < ${end}; block++) {`,
      ...indent(step(walk, body, "block")),
      "}",
    ]),
    "}",
  ];
}

/** A loop over blocks of differing lengths on one side, and one run on the other. */
function runFunction(name, walk, { array, body, length }) {
  const [listed, at, running] = walk.source === "runs" ? ["source", "from", "to"] : ["target", "to", "from"];
  const start = running === "to" ? "targetAt" : "sourceAt";
  return [
    ...declaration(name, walk, array, ["count: number"]),
    ...indent([
      `let ${running} = ${start};`,
      "const end = first + count;",
      "for (let block = first; block < end; block++) {",
      ...indent([
        `const ${at} = ${place(listed, "block")};`,
        `const ${length} = (lengths[block] as number) * scale;`,
        ...body,
        `${running} += ${length};`,
      ]),
      "}",
    ]),
    "}",
  ];
}

const NUMBERS = [
  { words: 1, name: "One", unroll: 8 },
  { words: 2, name: "Two", unroll: 4 },
  { words: 3, name: "Three", unroll: 2 },
];

const walkFile = (name, { bytes, array, value }) => [
  ...NUMBERS.map((number) => {
    const body = words(value, number.words);
    const last = ["count: number"];
    return blockFunction(`${name}${number.name}${bytes}`, WALKS[name], { array, last, body, unroll: number.unroll });
  }),
  blockFunction(`${name}Many${bytes}`, WALKS[name], {
    array,
    last: ["count: number", "words: number"],
    body: anyWords(value),
    unroll: 1,
  }),
];

const runFile = ({ bytes, array, value }) =>
  Object.entries(RUN_WALKS).map(([name, walk]) => [
    `/** ${walk.about}, by words of ${bytes} bytes. */`,
    ...runFunction(`${name}${bytes}`, walk, { array, body: anyWords(value), length: "words" }),
  ]);

const byteFile = () => [
  ...Object.entries(WALKS).map(([name, walk]) =>
    blockFunction(`${name}Bytes`, walk, {
      array: "DataView",
      last: ["count: number", "lengthBytes: number"],
      body: anyBytes,
      unroll: 1,
    }),
  ),
  ...Object.entries(RUN_WALKS).map(([name, walk]) => [
    `/** ${walk.about}. */`,
    ...runFunction(`${name}Bytes`, walk, { array: "DataView", body: anyBytes, length: "lengthBytes" }),
  ]),
];

/** Picks the function for the cursors' shape and the words of a block. */
function dispatcher({ bytes }) {
  const names = (walk) => [...NUMBERS.map(({ name }) => name), "Many"].map((name) => `${walk}${name}${bytes}`);
  const imports = Object.keys(WALKS)
    .sort()
    .map((walk) => `import { ${names(walk).sort().join(", ")} } from "./${walk}-words${bytes}.js";`);
  const side = (cursor, at, stride) => [
    `const ${cursor === "source" ? "from" : "to"} = ${cursor}.region.words${bytes};`,
    `const ${at} = inWords(${cursor}.at, ${bytes});`,
    ...(stride === undefined ? [] : [`const ${stride} = inWords(${cursor}.strideBytes, ${bytes});`]),
  ];
  const listed = (cursor) => [
    "const { displacements } = table;",
    `const scale = scaleOf(table, ${bytes});`,
    `const first = ${cursor}.block;`,
  ];
  const calls = (walk, args) => [
    ...NUMBERS.map(({ words: n, name }) => `if (words === ${n}) return ${walk}${name}${bytes}(${args});`),
    `${walk}Many${bytes}(${args}, words);`,
  ];
  return [
    [
      'import { inWords, scaleOf, type Cursor } from "../machine/cursor.js";',
      'import type { WordTable } from "../machine/word-table.js";',
      ...imports,
    ],
    [
      `/** Picks the loop over ${bytes}-byte words for the cursors' shape and the words of a block. */`,
      `export function moveWords${bytes}(source: Cursor, target: Cursor, count: number, words: number): void {`,
      ...indent([
        "if (source.table !== undefined) return gather(source, source.table, target, count, words);",
        "if (target.table !== undefined) return scatter(source, target, target.table, count, words);",
        ...side("source", "at", "stride"),
        ...side("target", "toAt", "toStride"),
        ...calls("strided", "from, at, stride, to, toAt, toStride, count"),
      ]),
      "}",
    ],
    [
      "function gather(source: Cursor, table: WordTable, target: Cursor, count: number, words: number): void {",
      ...indent([
        ...side("source", "at"),
        ...listed("source"),
        ...side("target", "toAt", "toStride"),
        ...calls("gather", "from, at, displacements, scale, first, to, toAt, toStride, count"),
      ]),
      "}",
    ],
    [
      "function scatter(source: Cursor, target: Cursor, table: WordTable, count: number, words: number): void {",
      ...indent([
        ...side("source", "at", "stride"),
        ...side("target", "toAt"),
        ...listed("target"),
        ...calls("scatter", "from, at, stride, to, toAt, displacements, scale, first, count"),
      ]),
      "}",
    ],
  ];
}

const ABOUT = {
  strided: "Blocks a stride apart on both sides",
  gather: "Irregular blocks into strided ones",
  scatter: "Strided blocks into irregular ones",
};

const files = new Map([
  ...WIDTHS.flatMap((width) => [
    ...Object.keys(WALKS).map((name) => [
      `${name}-words${width.bytes}.ts`,
      [
        [`/* ${ABOUT[name]}, by words of ${width.bytes} bytes: of one, two, three and any number of words. */`],
        ...walkFile(name, width),
      ],
    ]),
    [`runs-words${width.bytes}.ts`, runFile(width)],
    [`move-words${width.bytes}.ts`, dispatcher(width)],
  ]),
  [
    "bytes.ts",
    [
      [
        "/*",
        " * Blocks of any length at any address, for sides that share no alignment: 4 bytes at a time through a DataView, then",
        " * what is left. Of its 8-byte accessors one is inexact for NaNs, and the other slow.",
        " */",
      ],
      ...byteFile(),
    ],
  ],
]);

let differing = 0;
for (const [name, parts] of files) {
  const text = `// Written by scripts/cpu-kernels.mjs.\n${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
  const path = join(folder, name);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (update) writeFileSync(path, text);
  else console.error(`${path}: expected what \`node scripts/cpu-kernels.mjs --update\` writes, got another text`);
  differing++;
}
if (differing > 0 && !update) process.exit(1);
