// What committing a list of 10^6 displacements costs, by the share of blocks that touch the one before: node lists.mjs
// [OUT.json] Lowered and canonicalised; the same with code, by an engine of its own each time; and the memory that
// stays, beside the list's own. Every packed stream is compared with the list.
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Engine } from "@stowage/engine";
import { canonicalise, indexedBlock, lower, predefined } from "@stowage/ir";
import { X64Backend } from "@stowage/backend-x64";
import { summarise } from "@stowage/bench";
import { writeResults } from "./results.mjs";

const BLOCKS = 1_000_000;
const RUNS = 21;
const DOUBLE = predefined("MPI_DOUBLE");
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** Displacements of which the share `touching` lies right behind the one before. */
function listOf(touching) {
  let [state, at] = [12345, 0];
  return Int32Array.from({ length: BLOCKS }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (at += (state >> 8) % 1000 < touching * 1000 ? 1 : 2 + ((state >> 8) % 6));
  });
}

/** Bytes of buffers and of machine code that this process holds. */
function heldBytes() {
  collect();
  const entries = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const code = entries.filter((entry) => entry.includes("memfd:stowage-x64") && entry.includes(" rw-s "));
  const codeBytes = code.reduce((sum, entry) => sum + 1024 * Number(/^Rss:\s+(\d+)/m.exec(entry)?.[1] ?? 0), 0);
  return process.memoryUsage().arrayBuffers + codeBytes;
}

function check(committed, displacements) {
  const source = new Float64Array(displacements[BLOCKS - 1] + 1).map((_, i) => i);
  const target = new Float64Array(BLOCKS);
  committed.pack(source, target);
  const wrong = target.findIndex((value, i) => value !== displacements[i]);
  if (wrong >= 0) throw new Error(`block ${wrong}: expected ${displacements[wrong]}, got ${target[wrong]}`);
}

/** The first call of each is not warm. */
function figures(samples) {
  const { medianNs, minNs, maxNs } = summarise(samples.slice(1));
  return { firstNs: samples[0], medianNs, minNs, maxNs };
}

const backend = new X64Backend();
const rows = [0, 1 / 7, 1 / 2, 9 / 10, 1].map((touching) => {
  const displacements = listOf(touching);
  const type = indexedBlock(1, displacements, DOUBLE);
  const [canonicalised, committed] = [[], []];
  const before = heldBytes();
  let extraBytes = 0;
  for (let run = 0; run < RUNS; run++) {
    const begin = performance.now();
    canonicalise(lower(type));
    canonicalised.push((performance.now() - begin) * 1e6);
    const engine = new Engine({ backends: [backend], unusedKernels: 0 });
    const start = performance.now();
    const made = engine.commit(type);
    made.compile("pack");
    committed.push((performance.now() - start) * 1e6);
    if (run === RUNS - 1) {
      extraBytes = heldBytes() - before;
      check(made, displacements);
    }
    engine[Symbol.dispose]();
  }
  const row = { touching, canonicaliseNs: figures(canonicalised), commitNs: figures(committed) };
  return { ...row, runs: RUNS, memoryOverList: extraBytes / displacements.byteLength, verified: true };
});
const ms = ({ medianNs, minNs }) => `${(medianNs / 1e6).toFixed(1)} ms (least ${(minNs / 1e6).toFixed(1)})`;
for (const { touching, canonicaliseNs, commitNs, memoryOverList } of rows)
  console.log(
    `${(100 * touching).toFixed(0).padStart(3)} % touch: canonicalised ${ms(canonicaliseNs)}, committed ${ms(commitNs)}, ${memoryOverList.toFixed(2)} times the list`,
  );
if (process.argv[2] !== undefined) writeResults(process.argv[2], rows);
