import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildLibrary } from "../../src/index.js";
import { INSTALLED, ran } from "../programs/ranks.js";
import { inFolder } from "../service/in-folder.js";
import { routesOf } from "./routes.js";
import { withStandIn } from "./stand-in.js";

const SOURCE = readFileSync(new URL("../../c/gpu/route-table.c", import.meta.url), "utf8");
/** The routes that a table may name, as the library knows them. */
const NAMES = [...(/names\[ROUTE_NAMES\] = \{([^}]*)\}/.exec(SOURCE)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(
  ([, name]) => String(name),
);

test("the source says which routes a table may name", () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(3);
});

/** Without a service there is no code: elements go run by run, by the same route. tests/long has kernels, too. */
test.runIf(INSTALLED.length > 0)("each route that a table may name brings what is received on the host", () => {
  const [mpi] = INSTALLED;
  if (mpi === undefined) throw new Error("MPI: expected one, got none");
  return inFolder(async (folder) => {
    const { path: library } = await buildLibrary(mpi.compiler);
    const surroundings = { mpi, folder, library, service: { path: join(folder, "none"), end: () => undefined } };
    const program = withStandIn(surroundings.folder, mpi, "messages.c");
    const onHost = ran(surroundings, 2, [program, "host", "5"]).output;
    for (const name of NAMES) {
      const variables = [routesOf(surroundings.folder, ["ipc 1000000000000", "launch 1", `route 0 0 ${name}`])];
      const { output, errors } = ran(surroundings, 2, [program, "device", "5"], { variables });
      expect({ name, output }).toEqual({ name, output: onHost });
      expect(errors).not.toContain("expected a table of routes");
    }
  });
});
