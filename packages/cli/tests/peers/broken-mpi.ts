import { findMpis } from "@stowage/mpi-abi";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** What each broken MPI does otherwise than the MPICH that it is made of. */
const FAULTS = {
  "prints without end of line and starts":
    'int MPI_Init_thread(int *c, char ***v, int r, int *p) { printf("warning: no fabric\\nno"); fflush(stdout); fputs("noise\\n", stderr); return PMPI_Init_thread(c, v, r, p); }',
  "aborts when it starts":
    'int MPI_Init_thread(int *c, char ***v, int r, int *p) { fputs("fatal: no fabric\\n", stderr); abort(); }',
  "hangs when it starts": "int MPI_Init_thread(int *c, char ***v, int r, int *p) { for (;;) sleep(1); }",
  "aborts when it packs": "int MPI_Pack(const void *i, int n, int t, void *o, int s, int *p, int c) { abort(); }",
  "packs other bytes":
    "int MPI_Pack(const void *i, int n, int t, void *o, int s, int *p, int c) { int e = PMPI_Pack(i, n, t, o, s, p, c); ((char *)o)[*p - 1] ^= 1; return e; }",
  "fails when it unpacks":
    "int MPI_Unpack(const void *i, int s, int *p, void *o, int n, int t, int c) { return PMPI_Unpack(i, s, 0, o, n, t, c); }",
} as const;

const HEAD = `
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int PMPI_Init_thread(int *, char ***, int, int *);
int PMPI_Pack(const void *, int, int, void *, int, int *, int);
int PMPI_Unpack(const void *, int, int *, void *, int, int, int);
`;

const mpich = findMpis({ PATH: process.env["PATH"] }).find((path) => basename(path).startsWith("libmpich.so.12"));

/** Why there are no broken MPIs here; undefined where there are. */
export const noBrokenMpis =
  mpich === undefined
    ? "needs MPICH: node scripts/set-up-mpi.mjs"
    : spawnSync("cc", ["--version"]).status === 0
      ? undefined
      : "needs a C compiler";

const folder = mkdtempSync(join(tmpdir(), "stowage-broken-mpi-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

/** A library like MPICH but for one fault. */
export function brokenMpi(fault: keyof typeof FAULTS): string {
  const own = join(folder, fault.replaceAll(" ", "-"));
  mkdirSync(own, { recursive: true });
  const [source, library] = [join(own, "broken.c"), join(own, "libmpich.so.12")];
  writeFileSync(source, `${HEAD}${FAULTS[fault]}\n`);
  const made = spawnSync("cc", ["-shared", "-fPIC", "-w", "-Wl,--no-as-needed", "-o", library, source, mpich ?? ""], {
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`cc: expected a library, got ${made.stderr}`);
  return library;
}
