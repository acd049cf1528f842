import { summarise } from "@stowage/bench";
import { compiled } from "@stowage/bench/plain-c";
import { rowsTable } from "@stowage/bench/results";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import koffi from "koffi";

const LINE_BYTES = 64;
const HUGE_PAGE_BYTES = 2 ** 21;
const STEPS = 4000;
const SOURCE = fileURLToPath(new URL("../c/outstanding-misses.c", import.meta.url));
const CHAINS = Array.from(readFileSync(SOURCE, "utf8").matchAll(/CHAINS\((\d+)\)/g), ([, k]) => Number(k));
const libc = koffi.load("libc.so.6");
const mmap = libc.func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)");
const madvise = libc.func("int madvise(uintptr_t, size_t, int)");
const munmap = libc.func("int munmap(uintptr_t, size_t)");
const memcpy = libc.func("uintptr_t memcpy(uintptr_t, const void *, size_t)");

/** A cycle through all lines of huge pages, in no order; `starts`: where chases begin on lines that no cache holds. */
function cycleOf(bytes) {
  const mapped = mmap(0, bytes + HUGE_PAGE_BYTES, 3, 0x22, -1, 0);
  const start = Math.ceil(mapped / HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES;
  madvise(start, bytes, 14);
  const lines = bytes / LINE_BYTES;
  const order = Uint32Array.from({ length: lines }, (_, i) => i);
  let state = 1;
  for (let i = lines - 1; i > 0; i--) {
    state = (state * 48271) % 0x7fffffff;
    const j = state % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const words = new BigUint64Array(bytes / 8);
  for (let i = 0; i < lines; i++) words[order[i] * 8] = BigInt(start + order[(i + 1) % lines] * LINE_BYTES);
  memcpy(start, words, bytes);
  let at = 0;
  const starts = (k) =>
    BigUint64Array.from({ length: k }, () => {
      at = (at + Math.min(STEPS, Math.floor(lines / k))) % lines;
      return BigInt(start + order[at] * LINE_BYTES);
    });
  return { starts, free: () => munmap(mapped, bytes + HUGE_PAGE_BYTES) };
}

/** A step of k chases at once takes as long as of one, while there are k fill buffers or more. */
export default {
  name: "outstanding-misses",
  question: "How many misses of L1d are under way at once, by pointer chases?",
  kind: "times",
  options: {
    sizes: { kind: "numbers", says: "bytes that are chased through", byDefault: [2 ** 22, 2 ** 28] },
    rounds: { kind: "number", says: "samples", byDefault: 31 },
  },
  trial: { sizes: [2 ** 22], rounds: 2 },
  *cells({ sizes }) {
    const find = compiled([SOURCE]);
    const type = koffi.proto("void stowage_chase(const void *, void *, int64_t)");
    const chases = Object.fromEntries(CHAINS.map((k) => [k, koffi.decode(BigInt(find(`chase_${k}`)), type)]));
    for (const bytes of sizes) yield { label: { workload: `${bytes} bytes`, bytes }, bytes, chases };
  },
  contenders: ({ chases }) =>
    Object.fromEntries(CHAINS.map((k) => [`${k} chases`, { run: chases[k], facts: { chases: k } }])),
  run(entrants, { bytes }, { rounds }) {
    const { starts, free } = cycleOf(bytes);
    const times = Object.fromEntries(Object.keys(entrants).map((name) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (const [name, { run, facts }] of Object.entries(entrants)) {
        const [from, to] = [starts(facts.chases), new BigUint64Array(facts.chases)];
        const begun = process.hrtime.bigint();
        run(from, to, STEPS);
        times[name].push(Number(process.hrtime.bigint() - begun) / STEPS);
      }
    free();
    const alone = Math.min(...times["1 chases"]);
    return Object.fromEntries(
      Object.entries(times).map(([name, samples]) => {
        const found = summarise(samples);
        return [name, { ...found, outstanding: (entrants[name].facts.chases * alone) / found.minNs }];
      }),
    );
  },
  text: (rows) =>
    rowsTable(
      rows.map(({ workload, chases, minNs, outstanding }) => ({
        of: workload,
        chases,
        "ns a step": minNs,
        "misses at once": outstanding,
      })),
    ),
};
