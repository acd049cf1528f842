// Runs of two lengths, packed on one core and unpacked on another through a ring of fragments, by rounds of vectors and
// by REP MOVSB:
// node packages/backend-x64/bench/between-cores.mjs FILE [SAMPLES] [BYTES OF A RUN,...]; needs cc and two cores.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { conditions, encodeArtifact, packMove, unpackMove } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { blocks, dense, integerTable, layout } from "@stowage/ir";
import { summarise, writeResults } from "./results.mjs";

const [, , file = "results/epyc/between-cores.json", samples = "15", runs = "1024,1536,2048,3072,4096,6144"] =
  process.argv;
const OPTIONS = { rounds: { repMovsbBytes: Infinity }, repMovsb: { repMovsbBytes: 1024 } };
const SIZES = [8 * 1024, 64 * 1024, 1024 * 1024];
const RUNS_OF_ELEMENT = 4;
const GAP_BYTES = 48;
const LONGER_BYTES = 8;

const here = fileURLToPath(new URL(".", import.meta.url));
const runtime = join(here, "../../../runtime");
const folder = mkdtempSync(join(tmpdir(), "stowage-between-cores-"));
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

function output(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: expected to end with 0, got ${error?.message ?? status}: ${stderr}`);
  return stdout;
}

/** Every second run is a little longer: lengths are read from a table. */
function elementOf(run) {
  const stride = run + LONGER_BYTES + GAP_BYTES;
  const displacements = integerTable(RUNS_OF_ELEMENT, (i) => i * stride);
  const lengths = integerTable(RUNS_OF_ELEMENT, (i) => run + (i % 2) * LONGER_BYTES);
  const root = blocks(displacements, lengths, 1, dense(1));
  return layout(0, root, { lowerBoundBytes: 0, extentBytes: RUNS_OF_ELEMENT * stride });
}

/** The files of the contenders' code for an element, in their order. */
const artifactsOf = (element) =>
  Object.entries(OPTIONS).map(([name, options]) => {
    const backend = new X64Backend(options);
    const path = join(folder, `${name}.stowage`);
    const artifact = backend.compile([packMove(element), unpackMove(element)], conditions());
    writeFileSync(path, encodeArtifact(artifact), { mode: 0o600 });
    return path;
  });

const rows = [];
const ratios = { median: [], least: [] };
try {
  const program = join(folder, "between-cores");
  const sources = [join(here, "between-cores.c"), join(runtime, "stowage.c")];
  output("cc", ["-std=gnu11", "-O2", `-I${runtime}`, "-o", program, ...sources, "-lpthread"]);
  for (const run of runs.split(",").map(Number)) {
    const element = elementOf(run);
    const artifacts = artifactsOf(element);
    for (const size of SIZES) {
      const count = Math.max(1, Math.round(size / element.sizeBytes));
      const lines = output(program, [String(count), samples, ...artifacts])
        .trim()
        .split("\n");
      const measured = Object.keys(OPTIONS).map((contender, i) => {
        const [arrived, ...ns] = lines[i].split(" ").map(Number);
        if (arrived !== 1) throw new Error(`${contender}: expected the bytes that were sent, got others`);
        return { contender, medianNs: median(ns), minNs: Math.min(...ns), maxNs: Math.max(...ns), runs: ns.length };
      });
      const cell = {
        workload: `runs of ${run} and ${run + LONGER_BYTES} bytes`,
        count,
        packedBytes: count * element.sizeBytes,
        direction: "copy",
        route: "host",
      };
      for (const times of measured) rows.push({ ...cell, ...times, verified: true });
      const [rounds, rep] = measured;
      const ratio = (statistic) => rounds[statistic] / rep[statistic];
      ratios.median.push(ratio("medianNs"));
      ratios.least.push(ratio("minNs"));
      console.log(
        `${cell.workload}, ${cell.packedBytes} a message: rounds ${rounds.minNs} ns, REP MOVSB ${rep.minNs} ns at least, ` +
          `${ratio("minNs").toFixed(2)} (of medians ${ratio("medianNs").toFixed(2)})`,
      );
    }
  }
  const summary = { ofMedians: summarise(ratios.median), ofMinima: summarise(ratios.least) };
  console.log(JSON.stringify(summary));
  writeResults(file, rows, { summary });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
