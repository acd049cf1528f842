// Outstanding misses of L1d by pointer chases: node packages/backend-x64/bench/outstanding-misses.mjs FILE [BYTES,...]
// Of k chases at once a step takes as long as of one, while there are k fill buffers or more; k chases times the time
// of a step of one, over the time of a step of k, is how many misses are under way at once: it rises up to the number
// of fill buffers, and no further.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import koffi from "koffi";
import { heading, outputFile, scriptCommand, summarise } from "@stowage/bench";

const LINE_BYTES = 64;
const HUGE_PAGE_BYTES = 2 ** 21;
const STEPS = 4000;
const ROUNDS = 31;
const [, , path = "results/epyc/outstanding-misses.json", sizes = "4194304,268435456"] = process.argv;
const file = outputFile(path, "FILE");

const source = fileURLToPath(new URL("outstanding-misses.c", import.meta.url));
const CHAINS = Array.from(readFileSync(source, "utf8").matchAll(/CHAINS\((\d+)\)/g), ([, k]) => Number(k));
const library = join(mkdtempSync(join(tmpdir(), "chases-")), "chases.so");
const made = spawnSync("gcc", ["-O2", "-shared", "-fPIC", "-o", library, source], { encoding: "utf8" });
if (made.status !== 0) throw new Error(`gcc: expected a library, got ${made.stderr}`);
const chases = koffi.load(library);
const libc = koffi.load("libc.so.6");
const mmap = libc.func("uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)");
const madvise = libc.func("int madvise(uintptr_t, size_t, int)");
const munmap = libc.func("int munmap(uintptr_t, size_t)");
const memcpy = libc.func("uintptr_t memcpy(uintptr_t, const void *, size_t)");

/**
 * A cycle through all lines of huge pages, in no order; `starts`: where k chases begin that meet no line that others
 * left in a cache lately.
 */
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

const rows = [];
for (const bytes of sizes.split(",").map(Number)) {
  const { starts, free } = cycleOf(bytes);
  const chase = Object.fromEntries(CHAINS.map((k) => [k, chases.func(`void chase_${k}(void *, void *, int64_t)`)]));
  const times = Object.fromEntries(CHAINS.map((k) => [k, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const k of CHAINS) {
      const [from, to] = [starts(k), new BigUint64Array(k)];
      const begun = process.hrtime.bigint();
      chase[k](from, to, STEPS);
      times[k].push(Number(process.hrtime.bigint() - begun) / STEPS);
    }
  free();
  const alone = Math.min(...times[1]);
  for (const k of CHAINS) {
    const stepNs = summarise(times[k]);
    const outstanding = (k * alone) / stepNs.minNs;
    console.log(
      `${bytes} bytes, ${k} chases: ${stepNs.minNs.toFixed(1)} ns a step, ${outstanding.toFixed(1)} misses at once`,
    );
    rows.push({ bytes, chases: k, stepNs, outstanding });
  }
}
file.write(
  `${JSON.stringify({ ...heading(scriptCommand()), schema: "stowage-outstanding-misses/1", rows }, null, 1)}\n`,
);
