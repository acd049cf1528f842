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

const codeOf = ({ assembler, ownBytes }: CopyProgram): string => listing(assembler, ownBytes);

const matrix = (rows: number, columns: number, bytes: number, pitch: number): LayoutNode =>
  stream(rows, pitch, stream(columns, bytes, dense(bytes)));

/** The elements in the same packed order, a column of memory after the other. */
const turned = (rows: number, columns: number, bytes: number, pitch: number): LayoutNode =>
  stream(rows, bytes, stream(columns, pitch, dense(bytes)));

const ragged = blocks(
  Int32Array.from({ length: 70 }, (_, i) => i * 16 + (i % 3)),
  Int32Array.from({ length: 70 }, (_, i) => 5 + (i % 5)),
  1,
  dense(1),
);

/** One copy for each rule, and what of the code it alone writes. */
const caseOf = (rule: string, source: LayoutNode, target: LayoutNode, code: RegExp) => ({ rule, source, target, code });

const PAIRINGS = [
  caseOf("paired nests", stream(64, 24, dense(8)), stream(64, 16, dense(8)), /rdi \+ 24\]/),
  caseOf("pieces by length", ragged, stream(ragged.sizeBytes / 7, 24, dense(7)), /movsxd r9.*\n.*movsxd r10/),
  caseOf("through a buffer", stream(100, 1000, dense(101)), stream(101, 1000, dense(100)), /mov rsi, rbp/),
];

const BLOCKED = caseOf("blocked runs", matrix(640, 64, 24, 2048), turned(640, 64, 24, 16_384), /jne/);

const NESTS = [
  caseOf("transposed dimensions", matrix(64, 64, 8, 1024), turned(64, 64, 8, 1024), /vpunpcklqdq/),
  BLOCKED,
  caseOf("widest outermost", stream(640, 256, dense(128)), stream(640, 192, dense(128)), /jne/),
];

const MODES = [
  caseOf("whole columns", matrix(512, 512, 8, 4096), turned(512, 512, 8, 4096), /vpunpck[^]*vmovntdq/),
  caseOf("whole rows", stream(4096, 256, dense(128)), stream(4096, 192, dense(128)), /vmovntdq .*\[rsi/),
  caseOf("half columns", matrix(516, 512, 8, 4096), turned(516, 512, 8, 4128), /vpunpck[^]*vmovntdq/),
  caseOf(
    "lines of runs",
    stream(64, 9001, dense(8000)),
    stream(64, 8001, dense(8000)),
    /prefetchw[^]*vmovntdq .*\[r11/,
  ),
  caseOf("as in the caches", stream(4096, 256, dense(8)), stream(4096, 192, dense(8)), /ret/),
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
  const { source, target } = BLOCKED;
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
