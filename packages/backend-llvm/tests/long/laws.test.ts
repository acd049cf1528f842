import { describeBackend } from "@stowage/conformance";
import { expect, test } from "vitest";
import { guardedTestMemory } from "../../../backend-x64/tests/guarded-memory.js";
import { hostTarget } from "../../src/host.js";
import { LlvmBackend, type LlvmOptions } from "../../src/index.js";
import { featuresOf } from "../../src/target.js";
import { reasonAgainst } from "../installed.js";

// LLVM takes tens of milliseconds where other backends take microseconds: fewer cases, of each at least these.
const runs = Number(process.env["STOWAGE_LAW_RUNS"] ?? 40);
const missing = reasonAgainst();
const host = hostTarget();
const has = (feature: string): boolean => "target" in host && featuresOf(host.target).has(feature);

/** Code of every kind: with the widest registers that there are, with narrower ones, as it is written and optimised. */
const VARIANTS: readonly (readonly [string, LlvmOptions])[] = [
  ["llvm", {}],
  ["llvm at level 2", { level: 2 }],
  ["llvm at level 0", { level: 0 }],
  ...(has("avx512f") ? [["llvm with AVX2", { level: 1, features: "+avx2" }] as const] : []),
  ["llvm without features", { level: 3, features: "" }],
];

test.skipIf(missing === undefined)("nothing is compiled here, and the reason is one line", () => {
  expect(missing).toMatch(/^[^\n]+$/);
});

if (missing === undefined) {
  for (const [name, options] of VARIANTS) {
    const guarded = { scattered: guardedTestMemory(), packed: guardedTestMemory() };
    describeBackend(name, () => new LlvmBackend(options), { runs, timeoutMs: 900_000, ...guarded });
  }
}
