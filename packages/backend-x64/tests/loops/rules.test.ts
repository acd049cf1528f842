import { listing } from "@stowage/asm-x64";
import { packMove, unpackMove } from "@stowage/backend-api";
import { dense, layout, stream, type LayoutNode, type Stream } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import type { FeatureLevel } from "../../src/feature-level.js";
import { Constants } from "../../src/loops/facts/constants.js";
import { explainLoops } from "../../src/loops/explain-loops.js";
import { NearRounds } from "../../src/loops/facts/near-rounds.js";
import { ReadableGaps } from "../../src/loops/facts/readable-gaps.js";
import type { LoopContext } from "../../src/loops/loop-context.js";
import { planLoops } from "../../src/loops/loop-plan.js";
import { planStream, STREAM_RULES } from "../../src/loops/rule-lists.js";
import { program } from "../../src/lower/program.js";
import { DEFAULT_TUNING, type Tuning } from "../../src/options.js";

const nearRounds = new NearRounds();
const WIDEST = { sse2: 16, avx2: 32, avx512: 64 } as const;

interface Case {
  readonly rule: string;
  readonly node: Stream;
  readonly direction: "pack" | "unpack";
  readonly level: FeatureLevel;
  readonly tuning?: Partial<Tuning>;
  readonly outOfCache?: LoopContext["outOfCache"];
  /** Children of each round. */
  readonly children: readonly number[];
  /** What the rule alone writes; null: nothing that others do not. */
  readonly instruction: string | null;
}

const pages = (bytes: number, apart: number, count = 64): Stream => stream(count, apart, dense(bytes));

/** One loop for each rule, to which it applies. */
const CASES: readonly Case[] = [
  {
    rule: "transposed columns",
    node: stream(64, 8, stream(64, 1000, dense(8))),
    direction: "pack",
    level: "avx2",
    children: [32, 8, 4, 2],
    instruction: "vpunpcklqdq",
  },
  {
    rule: "permuted blocks",
    node: pages(4, 8),
    direction: "pack",
    level: "avx512",
    children: [32],
    instruction: "vperm",
  },
  { rule: "near blocks", node: pages(3, 4), direction: "pack", level: "avx2", children: [32], instruction: "vpshufb" },
  {
    rule: "fenced stores",
    node: pages(8, 12_288),
    direction: "unpack",
    level: "avx2",
    tuning: { fencedConflicts: true },
    children: [8],
    instruction: "sfence",
  },
  {
    rule: "page by page",
    node: pages(40, 6560, 512),
    direction: "pack",
    level: "sse2",
    outOfCache: { what: "padded" },
    children: [1],
    instruction: "test rax, rax",
  },
  {
    rule: "NOP padding",
    node: pages(8, 4096),
    direction: "pack",
    level: "avx2",
    tuning: { paddedConflicts: true },
    children: [1],
    instruction: "test rax, rax",
  },
  { rule: "one by one", node: pages(8, 4096), direction: "pack", level: "avx2", children: [1], instruction: null },
  {
    rule: "merged stores",
    node: pages(8, 64),
    direction: "pack",
    level: "avx2",
    children: [8],
    instruction: "vinserti128",
  },
  {
    rule: "double words",
    node: pages(12, 256),
    direction: "pack",
    level: "avx2",
    children: [8],
    instruction: "vpmaskmovd",
  },
  { rule: "single blocks", node: pages(8, 64), direction: "unpack", level: "avx2", children: [8], instruction: null },
];

const contextOf = ({ direction, level, tuning, outOfCache }: Case): LoopContext => ({
  direction,
  isa: { level, widest: WIDEST[level] },
  tuning: { ...DEFAULT_TUNING, ...tuning },
  expectedCalls: 0,
  outOfCache,
  constants: new Constants(),
  nearRounds,
  readableGaps: new ReadableGaps(),
});

const layoutOf = (root: LayoutNode) => layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes + 1000 });

const listed = ({ direction, level, tuning }: Case, node: LayoutNode, withListing = true) =>
  program(
    (direction === "pack" ? packMove : unpackMove)(layoutOf(node)),
    level,
    { ...DEFAULT_TUNING, ...tuning, unrollMoves: 8 },
    {
      listing: withListing,
    },
  );

test("each rule has a case, in the order in which rules are asked", () => {
  expect(CASES.map(({ rule }) => rule)).toEqual(STREAM_RULES.map(({ name }) => name));
});

describe.each(CASES)("$rule", (each) => {
  test("fires, after each rule before it said why it does not", () => {
    const plan = planStream(contextOf(each), { node: each.node, most: each.node.count });
    expect(plan.rule).toBe(each.rule);
    expect(plan.rounds.map(({ children }) => children)).toEqual(each.children);
    expect(plan.passed).toHaveLength(STREAM_RULES.findIndex(({ name }) => name === each.rule));
  });

  test("is in the code, whose listing tells the bytes that run", () => {
    const { code, assembler } = listed(each, each.node);
    if (each.instruction !== null) {
      const timesIn = (text: string): number => text.split(each.instruction as string).length - 1;
      // Whole lines far apart have none of it but what copies have.
      expect(timesIn(listing(assembler))).toBeGreaterThan(timesIn(listing(listed(each, dense(64)).assembler)));
    }
    expect(Buffer.compare(code, listed(each, each.node, false).code)).toBe(0);
  });
});

test("sparse blocks in the LLC have a longer round first, where nothing is prefetched", () => {
  const sparse: Case = { ...(CASES.at(-1) as Case), node: pages(8, 640, 10_000) };
  const roundsOf = (tuning: Partial<Tuning>): readonly number[] =>
    planStream(contextOf({ ...sparse, tuning }), { node: sparse.node, most: 10_000 }).rounds.map(
      ({ children }) => children,
    );
  expect(roundsOf({})).toEqual([32, 8]);
  expect(roundsOf({ longRounds: false })).toEqual([8]);
});

test("where no register is left for permutations, the rules after them are asked", () => {
  const permuted = CASES[1] as Case;
  const context = contextOf(permuted);
  for (let mask = 1n; context.constants.takeMask(mask); mask += 1n);
  const plan = planStream(context, { node: permuted.node, most: Infinity });
  expect(plan.rule).toBe("single blocks");
  expect(plan.passed[1]).toBe("no register is left for its constants");
});

test("the plan of a layout is frozen, and tells its loops by mode", () => {
  const near = CASES[2] as Case;
  const plan = planLoops(layoutOf(stream(1000, 4096, near.node)), contextOf(near), Infinity);
  expect(Object.isFrozen(plan)).toBe(true);
  expect(plan.outOfCache).toEqual([]);
  const text = explainLoops(plan);
  expect(text).toContain("64 of a run of 3 bytes, 4 bytes apart: near blocks, rounds of 32");
  expect(text).toContain("no permuted blocks: no AVX-512");
});
