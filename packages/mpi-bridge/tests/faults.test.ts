import type { MpiFamily } from "@stowage/mpi-abi";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { ADVICE, installed, launch, programFile } from "./launch.js";
import { losesStatuses } from "./loses-statuses.js";

/** What a process says that starts alone. */
function alone(source: string, environment: NodeJS.ProcessEnv): string {
  const run = spawnSync(process.execPath, ["--input-type=module", "--eval", source], {
    encoding: "utf8",
    cwd: dirname(programFile("fault")),
    timeout: Number(process.env["STOWAGE_HANG_MS"]),
    env: { ...process.env, ...environment },
  });
  return `${run.stdout}${run.stderr}status ${run.status}`;
}

const SAY = `const say = (work) => { try { work(); } catch (error) { console.log(error.name + ": " + error.message); } };`;

describe.each<MpiFamily>(["openmpi", "mpich"])(`%s (${ADVICE} installs it)`, (family) => {
  const library = installed(family);
  const fault = (name: string): ReturnType<typeof launch> =>
    launch(family, 2, [process.execPath, programFile("fault"), name]);
  /** A rank has ended otherwise than by MPI_Finalize or MPI_Abort: the launcher's status tells it, if it tells any. */
  const isTold = ({ status }: ReturnType<typeof launch>): boolean =>
    status === 0 ? losesStatuses(family) : status !== null; // null where the time limit had to end it

  it.skipIf(library === undefined)("ends all ranks where one dies", () => {
    expect(isTold(fault("dies"))).toBe(true);
    expect(fault("aborts").status).toBe(3);
    expect(isTold(fault("dies in an epoch"))).toBe(true);
  });

  it.skipIf(library === undefined || family !== "openmpi")(
    "an MPI that makes no windows here is told in a line",
    () => {
      const { output } = launch(family, 2, [process.execPath, programFile("fault"), "dies in an epoch"], {
        OMPI_MCA_osc: "sm",
      });
      expect(output).toMatch(
        /BridgeError: window: expected an MPI with one-sided .+, got MPI_Win_create: MPI_ERR_WIN: /,
      );
    },
  );

  it.skipIf(library === undefined)("a callback that throws is told in a line, with what was under way", () => {
    const run = fault("throws");
    const { output } = run;
    expect(output).toContain("a callback of the user's failed");
    expect(output).toMatch(
      /^stowage: rank 1 of 2: expected an exit with 0, got \d+ with 1 request under way: MPI is not finalised, its launcher ends the others$/m,
    );
    expect(isTold(run), output).toBe(true);
  });

  it.skipIf(library === undefined)("a rank that leaves with a receive under way says which", () => {
    const { status, output } = fault("leaves");
    expect(output).toMatch(
      /^stowage: rank 1 of 2: expected no request under way at exit, got 1 request, the first a recv from 0 with tag -1$/m,
    );
    expect(status).not.toBe(0);
  });

  it.skipIf(library === undefined).each(["sends to one who is late", "gives up", "ends a promise late"])(
    "a rank finalises MPI as it ends: %s",
    (how) => {
      const { status, output } = launch(family, 2, [process.execPath, programFile("ends"), how]);
      expect(output).not.toMatch(/under way at exit|not finalised/);
      expect(status, output).toBe(0);
    },
  );

  it.skipIf(library === undefined).each(["isend", "ibcast", "sendInit", "window"])(
    "memory that is transferred away under way is an error in a line, and the end of MPI there: %s",
    (what) => {
      const run = launch(family, 2, [process.execPath, programFile("lost"), what]);
      const { status, output } = run;
      expect(output).toMatch(
        /^stowage: rank 1 of 2: .+ expected its (buffer|memory).* until .+, got (one|a buffer) that was transferred away: MPI is not finalised, its launcher ends the others$/m,
      );
      expect(isTold(run), output).toBe(true);
      // Hydra tells the code of the rank, or the signal by which it ended the other, whichever it learns of first.
      expect([0, 1, 9], output).toContain(status);
    },
  );

  it.skipIf(library === undefined)("a rank that opts in to chunks alone is told within its time limit", () => {
    expect(fault("differs").output).toMatch(/^options of dup of all ranks: expected an end within 300 ms, got none$/m);
  });

  it.skipIf(library === undefined)(
    "a process that starts alone is a world of one, and refuses calls after finalize",
    () => {
      const output = alone(
        `import { openMpi } from "@stowage/mpi-bridge";
       ${SAY}
       const mpi = openMpi();
       console.log(mpi.world.size, mpi.threadLevel);
       const into = new Int32Array(1);
       mpi.world.sendrecv(Int32Array.of(7), 0, into, 0);
       console.log(into[0], openMpi() === mpi);
       mpi.finalize();
       mpi.finalize();
       say(() => mpi.world.send(into, 0));
       say(() => mpi.world.barrier());`,
        { STOWAGE_MPI: library },
      );
      expect(output.replaceAll(/-\d[\w.]*(-abi)?:/g, ":").replaceAll(/^\[WARNING\].*\n/gm, "")).toMatch(
        new RegExp(
          [
            "^1 \\w+",
            "7 true",
            `MpiLibraryError: a message of ${family}: expected a running MPI, got a call after finalize`,
            `MpiLibraryError: MPI_Barrier of ${family}: expected a running MPI, got a call after finalize`,
            "status 0$",
          ].join("\\n"),
        ),
      );
    },
  );

  it.skipIf(library === undefined)("an MPI of another launcher is refused", () => {
    const other = family === "openmpi" ? { PMI_SIZE: "2", PMI_RANK: "0" } : { OMPI_COMM_WORLD_SIZE: "2" };
    const output = alone(`import { openMpi } from "@stowage/mpi-bridge"; ${SAY} say(() => openMpi());`, {
      STOWAGE_MPI: library,
      ...other,
    });
    expect(output).toMatch(
      /^MpiLibraryError: process of an MPI program: expected the MPI whose mpirun started it \((openmpi|mpich)\), got \S+ of \S+\nstatus 0$/,
    );
  });
});

it("no MPI is told in a line", () => {
  const source = `import { openMpi } from "@stowage/mpi-bridge"; ${SAY} say(() => openMpi()); say(() => openMpi({ threads: 3 }));`;
  expect(alone(source, { STOWAGE_MPI: "/no/such/libmpi.so" })).toBe(
    "MpiLibraryError: STOWAGE_MPI: expected the path of an MPI library, got /no/such/libmpi.so, which is not there\n" +
      'BridgeError: MPI options: expected some of library, threadLevel, engine, cuda, cudaAware, nccl, finalize, got "threads"\nstatus 0',
  );
});
