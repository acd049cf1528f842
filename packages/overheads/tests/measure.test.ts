import { findMpis, mpiTools } from "@stowage/mpi-abi";
import { afterEach, describe, expect, it } from "vitest";
import { measureOverheads, type OverheadRow } from "../src/index.js";

const ADVICE = "node scripts/set-up-mpi.mjs installs them";
const MPIS = (["openmpi", "mpich"] as const).map((family) => ({
  family,
  library: findMpis({ ...process.env, STOWAGE_MPI: "" }).find((path) => mpiTools(path).family === family),
}));

/** What one run told, with nobody to stop it. */
async function told(library: string, asked: Partial<Parameters<typeof measureOverheads>[0]>) {
  const [rows, remarks]: [OverheadRow[], string[]] = [[], []];
  await measureOverheads({
    ...{ library, name: "mpi", ranks: 2, quick: true, callers: ["c"] as const },
    row: (row) => rows.push(row),
    remark: (line) => remarks.push(line),
    stopped: () => Promise.resolve(false),
    ...asked,
  });
  return { rows, remarks };
}

const { STOWAGE_MPICC } = process.env;
afterEach(() => {
  if (STOWAGE_MPICC === undefined) delete process.env["STOWAGE_MPICC"];
  else process.env["STOWAGE_MPICC"] = STOWAGE_MPICC;
});

describe.each(MPIS)(`experiments under $family (${ADVICE})`, ({ library = "" }) => {
  const hasCompiler = library !== "" && mpiTools(library).compiler !== undefined;

  it.skipIf(!hasCompiler)("in C give rows, and one that lacks ranks says how many it needs", async () => {
    const two = await told(library, { experiments: ["waitany"] });
    expect(two.remarks).toEqual([]);
    expect(new Set(two.rows.map(({ panel }) => panel))).toEqual(new Set(["requests"]));
    const one = await told(library, { experiments: ["matching"], ranks: 1 });
    expect([one.rows, one.remarks]).toEqual([[], ["matching: expected at least 2 ranks, got 1"]]);
  });

  it.skipIf(library === "")("say in one line where a compiler fails, and go on", async () => {
    process.env["STOWAGE_MPICC"] = "/nowhere/mpicc";
    const { rows, remarks } = await told(library, { experiments: ["waitany"] });
    expect(rows).toEqual([]);
    expect(remarks).toEqual([
      expect.stringMatching(/^waitany: \/nowhere\/mpicc of waitany\.c: expected to compile it, got /),
    ]);
  });

  it.skipIf(!hasCompiler)("end where the user asks to stop, and what was measured is told by then", async () => {
    let rows = 0;
    await told(library, { experiments: ["stack"], row: () => rows++, stopped: () => Promise.resolve(rows > 0) });
    expect(rows).toBeGreaterThan(0);
  });
});
