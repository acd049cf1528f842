import { listing } from "@stowage/asm-x64";
import { packMove, unpackMove } from "@stowage/backend-api";
import { blocks, dense, layout, sequence, stream, uniformBlocks, type Blocks, type LayoutNode } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import type { FeatureLevel } from "../../src/feature-level.js";
import { explainLoops } from "../../src/loops/explain-loops.js";
import type { ModePlan } from "../../src/loops/loop-plan.js";
import { LENGTH_RULES, NODE_RULES, OUT_OF_CACHE_RULES, RUNS_RULES, WALK_RULES } from "../../src/loops/rule-lists.js";
import { program, type LoopProgram } from "../../src/lower/program.js";
import { DEFAULT_TUNING, type Tuning } from "../../src/options.js";

interface Case {
  readonly rule: string;
  /** What is inside one large element. */
  readonly node: LayoutNode;
  readonly direction?: "pack" | "unpack";
  readonly level?: FeatureLevel;
  readonly tuning?: Partial<Tuning>;
  readonly expectedCalls?: number;
  /** What of the code the rule writes. */
  readonly code: RegExp;
}

function written({ node, direction = "pack", level = "avx2", tuning, expectedCalls = 0 }: Case): LoopProgram {
  const whole = layout(0, stream(64, 2 ** 22, node), { lowerBoundBytes: 0, extentBytes: 2 ** 28 });
  const move = (direction === "pack" ? packMove : unpackMove)(whole);
  return program(move, level, { ...DEFAULT_TUNING, ...tuning }, { listing: true, expectedCalls });
}

const table = (count: number, apart: number, child: LayoutNode): Blocks =>
  uniformBlocks(
    Int32Array.from({ length: count }, (_, i) => ((i * 7) % count) * apart),
    child,
  );

const ragged = (count: number, most: number, least = 1): Blocks =>
  blocks(
    Int32Array.from({ length: count }, (_, i) => i * 256 + (i % 3)),
    Int32Array.from({ length: count }, (_, i) => (i % 17 === 5 ? least : 1 + ((i * 37) % most))),
    1,
    dense(1),
  );

const LENGTHS: readonly Case[] = [
  { rule: "written out", node: dense(200), code: /vmovdqu/ },
  { rule: "non-temporal lines", node: dense(9001), tuning: { nonTemporalBytes: 2 ** 16 }, code: /vmovntdq .*r11/ },
  { rule: "REP MOVSB", node: dense(9001), tuning: { repMovsbBytes: 4096 }, code: /rep movsb/ },
  { rule: "aligned stores", node: dense(9001), tuning: { alignedStoresBytes: 1024 }, code: /sub rax, r11/ },
  { rule: "rounds", node: dense(9001), code: /vmovdqu ymm7/ },
];

const NODES: readonly Case[] = [
  { rule: "vectors of blocks", node: stream(64, 4, dense(3)), code: /vpshufb/ },
  { rule: "unrolled", node: stream(4, 640, dense(8)), code: /\+ 1920\]/ },
  { rule: "inlined", node: stream(640, 64, dense(48)), code: /jne/ },
  { rule: "called", node: ragged(640, 40), code: /call/ },
];

const LARGE = { nonTemporalBytes: Infinity, unrollMoves: 0 } as const;
const WALKS: readonly Case[] = [
  {
    rule: "sorted entries",
    node: table(640, 64, dense(8)),
    direction: "unpack",
    tuning: { ...LARGE, sortReachBytes: 0 },
    expectedCalls: 250,
    code: /movsxd r10, .*\[r8 \+ 4\]/,
  },
  { rule: "merged entries", node: table(640, 64, dense(8)), tuning: LARGE, code: /vinserti128/ },
  { rule: "single entries", node: table(640, 64, dense(44)), tuning: LARGE, code: /movsxd r9/ },
  { rule: "nested entries", node: table(640, 4096, stream(9, 64, dense(48))), tuning: LARGE, code: /push r8/ },
];

const RUNS: readonly Case[] = [
  { rule: "masked runs", node: ragged(640, 100, 50), level: "avx512", code: /bzhi/ },
  { rule: "head and tail", node: ragged(200, 100), code: /sub rcx, 64/ },
  { rule: "clamped moves", node: ragged(640, 100), code: /cmovb r10, rcx/ },
  { rule: "run by run", node: ragged(640, 100, 0), code: /call/ },
];

const MODES: readonly Case[] = [
  {
    rule: "non-temporal columns",
    node: stream(64, 8, stream(64, 1024, dense(8))),
    tuning: { nonTemporalBytes: 2 ** 16 },
    code: /vmovntdq/,
  },
  {
    rule: "non-temporal runs",
    node: stream(64, 256, dense(64)),
    tuning: { nonTemporalBytes: 2 ** 16 },
    code: /vmovntdq/,
  },
  { rule: "long runs", node: dense(9001), tuning: { nonTemporalBytes: 2 ** 16 }, code: /vmovntdq/ },
  {
    rule: "padded blocks",
    node: stream(64, 128, dense(12)),
    tuning: { nonTemporalBytes: 2 ** 12, paddedBlocks: true },
    code: /(test rax, rax\n.*){8}/,
  },
];

type Asked = (mode: ModePlan, node: LayoutNode) => { readonly rule: string; readonly passed: readonly string[] };

const lengthOf = (node: LayoutNode): number => (node.kind === "dense" ? node.lengthBytes : 0);
const modeOf = ({ plan }: LoopProgram, { rule }: Case): ModePlan =>
  rule === "non-temporal lines" ? (plan.outOfCache[0]?.plan ?? plan.cached) : plan.cached;

const KINDS: readonly (readonly [string, readonly Case[], readonly { readonly name: string }[], Asked])[] = [
  ["lengths", LENGTHS, LENGTH_RULES, (mode, node) => mode.length(lengthOf(node))],
  ["nodes", NODES, NODE_RULES, (mode, node) => mode.node(node)],
  ["walks", WALKS, WALK_RULES, (mode, node) => mode.walk(node as Blocks)],
  ["runs", RUNS, RUNS_RULES, (mode, node) => mode.runs(node as Blocks)],
];

describe.each(KINDS)("rules of %s", (_, cases, rules, ask) => {
  test("have a case each, in the order in which they are asked", () =>
    expect(cases.map(({ rule }) => rule)).toEqual(rules.map(({ name }) => name)));

  test.each(cases.map((each, i) => [each.rule, i, each] as const))("%s fires, and is in the code", (rule, i, each) => {
    const code = written(each);
    const choice = ask(modeOf(code, each), each.node);
    expect(choice.rule).toBe(rule);
    expect(choice.passed).toHaveLength(i);
    expect(listing(code.assembler)).toMatch(each.code);
  });
});

describe("rules out of cache", () => {
  test("have a case each, in the order in which they are asked", () =>
    expect(MODES.map(({ rule }) => rule)).toEqual(OUT_OF_CACHE_RULES.map(({ name }) => name)));

  test.each(MODES.map((each) => [each.rule, each] as const))("%s fires, and is in the code", (rule, each) => {
    const { plan, assembler } = written(each);
    expect(plan.outOfCache.map((mode) => mode.rule)).toContain(rule);
    expect(explainLoops(plan)).toContain(
      `and more${rule.includes("pad") || rule === "long runs" ? "" : ", target aligned to"}`,
    );
    expect(listing(assembler)).toMatch(each.code);
  });

  test("tell why none fires", () => {
    const { plan } = written({ rule: "", node: sequence([{ offsetBytes: 0, node: dense(4) }]), code: / / });
    expect(plan.outOfCache).toEqual([]);
    expect(explainLoops(plan)).toContain("; no non-temporal columns: elements too small for code of their own");
  });
});
