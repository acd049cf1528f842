import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const C = fileURLToPath(new URL("../../c/", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./convertor-layout.c", import.meta.url));
const told = (...words: readonly [string, ...string[]]): string =>
  spawnSync(words[0], words.slice(1), { encoding: "utf8" }).stdout ?? "";

/** Debian's package has Open MPI's private headers too. */
const folders = told("mpicc.openmpi", "--showme:incdirs")
  .trim()
  .split(/\s+/)
  .map((folder) => join(folder, "openmpi"));
const hasHeaders = folders.some((folder) => existsSync(join(folder, "opal/datatype/opal_convertor.h")));

/** What those headers include besides, and Debian's package lacks or has in part: nothing of it is in a convertor. */
const STAND_INS = {
  "accelerator/accelerator.h": "typedef struct opal_accelerator_stream_t opal_accelerator_stream_t;",
  "threads/pthreads/threads_pthreads_mutex.h": "",
  "threads/pthreads/threads_pthreads_threads.h": "",
  "threads/pthreads/threads_pthreads_tsd.h": "",
  "threads/pthreads/threads_pthreads_wait_sync.h": "",
};

test.runIf(hasHeaders)("the table has fields and flags of a convertor where this Open MPI's headers have them", () => {
  const work = mkdtempSync(join(tmpdir(), "stowage-layout-"));
  const program = join(work, "layout");
  for (const [name, text] of Object.entries(STAND_INS)) {
    const path = join(work, "opal/mca", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }
  const sources = [PROGRAM, join(C, "mpi/openmpi/convertor-layout.c"), join(C, "mpi/next.c")];
  const includes = [work, ...folders, join(C, "mpi"), join(C, "mpi/openmpi")].map((folder) => `-I${folder}`);
  const built = spawnSync("mpicc.openmpi", ["-std=gnu11", "-w", "-o", program, ...sources, ...includes, "-ldl"], {
    encoding: "utf8",
  });
  expect(built.stderr).toBe("");
  const lines = told(program)
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  rmSync(work, { recursive: true });
  expect(lines.length).toBeGreaterThanOrEqual(18);
  for (const [name, theirs, ours] of lines) expect([name, ours]).toEqual([name, theirs]);
});
