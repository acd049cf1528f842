import { conditions, hostMemory, packMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { X64Backend } from "@stowage/backend-x64";
import { workloadOfSize } from "@stowage/bench";
import { canonicalise, lower } from "@stowage/ir";
import { createEngine } from "@stowage/selector";

/** Short calls: what a decision takes would be lost in longer ones. */
const BYTES = 256;
const NAMES = ["struct24", "vector-8", "indexed-16", "indexed_block-32", "NAS_LU_y/0", "vector-32"];
/** Calls of so many elements take turns, so that each asks for another course. */
const COUNTS = [1, 8, 64];
const MOST = Math.max(...COUNTS);

function callOf(engine, datatype) {
  const committed = engine.commit(datatype);
  const { extentBytes, trueExtentBytes, trueLowerBoundBytes, sizeBytes } = lower(datatype);
  const memory = hostMemory(new Uint8Array(trueExtentBytes + MOST * Math.abs(extentBytes)));
  const source = { memory, originBytes: -trueLowerBoundBytes };
  const packed = new Uint8Array(MOST * sizeBytes);
  let turn = 0;
  return () => committed.pack(source, packed, { count: COUNTS[turn++ % COUNTS.length] }).wait();
}

export default {
  name: "decisions",
  question: "What does choosing among backends cost a call, and once a commit, beside one backend alone?",
  kind: "times",
  options: {
    warm: { kind: "number", says: "calls before, so that what is compiled after some is", byDefault: 30_000 },
  },
  trial: { warm: 10 },
  sampling: () => ({ budgetMs: 250, sampleUs: 100, rounds: 41 }),
  *cells(_, lab) {
    for (const workload of lab.trial ? NAMES.slice(0, 1) : NAMES) yield { label: { workload } };
  },
  contenders({ label }, { warm }) {
    const { datatype } = workloadOfSize(label.workload, BYTES);
    const engines = {
      "x64 alone": createEngine({ backends: [new X64Backend()], profile: "shipped" }),
      "x64 and cpu": createEngine({ backends: [new CpuBackend(), new X64Backend()], profile: "shipped" }),
      "all backends": createEngine({ profile: "shipped" }),
    };
    const moves = [packMove(canonicalise(lower(datatype)))];
    const choose = () => engines["all backends"].choiceFor(moves, conditions({})).chosen;
    const calls = Object.entries(engines).map(([who, engine]) => {
      const run = callOf(engine, datatype);
      for (let i = 0; i < warm; i++) run();
      return [who, { run, [Symbol.dispose]: () => engine[Symbol.dispose]() }];
    });
    return { "to choose at a commit": { run: choose }, ...Object.fromEntries(calls) };
  },
};
