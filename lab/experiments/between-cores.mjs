import { conditions, encodeArtifact, packMove, unpackMove } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { summarise } from "@stowage/bench";
import { blocks, dense, integerTable, layout } from "@stowage/ir";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "../parts/in-folder.mjs";
import { output } from "../parts/programs.mjs";

const OPTIONS = { rounds: { repMovsbBytes: Infinity }, repMovsb: { repMovsbBytes: 1024 } };
const RUNS_OF_ELEMENT = 4;
const GAP_BYTES = 48;
const LONGER_BYTES = 8;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Every second run is a little longer: lengths are read from a table. */
function elementOf(run) {
  const stride = run + LONGER_BYTES + GAP_BYTES;
  const displacements = integerTable(RUNS_OF_ELEMENT, (i) => i * stride);
  const lengths = integerTable(RUNS_OF_ELEMENT, (i) => run + (i % 2) * LONGER_BYTES);
  const root = blocks(displacements, lengths, 1, dense(1));
  return layout(0, root, { lowerBoundBytes: 0, extentBytes: RUNS_OF_ELEMENT * stride });
}

/** The file of a contender's code for an element. */
function artifactOf(folder, name, element) {
  const path = join(folder, `${name}.stowage`);
  const artifact = new X64Backend(OPTIONS[name]).compile([packMove(element), unpackMove(element)], conditions());
  writeFileSync(path, encodeArtifact(artifact), { mode: 0o600 });
  return path;
}

export default {
  name: "between-cores",
  question: "Are runs that another core unpacks packed faster by rounds of vectors or by REP MOVSB?",
  kind: "moves",
  options: {
    samples: { kind: "number", says: "of each", byDefault: 15 },
    runs: { kind: "numbers", says: "bytes of a run", byDefault: [1024, 1536, 2048, 3072, 4096, 6144] },
  },
  trial: { samples: 1, runs: [1024] },
  async *cells({ runs }) {
    yield* inFolder("between-cores", function* (folder) {
      const program = join(folder, "between-cores");
      const sources = [join(ROOT, "lab/c/between-cores.c"), join(ROOT, "runtime/stowage.c")];
      output("cc", ["-std=gnu11", "-O2", `-I${join(ROOT, "runtime")}`, "-o", program, ...sources, "-lpthread"]);
      for (const run of runs) {
        const element = elementOf(run);
        for (const size of [2 ** 13, 2 ** 16, 2 ** 20]) {
          const count = Math.max(1, Math.round(size / element.sizeBytes));
          const packedBytes = count * element.sizeBytes;
          const workload = `runs of ${run} and ${run + LONGER_BYTES} bytes`;
          yield { label: { workload, count, packedBytes, direction: "copy" }, program, folder, element, count };
        }
      }
    });
  },
  contenders: ({ folder, element }) =>
    Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, { run: () => artifactOf(folder, name, element) }])),
  /** The program has both cores, checks what arrived, and prints a line of nanoseconds a contender. */
  run(entrants, { program, count }, { samples }) {
    const artifacts = Object.values(entrants).map(({ run }) => run());
    const lines = output(program, [String(count), String(samples), ...artifacts]).trim().split("\n"); // prettier-ignore
    return Object.fromEntries(
      Object.keys(entrants).map((contender, i) => {
        const [arrived, ...ns] = lines[i].split(" ").map(Number);
        if (arrived !== 1) throw new Error(`${contender}: expected the bytes that were sent, got others`);
        return [contender, summarise(ns)];
      }),
    );
  },
};
