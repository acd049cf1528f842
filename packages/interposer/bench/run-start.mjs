// What `stowage run` adds to a command, in turns with the command alone: a program of two ranks that starts MPI and
// ends it, and one that sends a datatype besides. The libraries are built before, and code lies in the cache.
// node packages/interposer/bench/run-start.mjs [OUT.json [TURNS [MODULES]]], after npm run build; MODULES is the folder
// of another build's packages, such as tmp/packages of scripts/stage-packages.mjs.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { heading, scriptCommand, summarise, writeResults } from "@stowage/bench";
import { startService } from "@stowage/interposer";

const [, , out, turns = "15", packages = fileURLToPath(new URL("../..", import.meta.url))] = process.argv;
const MAIN = resolve(packages, "cli/bin/stowage.js");
const folder = mkdtempSync(join(tmpdir(), "stowage-start-"));
const environment = {
  ...process.env,
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
  XDG_CACHE_HOME: folder,
  XDG_RUNTIME_DIR: folder,
};

const PROGRAM = `
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  static double field[4096];
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) {
    MPI_Datatype column;
    MPI_Type_vector(64, 1, 64, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < 100; i++)
      if (rank == 0) MPI_Send(field, 1, column, 1, 0, MPI_COMM_WORLD);
      else MPI_Recv(field, 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
  }
  MPI_Finalize();
  return 0;
}
`;

/** Milliseconds from a command's start to its end. */
function millisecondsOf(words) {
  const begin = performance.now();
  const { status, stderr } = spawnSync(words[0], words.slice(1), { env: environment, encoding: "utf8" });
  const milliseconds = performance.now() - begin;
  if (status !== 0) throw new Error(`${words.join(" ")}: expected 0, got ${status}: ${stderr}`);
  return milliseconds;
}

/** Its process is not waited for by Node itself. */
async function over({ process: child }) {
  let isOver = child === undefined;
  child?.once("exit", () => (isOver = true));
  while (!isOver) await setTimeout(5);
}

const summary = (samples) => {
  const { medianNs, minNs, maxNs } = summarise(samples.map((milliseconds) => milliseconds * 1e6));
  return { medianNs, minNs, maxNs, runs: samples.length };
};

const rows = [];
try {
  writeFileSync(join(folder, "program.c"), PROGRAM);
  for (const mpi of ["mpich", "openmpi"]) {
    const program = join(folder, mpi);
    millisecondsOf([`mpicc.${mpi}`, "-o", program, join(folder, "program.c")]);
    for (const argument of [[], ["datatype"]]) {
      const native = [`mpirun.${mpi}`, "-n", "2", program, ...argument];
      const ours = [process.execPath, MAIN, "run", "--", ...native];
      const samples = { native: [], node: [], ours: [], "ours, a service runs": [] };
      // Builds the libraries, and has code made: what a run has asked for is there in the next.
      for (let i = 0; i < 3; i++) millisecondsOf(ours);
      for (let turn = 0; turn < Number(turns); turn++) {
        samples.native.push(millisecondsOf(native));
        samples.node.push(millisecondsOf([process.execPath, "-e", "0"]));
        samples.ours.push(millisecondsOf(ours));
        const service = await startService(environment);
        samples["ours, a service runs"].push(millisecondsOf(ours));
        const ended = over(service);
        service.end();
        await ended;
      }
      const nativeNs = summary(samples.native).medianNs;
      for (const [contender, times] of Object.entries(samples)) {
        const row = { mpi, program: argument[0] ?? "start and end", contender, ...summary(times) };
        rows.push({ ...row, overNativeNs: row.medianNs - nativeNs });
        const [median, least, over] = [row.medianNs, row.minNs, row.medianNs - nativeNs].map((ns) => ns / 1e6);
        console.log(
          `${mpi}, ${row.program}, ${contender}: ${median.toFixed(0)} ms (least ${least.toFixed(0)}), ${over.toFixed(0)} over native`,
        );
      }
    }
  }
  if (out !== undefined) writeResults(out, heading(scriptCommand()), rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
