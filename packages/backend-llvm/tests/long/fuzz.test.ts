import { anyLayout } from "@stowage/arbitraries";
import { conditions, copyMove, hostMemory, packMove, unpackMove, type Backend, type Move } from "@stowage/backend-api";
import { canonicalise, type Layout, type PackedRange } from "@stowage/ir";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { CpuBackend } from "../../../backend-cpu/src/index.js";
import { X64Backend } from "../../../backend-x64/src/index.js";
import { LlvmBackend, type LlvmOptions } from "../../src/index.js";
import { reasonAgainst } from "../installed.js";

const numRuns = Number(process.env["STOWAGE_LAW_RUNS"] ?? 300);
const seed = Number(process.env["STOWAGE_SEED"] ?? Date.now() % 2 ** 31);
const reason = reasonAgainst();
const others: readonly Backend[] = [new CpuBackend(), new X64Backend()];

beforeAll(() => console.log(`fuzz of llvm: seed ${seed}; repeat with STOWAGE_SEED=${seed}`));
test.skipIf(reason === undefined)("nothing is compiled here, and the reason is one line", () =>
  expect(reason).toMatch(/^[^\n]+$/),
);

/**
 * Some elements of a layout that does not overlap itself, the same side by side, and any range of their packed stream.
 */
const cases = fc.tuple(
  anyLayout({ disjoint: true }),
  fc.nat({ max: 4 }),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
);

const reach = ({ trueLowerBoundBytes: low, trueExtentBytes, extentBytes }: Layout, count: number) => {
  const last = Math.max(0, count - 1) * extentBytes;
  return { low: low + Math.min(0, last), bytes: trueExtentBytes + Math.abs(last) };
};

/** What a backend makes of the target's bytes; undefined where it refuses the move. */
function moved(backend: Backend, move: Move, range: PackedRange): Buffer | undefined {
  if (!backend.supports([move], conditions()).ok) return undefined;
  const [from, to] = [reach(move.source, range.count), reach(move.target, range.count)];
  const source = Uint8Array.from({ length: from.bytes }, (_, i) => (i * 131 + (i >> 8) * 17) & 255);
  const target = new Uint8Array(to.bytes).fill(0x5a);
  using kernel = backend.load(backend.compile([move], conditions()));
  using plan = kernel.bind([
    {
      source: { memory: hostMemory(source), originBytes: -from.low },
      target: { memory: hostMemory(target), originBytes: -to.low },
      ...range,
    },
  ]);
  plan.run();
  return Buffer.from(target);
}

const LEVELS: readonly LlvmOptions[] = [{ level: 0 }, { level: 2 }, { level: 2, features: "" }];

describe.runIf(reason === undefined).each(LEVELS)("LLVM with %o moves what the interpreter and x64 move", (options) => {
  test("packs, unpacks and copies, as a whole and in parts", () => {
    const backend = new LlvmBackend(options);
    fc.assert(
      fc.property(cases, ([any, count, a, b]) => {
        const layout = canonicalise(any);
        const total = count * layout.sizeBytes;
        const first = Math.floor(Math.min(a, b) * total);
        const range = { count, first, length: Math.ceil(Math.max(a, b) * total) - first };
        for (const move of [packMove(layout), unpackMove(layout), copyMove(layout, layout)]) {
          const own = moved(backend, move, range);
          for (const other of others)
            expect(own === undefined || moved(other, move, range)?.equals(own)).not.toBe(false);
        }
      }),
      { seed, numRuns },
    );
  }, 900_000);
});
