import { summarise } from "@stowage/bench";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "../parts/in-folder.mjs";
import { output } from "../parts/programs.mjs";

const SOURCE = fileURLToPath(new URL("../c/direct-reads.c", import.meta.url));
/** By the program's words. */
const TURNS = { there: "there and back", both: "both ways at once" };
/** In the program's order. */
const WAYS = ["pieces through shared memory", "process_vm_readv", "copies out of mapped memory"];

export default {
  name: "direct-reads",
  question: "Are elements read out of another process's memory faster than packed and unpacked through shared memory?",
  kind: "moves",
  options: {
    samples: { kind: "number", says: "of each", byDefault: 25 },
    runs: { kind: "numbers", says: "bytes of a run", byDefault: [64, 512, 2048, 4096, 16384, 65536] },
    sizes: { kind: "numbers", says: "bytes of a message", byDefault: [2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22] },
  },
  trial: { samples: 1, runs: [4096], sizes: [2 ** 16] },
  async *cells({ runs, sizes }) {
    yield* inFolder("direct-reads", function* (folder) {
      const program = join(folder, "direct-reads");
      output("cc", ["-std=gnu11", "-O2", "-o", program, SOURCE]);
      for (const run of runs)
        for (const packedBytes of sizes)
          for (const [turns, how] of Object.entries(TURNS)) {
            const label = { workload: `runs of ${run} bytes, ${how}`, count: 1, packedBytes, direction: "copy" };
            yield { label, program, run, packedBytes, turns };
          }
    });
  },
  contenders: () => Object.fromEntries(WAYS.map((way) => [way, {}])),
  /** The program has both cores, checks what arrived, and prints a line of nanoseconds a way. */
  run(_entrants, { program, run, packedBytes, turns }, { samples }) {
    const lines = output(program, [run, packedBytes, samples, turns].map(String)).trim().split("\n");
    return Object.fromEntries(
      WAYS.map((way, i) => {
        const [arrived, ...ns] = lines[i].split(" ").map(Number);
        if (arrived !== 1) throw new Error(`${way}: expected the bytes that were sent, got others`);
        return [way, summarise(ns)];
      }),
    );
  },
};
