import { findMpis, mpiTools } from "@stowage/mpi-abi";
import { describe, expect, it } from "vitest";
import { EXPERIMENT_NAMES, measureOverheads, type OverheadRow } from "../../src/index.js";

const LIMIT_MS = 300_000;
const MPIS = findMpis({ ...process.env, STOWAGE_MPI: "" }).map((library) => ({ library, ...mpiTools(library) }));

describe.each(MPIS)("all ten under $family", ({ library, compiler }) => {
  it.skipIf(compiler === undefined)(
    "give rows in C and through the bridge, and of every peer on 4 ranks",
    { timeout: LIMIT_MS },
    async () => {
      const rows: OverheadRow[] = [];
      const remarks: string[] = [];
      const asked = { library, name: "mpi", quick: true, stopped: () => Promise.resolve(false) };
      const told = { row: (row: OverheadRow) => rows.push(row), remark: (line: string) => remarks.push(line) };
      await measureOverheads({ ...asked, ...told, ranks: 4 });
      // Debian builds MPICH so that it always looks at arguments.
      for (const remark of remarks)
        expect(remark).toMatch(/: expected an MPI whose checks can be turned off, got mpi$/);
      for (const by of ["c", "bridge"])
        expect(new Set(rows.filter((row) => row.by === by).map(({ experiment }) => experiment))).toEqual(
          new Set(EXPERIMENT_NAMES),
        );
      for (const experiment of ["matching", "unexpected"])
        expect(
          rows
            .filter((row) => row.experiment === experiment && row.panel === "peers" && row.by === "c")
            .map(({ x }) => x),
        ).toEqual([1, 2, 3]);
    },
  );
});
