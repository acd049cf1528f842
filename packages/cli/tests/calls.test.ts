import { stripVTControlCharacters } from "node:util";
import { Gpu } from "@stowage/bench/device";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { createEngine } from "@stowage/selector";
import { expect, test } from "vitest";
import { benchCalls } from "../src/calls/bench-calls.js";
import { firstCommitNs } from "../src/calls/first-commit-time.js";
import { hostCases } from "../src/calls/host-cases.js";
import { mixedTypes } from "../src/calls/types.js";
import { VIEW_KINDS } from "../src/calls/view-kinds.js";
import { callsText } from "../src/tables/calls-text.js";

test("sixteen datatypes through five kinds of views, each called in three modes, give the bytes that they must", () => {
  using engine = createEngine();
  const backend = engine.backends.find(({ name }) => name === "cpu");
  if (backend === undefined) throw new Error("cpu: expected among the backends");
  using made = hostCases(backend, mixedTypes());
  expect(mixedTypes()).toHaveLength(16);
  expect(VIEW_KINDS).toHaveLength(5);
  expect(made.refusals).toEqual([]);
  expect(made.cases).toHaveLength(80);
  const [first] = made.cases;
  first?.runs.call();
  first?.check();
  expect(() => first?.check()).toThrow(/^contiguous: cpu: byte 0 of the pack: expected \d+, got 0$/); // it was cleared
});

test("the table has bound, rebound and public calls of each backend, on the host and on devices", () => {
  const driver = openSimulatedCuda();
  using gpu = new Gpu(driver);
  using engine = createEngine({ cuda: () => driver });
  const named = (...names: string[]) => engine.backends.filter(({ name }) => names.includes(name));
  const remarks: string[] = [];
  const remark = (line: string) => void remarks.push(line);
  const host = benchCalls({ backends: named("cpu"), budgetMs: 1, remark, firstCommitNs: () => 5e6 });
  const device = benchCalls({ backends: named("cuda-strided"), gpu, budgetMs: 1, remark });
  for (const rows of [host, device]) expect(new Set(rows.map(({ mode }) => mode)).size).toBe(3);
  expect(remarks).toContainEqual(expect.stringMatching(/^cuda-strided: 4 ragged runs: /));
  const text = stripVTControlCharacters(callsText([...host, ...device]));
  expect(text).toMatch(/^ +plan\.run +rebind \+ run +Committed\.pack +commit \(first in process\)\n/);
  expect(text).toMatch(/\ncpu, 4 doubles( +[\d.]+ [num]?s){3} +[\d.]+ [num]?s \(5\.00 ms\)\n/);
  expect(text).toMatch(/\ncuda-strided, 16 datatypes( +[\d.]+ [num]?s){3} +-$/);
});

test("the first commit of a process is another process's", () => {
  expect(firstCommitNs("cpu", "4 doubles", "host")).toBeGreaterThan(0);
  expect(firstCommitNs("no-such-backend", "4 doubles", "host")).toBeUndefined();
});
