import { X64Backend } from "@stowage/backend-x64";
import { summarise } from "@stowage/bench";
import { Engine } from "@stowage/engine";
import { canonicalise, indexedBlock, lower, predefined } from "@stowage/ir";
import { readFileSync } from "node:fs";
import { collected } from "../parts/heap.mjs";

const DOUBLE = predefined("MPI_DOUBLE");

/** Displacements of which the share `touching` lies right behind the one before. */
function listOf(blocks, touching) {
  let [state, at] = [12345, 0];
  return Int32Array.from({ length: blocks }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (at += (state >> 8) % 1000 < touching * 1000 ? 1 : 2 + ((state >> 8) % 6));
  });
}

/** Bytes of buffers and of machine code that this process holds. */
function heldBytes() {
  const { arrayBuffers } = collected();
  const entries = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const code = entries.filter((entry) => entry.includes("memfd:stowage-x64") && entry.includes(" rw-s "));
  return code.reduce((sum, entry) => sum + 1024 * Number(/^Rss:\s+(\d+)/m.exec(entry)?.[1] ?? 0), arrayBuffers);
}

function check(committed, displacements) {
  const source = new Float64Array(displacements.at(-1) + 1).map((_, i) => i);
  const target = new Float64Array(displacements.length);
  committed.pack(source, target);
  const wrong = target.findIndex((value, i) => value !== displacements[i]);
  if (wrong >= 0) throw new Error(`block ${wrong}: expected ${displacements[wrong]}, got ${target[wrong]}`);
}

function timedNs(run) {
  const begin = performance.now();
  const made = run();
  return [(performance.now() - begin) * 1e6, made];
}

export default {
  name: "lists",
  question: "What does committing a long list of displacements cost in time and memory, by how many blocks touch?",
  kind: "times",
  options: {
    blocks: { kind: "number", says: "of a list", byDefault: 1_000_000 },
    rounds: { kind: "number", says: "commits, the first of which is not warm", byDefault: 21 },
  },
  trial: { blocks: 1000, rounds: 2 },
  *cells({ blocks }) {
    for (const touching of [0, 1 / 7, 1 / 2, 9 / 10, 1])
      yield {
        label: { workload: `${blocks} displacements, ${(100 * touching).toFixed(0)} % touch`, touching },
        displacements: listOf(blocks, touching),
        backend: new X64Backend(),
      };
  },
  contenders: () => ({}),
  run(_, { displacements, backend }, { rounds }) {
    const type = indexedBlock(1, displacements, DOUBLE);
    const before = heldBytes();
    let extraBytes = 0;
    const samples = Array.from({ length: rounds }, (_, round) => {
      const [canonicaliseNs] = timedNs(() => canonicalise(lower(type)));
      const engine = new Engine({ backends: [backend], unusedKernels: 0 });
      const [commitNs, made] = timedNs(() => engine.commit(type));
      const [compileNs] = timedNs(() => made.compile("pack"));
      if (round === rounds - 1) {
        extraBytes = heldBytes() - before;
        check(made, displacements);
      }
      engine[Symbol.dispose]();
      return { canonicaliseNs, commitNs, codeNs: commitNs + compileNs };
    });
    const of = (name) => {
      const { medianNs, minNs, maxNs, runs } = summarise(samples.slice(1).map((sample) => sample[name]));
      return { firstNs: samples[0][name], medianNs, minNs, maxNs, runs, verified: true };
    };
    return {
      "lowered and canonicalised": of("canonicaliseNs"),
      committed: of("commitNs"),
      "committed with code": { ...of("codeNs"), memoryOverList: extraBytes / displacements.byteLength },
    };
  },
};
