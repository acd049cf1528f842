import { findMpis, isStandardLibrary, mpiTools } from "@stowage/mpi-abi";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { measureOverheads, type MeasuredLoad, type OverheadRow } from "../src/index.js";

const ADVICE = "node scripts/set-up-mpi.mjs installs them";
/** Whether the libraries under test have the standard's ABI: STOWAGE_TEST_ABI=standard asks for it. */
const isStandard = process.env["STOWAGE_TEST_ABI"] === "standard";
const MPIS = (["openmpi", "mpich"] as const).map((family) => ({
  family,
  library: findMpis({ ...process.env, STOWAGE_MPI: "" }).find(
    (path) => mpiTools(path).family === family && isStandardLibrary(path) === isStandard,
  ),
}));

/** What one run told, with nobody to stop it. */
async function told(library: string, asked: Partial<Parameters<typeof measureOverheads>[0]>) {
  const [rows, loads, remarks]: [OverheadRow[], MeasuredLoad[], string[]] = [[], [], []];
  await measureOverheads({
    ...{ library, name: "mpi", ranks: 2, quick: true, callers: ["c"] as const },
    row: (row) => rows.push(row),
    load: (load) => loads.push(load),
    remark: (line) => remarks.push(line),
    stopped: () => Promise.resolve(false),
    ...asked,
  });
  return { rows, loads, remarks };
}

const { PATH, STOWAGE_MPICC, STOWAGE_MPIRUN, OMPI_MCA_plm } = process.env;
afterEach(() => {
  for (const [name, value] of Object.entries({ PATH, STOWAGE_MPICC, STOWAGE_MPIRUN, OMPI_MCA_plm })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

describe.each(MPIS)(`experiments under $family (${ADVICE})`, ({ library = "" }) => {
  const hasCompiler = library !== "" && mpiTools(library).compiler !== undefined;

  it.skipIf(!hasCompiler)("in C give rows, and one that lacks ranks says how many it needs", async () => {
    const two = await told(library, { experiments: ["waitany"] });
    expect(two.remarks).toEqual([]);
    expect(new Set(two.rows.map(({ panel }) => panel))).toEqual(new Set(["requests"]));
    expect(two.loads).toMatchObject([{ mpi: "mpi", ranks: 2, by: "c", experiments: ["waitany"] }]);
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

// One MPI is enough: nothing of it is asked but ranks.
describe(`experiments without mpicc (${ADVICE})`, () => {
  const library = MPIS.find((each) => each.library !== undefined)?.library ?? "";
  it.skipIf(library === "")("are the bridge's half", async () => {
    const { launcher = "" } = mpiTools(library);
    const folders = (PATH ?? "").split(delimiter);
    process.env["STOWAGE_MPIRUN"] = folders.map((folder) => join(folder, launcher)).find(existsSync);
    process.env["OMPI_MCA_plm"] = "isolated"; // others look for ssh
    process.env["PATH"] = "/nowhere";
    const { rows, remarks } = await told(library, { experiments: ["threads"], ranks: 1, callers: ["c", "bridge"] });
    expect(remarks).toEqual(["mpi: expected its mpicc, got none on PATH: the experiments in C are left out"]);
    expect(rows.map(({ by, series }) => [by, series])).toEqual([["bridge", "bridge, processes"]]);
  });
});
