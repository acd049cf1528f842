import { copyMove, conditions, hostMemory, packMove, unpackMove } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { summarise } from "@stowage/bench";
import { addressOf, NativeCall } from "@stowage/bench/peers";
import { compiled } from "@stowage/bench/plain-c";
import { forEachRun } from "@stowage/ir";
import { relayouts } from "@stowage/workloads";
import { fileURLToPath } from "node:url";
import { pageAligned } from "../parts/host.mjs";

const LONG_BYTES = 2 ** 22;

let loops;
const loopOf = (name) => (loops ??= compiled([fileURLToPath(new URL("../c/relayout-loops.c", import.meta.url))]))(name);

function inC({ bytes, outer, inner, source = [0, 0], target = [0, 0], index = [] }, from, to) {
  const tables = [0, 1].map((i) => (index[i] === undefined ? 0 : addressOf(index[i])));
  const words = BigInt64Array.from([outer, inner, ...source, ...target, ...tables].map(BigInt));
  const name = `${index.length === 0 ? "stride" : "index"}_${bytes}`;
  return new NativeCall(loopOf(name), [from, to, words].map(addressOf), [from, to, words, ...index]);
}

/** What the target holds after the source's runs went, one after another, to the target's. */
function wanted({ source, target }, from, size) {
  const [want, packed] = [new Uint8Array(size), new Uint8Array(source.sizeBytes)];
  const range = { count: 1, first: 0, length: source.sizeBytes };
  let at = 0;
  forEachRun(source, range, (offset, length) => {
    packed.set(from.subarray(offset, offset + length), at);
    at += length;
  });
  at = 0;
  forEachRun(target, range, (offset, length) => {
    want.set(packed.subarray(at, at + length), offset);
    at += length;
  });
  return want;
}

/** The median of some commits; of large tables, of one. */
function commitOf(backend, move) {
  const once = () => {
    const start = process.hrtime.bigint();
    backend.load(backend.compile([move], conditions()))[Symbol.dispose]();
    return Number(process.hrtime.bigint() - start);
  };
  const first = once();
  return first > 1e8 ? first : summarise(Array.from({ length: 9 }, once)).medianNs;
}

export default {
  name: "relayout",
  question: "What does a copy from layout to layout in one kernel gain over unpack(pack()), and over loops in C?",
  kind: "moves",
  options: { only: { kind: "text", says: "copies whose name and size have this in them", byDefault: "" } },
  trial: { only: "ghost cells of 34" },
  sampling: (_, { label }) =>
    label.packedBytes > LONG_BYTES
      ? { budgetMs: 0, rounds: 9, sampleUs: 0.001, warmUpMs: 2 }
      : { budgetMs: 0, rounds: 41, sampleUs: 400, warmUpMs: 2 },
  *cells({ only = "" }) {
    const backend = new X64Backend();
    for (const each of relayouts().filter(({ name, size }) => `${name} ${size}`.includes(only))) {
      const [from, to] = [each.source, each.target].map((side) =>
        pageAligned(side.trueLowerBoundBytes + side.trueExtentBytes),
      );
      for (let i = 0; i < from.length; i++) from[i] = (i * 131 + (i >> 8) * 17 + (i >> 16)) & 255;
      const label = { workload: each.name, count: 1, packedBytes: each.source.sizeBytes, direction: "copy" };
      yield { ...each, label: { ...label, size: each.size }, backend, from, to, want: wanted(each, from, to.length) };
    }
  },
  contenders({ source, target, loop, backend, from, to, want, name }) {
    const packed = pageAligned(source.sizeBytes);
    const planOf = (move, read, written) =>
      backend.load(backend.compile([move], conditions())).bind([
        {
          source: { memory: hostMemory(read), originBytes: 0 },
          target: { memory: hostMemory(written), originBytes: 0 },
          ...{ count: 1, first: 0, length: move.source.sizeBytes },
        },
      ]);
    const move = copyMove(source, target);
    const [copy, pack, unpack] = [
      planOf(move, from, to),
      planOf(packMove(source), from, packed),
      planOf(unpackMove(target), packed, to),
    ];
    const checked = (who, run, facts = {}) => ({
      ...{ run, facts },
      check() {
        to.fill(0);
        run();
        if (Buffer.compare(to, want) !== 0)
          throw new Error(`${name}: expected ${who} to move what the runs say, got other bytes`);
      },
    });
    const both = () => (pack.run(), unpack.run());
    const plain = loop === undefined ? undefined : inC(loop, from, to);
    return {
      x64: checked("x64", () => copy.run(), { commitNs: commitOf(backend, move) }),
      "x64 unpack(pack())": checked("unpack(pack())", both),
      // Both have run, and are verified, as unpack(pack()).
      "x64 pack": { run: () => pack.run() },
      "x64 unpack": { run: () => unpack.run() },
      ...(plain === undefined ? {} : { "c-O3": checked("C", () => plain.run()) }),
    };
  },
};
