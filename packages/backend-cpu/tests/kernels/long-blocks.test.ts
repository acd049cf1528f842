import { conditions, hostMemory, packMove } from "@stowage/backend-api";
import { referencePack } from "@stowage/conformance/laws";
import { hindexed, lower, predefined, vector, type Datatype } from "@stowage/ir";
import { expect, test } from "vitest";
import { CpuBackend } from "../../src/index.js";

const backend = new CpuBackend();
const WORDS = Array.from({ length: 40 }, (_, i) => i + 1);

function requirePacked(type: Datatype): void {
  const layout = lower(type);
  const source = Uint8Array.from({ length: layout.trueExtentBytes }, (_, i) => (i * 37 + (i >> 8)) & 255);
  const target = new Uint8Array(layout.sizeBytes);
  using kernel = backend.load(backend.compile([packMove(layout)], conditions()));
  const [from, to] = [hostMemory(source), hostMemory(target)].map((memory) => ({ memory, originBytes: 0 }));
  if (from === undefined || to === undefined) return;
  using plan = kernel.bind([{ source: from, target: to, count: 1, first: 0, length: layout.sizeBytes }]);
  plan.run().wait();
  expect(target).toEqual(referencePack(type, { bytes: source }));
}

test.each(["MPI_INT", "MPI_DOUBLE", "MPI_SHORT", "MPI_BYTE"] as const)("blocks of 1 to 40 of %s are packed", (name) => {
  for (const words of WORDS) {
    requirePacked(vector(23, words, words + 3, predefined(name)));
    requirePacked(hindexed([words, 41 - words, words], [0, 1024, 2048], predefined(name)));
  }
});
