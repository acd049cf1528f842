import { X64Backend } from "@stowage/backend-x64";
import { dense, integerTable, uniformBlocks } from "@stowage/ir";
import koffi from "koffi";
import { backendOn, moveOn } from "../parts/host.mjs";
import { blocksAt, elementOf } from "../parts/options-race.mjs";
import { shuffled } from "../parts/shuffled.mjs";

const PROMISED = { sourceAlignment: 64, targetAlignment: 64 };

/** A binding with addresses, which show that promises of alignment are kept. */
function addressed({ source, target, ...range }) {
  const known = ({ memory, originBytes }) => ({
    memory: { ...memory, bytes: memory.bytes, kind: memory.kind, sizeBytes: memory.sizeBytes, address: Number(koffi.address(memory.bytes)) }, // prettier-ignore
    originBytes,
  });
  return { source: known(source), target: known(target), ...range };
}

function* all() {
  for (const level of ["sse2", "avx2"]) {
    const moves = {
      "x64 unaligned": [new X64Backend({ level }), PROMISED],
      "x64 aligned": [new X64Backend({ level, alignedMoves: true }), PROMISED],
    };
    for (const block of [32, 128, 1024])
      for (const size of [2 ** 10, 2 ** 15, 2 ** 20]) {
        const name = `${level}: blocks of ${block} of ${4 * block}`;
        yield [name, blocksAt(size / block, block, 4 * block), "pack", moves];
      }
  }
  const backend = new X64Backend({ sortReachBytes: 0 });
  const order = { "x64 unsorted": [backend, {}], "x64 sorted": [backend, { reuse: Infinity }] };
  for (const block of [4, 8, 24])
    for (const blocks of [2 ** 8, 2 ** 12, 2 ** 16, 2 ** 20]) {
      const places = shuffled(blocks);
      const root = uniformBlocks(integerTable(blocks, (i) => places[i] * 2 * block), dense(block)); // prettier-ignore
      yield [`${blocks} shuffled blocks of ${block}`, root, "unpack", order];
    }
}

export default {
  name: "dame-paper-tables",
  question: "What do aligned moves and sorted displacements bring? (Prabhu and Gropp 2017, figures 14 and 16)",
  kind: "moves",
  trial: {},
  sampling: () => ({ budgetMs: 0, rounds: 15, sampleUs: 150, warmUpMs: 2 }),
  *cells(_, lab) {
    for (const [name, root, direction, own] of all()) {
      if (lab.trial && root.sizeBytes > 2 ** 12) continue;
      const cell = moveOn(name, elementOf(root), direction);
      yield { ...cell, binding: addressed(cell.binding), own };
    }
  },
  contenders: (cell) =>
    Object.fromEntries(
      Object.entries(cell.own).map(([who, [backend, given]]) => [who, backendOn(cell, backend, given)]),
    ),
};
