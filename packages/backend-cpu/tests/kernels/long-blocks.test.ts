import { conditions, hostMemory, packMove } from "@stowage/backend-api";
import { referencePack } from "@stowage/conformance/laws";
import { canonicalise, hindexed, lower, predefined, vector, type Datatype, type Layout } from "@stowage/ir";
import { expect, test } from "vitest";
import { CpuBackend } from "../../src/index.js";

const backend = new CpuBackend();
const WORDS = Array.from({ length: 40 }, (_, i) => i + 1);

/** As it was lowered, blocks of elements, and in normal form, blocks of bytes. */
function requirePacked(type: Datatype): void {
  requirePackedAs(lower(type), type);
  requirePackedAs(canonicalise(lower(type)), type);
}

function requirePackedAs(layout: Layout, type: Datatype): void {
  const source = Uint8Array.from({ length: layout.trueExtentBytes }, (_, i) => (i * 37 + (i >> 8)) & 255);
  const target = new Uint8Array(layout.sizeBytes);
  using kernel = backend.load(backend.compile([packMove(layout)], conditions()));
  const [from, to] = [hostMemory(source), hostMemory(target)].map((memory) => ({ memory, originBytes: 0 }));
  if (from === undefined || to === undefined) return;
  using plan = kernel.bind([{ source: from, target: to, count: 1, first: 0, length: layout.sizeBytes }]);
  plan.run().wait();
  expect(Buffer.compare(target, referencePack(type, { bytes: source }))).toBe(0);
}

test.each(["MPI_INT", "MPI_DOUBLE", "MPI_SHORT", "MPI_BYTE"] as const)("blocks of 1 to 40 of %s are packed", (name) => {
  for (const words of WORDS) {
    requirePacked(vector(23, words, words + 3, predefined(name)));
    requirePacked(hindexed([words, 41 - words, words], [0, 1024, 2048], predefined(name)));
  }
});

/** Fewer blocks become a table. */
const STRIDED_BLOCKS = 601;

test.each(["MPI_INT", "MPI_DOUBLE"] as const)("blocks of 1 to 9 of %s, too many for a table, are packed", (name) => {
  for (const words of WORDS.slice(0, 9)) requirePacked(vector(STRIDED_BLOCKS, words, words + 3, predefined(name)));
});
