import { listing } from "@stowage/asm-x64";
import { copyMove } from "@stowage/backend-api";
import { blocks, dense, layout, stream, type LayoutNode } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { DEFAULT_TUNING } from "../../src/options.js";
import { copyListing, copyProgram, type CopyProgram } from "../../src/relayout/copy-program.js";
import type { NestOfPairs, PairPlan } from "../../src/relayout/pair-plan.js";
import { PAIRING_RULES } from "../../src/relayout/plan-copy.js";
import { COPY_MODE_RULES } from "../../src/relayout/plan-level.js";
import { NEST_RULES } from "../../src/relayout/plan-nest.js";

const element = (root: LayoutNode, extentBytes: number) => layout(0, root, { lowerBoundBytes: 0, extentBytes });

/** A copy of elements that begin with lines on both sides, each of which is large. */
function copied(source: LayoutNode, target: LayoutNode): CopyProgram {
  const end = (node: LayoutNode): number => 64 * (Math.ceil(node.highBytes / 64) + 1);
  const move = copyMove(element(source, end(source)), element(target, end(target)));
  return copyProgram(move, "avx2", { ...DEFAULT_TUNING, nonTemporalBytes: 2 ** 20 }, { listing: true });
}

const codeOf = ({ assembler }: CopyProgram): string => listing(assembler);

const matrix = (rows: number, columns: number, bytes: number, pitch: number): LayoutNode =>
  stream(rows, pitch, stream(columns, bytes, dense(bytes)));

/** The same elements in the same packed order, a column of memory after the other. */
const turned = (rows: number, columns: number, bytes: number, pitch: number): LayoutNode =>
  stream(rows, bytes, stream(columns, pitch, dense(bytes)));

const ragged = blocks(
  Int32Array.from({ length: 70 }, (_, i) => i * 16 + (i % 3)),
  Int32Array.from({ length: 70 }, (_, i) => 5 + (i % 5)),
  1,
  dense(1),
);

/** One copy for each rule, and what of the code it alone writes. */
interface Case {
  readonly rule: string;
  readonly source: LayoutNode;
  readonly target: LayoutNode;
  readonly code: RegExp;
}

const PAIRINGS: readonly Case[] = [
  { rule: "paired nests", source: stream(64, 24, dense(8)), target: stream(64, 16, dense(8)), code: /rdi \+ 24\]/ },
  {
    rule: "pieces by length",
    source: ragged,
    target: stream(ragged.sizeBytes / 7, 24, dense(7)),
    code: /movsxd r9.*\n.*movsxd r10/,
  },
  {
    rule: "through a buffer",
    source: stream(100, 1000, dense(101)),
    target: stream(101, 1000, dense(100)),
    code: /mov rsi, rbp/,
  },
];

const NESTS: readonly Case[] = [
  {
    rule: "transposed dimensions",
    source: matrix(64, 64, 8, 1024),
    target: turned(64, 64, 8, 1024),
    code: /vpunpcklqdq/,
  },
  { rule: "blocked runs", source: matrix(640, 64, 24, 2048), target: turned(640, 64, 24, 16_384), code: /jne/ },
  { rule: "widest outermost", source: stream(640, 256, dense(128)), target: stream(640, 192, dense(128)), code: /jne/ },
];

const MODES: readonly Case[] = [
  {
    rule: "whole columns",
    source: matrix(512, 512, 8, 4096),
    target: turned(512, 512, 8, 4096),
    code: /vpunpck[^]*vmovntdq/,
  },
  {
    rule: "whole rows",
    source: stream(4096, 256, dense(128)),
    target: stream(4096, 192, dense(128)),
    code: /vmovntdq .*\[rsi/,
  },
  {
    rule: "half columns",
    source: matrix(516, 512, 8, 4096),
    target: turned(516, 512, 8, 4128),
    code: /vpunpck[^]*vmovntdq/,
  },
  {
    rule: "lines of runs",
    source: stream(64, 9001, dense(8000)),
    target: stream(64, 8001, dense(8000)),
    code: /prefetchw[^]*vmovntdq .*\[r11/,
  },
  { rule: "as in the caches", source: stream(4096, 256, dense(8)), target: stream(4096, 192, dense(8)), code: /ret/ },
];

test.each([
  ["pairings", PAIRINGS, PAIRING_RULES],
  ["nests", NESTS, NEST_RULES],
  ["modes", MODES, COPY_MODE_RULES],
] as const)("each rule of %s has a case, in the order in which rules are asked", (_, cases, rules) => {
  expect(cases.map(({ rule }) => rule)).toEqual(rules.map(({ name }) => name));
});

describe.each(PAIRINGS)("a copy by $rule", ({ rule, source, target, code }) => {
  const program = copied(source, target);
  test("is planned, after each rule before it said why it does not", () => {
    expect(program.plan?.pairing.rule).toBe(rule);
    expect(program.plan?.pairing.passed).toHaveLength(PAIRING_RULES.findIndex(({ name }) => name === rule));
    expect(Object.isFrozen(program.plan)).toBe(true);
    expect(copyListing(program)).toContain(`; copy: ${rule}`);
  });
  test("is in the code", () => expect(codeOf(program)).toMatch(code));
});

describe.each(NESTS)("a nest by $rule", ({ rule, source, target, code }) => {
  const program = copied(source, target);
  const nest = nestOf(program.plan?.elements?.cached.nests.at(-1)?.pair);
  test("is planned, after each rule before it said why it does not", () => {
    expect(nest?.rule).toBe(rule);
    expect(nest?.passed).toHaveLength(NEST_RULES.findIndex(({ name }) => name === rule));
  });
  test("is in the code", () => {
    expect(codeOf(program)).toMatch(code);
    expect(codeOf(program).includes("vpunpck")).toBe(rule === "transposed dimensions");
  });
});

test("blocks of runs are loops around loops of as many runs as fill lines of both sides", () => {
  const { source, target } = NESTS[1] as Case;
  const text = copyListing(copied(source, target));
  expect(text).toContain("blocked runs: ");
  expect(text).toMatch(/16 \(rounds of \d+\).* of 16 \(/);
});

describe.each(MODES)("out of cache, $rule", ({ rule, source, target, code }) => {
  const program = copied(source, target);
  test("is planned, after each rule before it said why it does not", () => {
    const mode = program.plan?.elements?.outOfCache;
    expect(mode?.rule ?? "as in the caches").toBe(rule);
    if (mode !== undefined) expect(mode.passed).toHaveLength(COPY_MODE_RULES.findIndex(({ name }) => name === rule));
  });
  test("is in the code", () => {
    expect(codeOf(program)).toMatch(code);
    expect(codeOf(program).includes("sfence")).toBe(rule !== "as in the caches");
  });
});

function nestOf(pair: PairPlan | undefined): NestOfPairs | undefined {
  return pair?.kind === "nest" ? pair : undefined;
}
