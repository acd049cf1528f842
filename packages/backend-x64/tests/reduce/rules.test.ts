import { listing } from "@stowage/asm-x64";
import { unpackMove, type Reduction } from "@stowage/backend-api";
import { dense, layout, stream, type Layout } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { DEFAULT_TUNING } from "../../src/options.js";
import { COMBINATION_RULES, planReduction, WAY_RULES } from "../../src/reduce/plan-reduction.js";
import { reduceListing, reduceProgram, type ReduceProgram } from "../../src/reduce/reduce-program.js";

const sum: Reduction = { op: "MPI_SUM", element: "float64" };
const blocksOf = (extentBytes: number): Layout =>
  layout(0, stream(16, 24, dense(8)), { lowerBoundBytes: 0, extentBytes });
const run = layout(0, dense(64), { lowerBoundBytes: 0, extentBytes: 64 });

const reduced = (target: Layout, reduction: Reduction): ReduceProgram =>
  reduceProgram(unpackMove(target), reduction, "avx2", DEFAULT_TUNING, { listing: true });

/** One reduction for each rule, and what of the code it alone writes. */
const WAYS = [
  { rule: "in place", target: run, code: /^(?![^]*push rbx)/ },
  { rule: "whole buffers", target: blocksOf(384), code: /push rbx(?![^]*div rcx)/ },
  { rule: "a buffer an element", target: blocksOf(8), code: /push rbx[^]*div rcx/ },
] as const;

const COMBINATIONS = [
  { rule: "vectors", reduction: sum, code: /vaddpd/ },
  { rule: "elements", reduction: { op: "MPI_PROD", element: "int64" } as Reduction, code: /imul rax, r9/ },
] as const;

test("each rule has a case, in the order in which rules are asked", () => {
  expect(WAYS.map(({ rule }) => rule)).toEqual(WAY_RULES.map(({ name }) => name));
  expect(COMBINATIONS.map(({ rule }) => rule)).toEqual(COMBINATION_RULES.map(({ name }) => name));
});

describe.each(WAYS)("a reduction by $rule", ({ rule, target, code }) => {
  const program = reduced(target, sum);
  test("is planned, after each rule before it said why it does not", () => {
    expect(program.plan.way.rule).toBe(rule);
    expect(program.plan.way.passed).toHaveLength(WAY_RULES.findIndex(({ name }) => name === rule));
    expect(reduceListing(program)).toContain(`; reduction: ${rule}`);
  });
  test("is in the code", () => expect(listing(program.assembler)).toMatch(code));
});

describe.each(COMBINATIONS)("elements combined by $rule", ({ rule, reduction, code }) => {
  test("are planned so", () => {
    const { combination } = planReduction({ target: run, reduction }, "avx2");
    expect(combination.rule).toBe(rule);
    expect(combination.passed).toHaveLength(COMBINATION_RULES.findIndex(({ name }) => name === rule));
  });
  test("are in the code", () => expect(listing(reduced(run, reduction).assembler)).toMatch(code));
});
