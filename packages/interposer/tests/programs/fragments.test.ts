import { describe, expect, test } from "vitest";
import { buildLibrary } from "../../src/index.js";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within, type InstalledMpi } from "./ranks.js";

const RIGHT = "128 messages, 0 wrong\n";
/** No code, and nobody to ask for any. */
const WITHOUT_CODE = ["STOWAGE_SERVICE=", "STOWAGE_CACHE="];

describe.each(INSTALLED)("$name", (mpi) => {
  test("MPI_PACKED and MPI_BYTE arrive in structs whose elements the MPI's fragments cut, native or ours", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "fragments.c")];
      const native = ran(surroundings, 2, words, { variables: WITHOUT_CODE });
      expect(native.output).toBe(RIGHT);
      expect(countsOf(native).ourMessages).toBe(0);
      expect(ran(surroundings, 2, words, {}).output).toBe(RIGHT);
      await codeHasCome(surroundings);
      const ours = ran(surroundings, 2, words, {});
      expect(ours.output).toBe(RIGHT);
      expect(countsOf(ours).nativeBytes).toBe(0);
      expect(countsOf(ours).ourMessages).toBeGreaterThanOrEqual(128);
    }));
});

/** From 4.2 on MPICH receives by UCX's datatypes where it is told to; those with the standard's ABI are later. */
const canBeTold = async ({ abi, compiler }: InstalledMpi): Promise<boolean> => {
  const [major = 0, minor = 0] = (await buildLibrary(compiler)).mpi.version.split(".").map(Number);
  return abi === "mpi-abi" || major > 4 || (major === 4 && minor >= 2);
};

test.each(INSTALLED.filter(({ family }) => family === "mpich"))(
  "$name is told to receive by our code, unless the user has told it otherwise: then its receives are counted, and a line says so",
  (mpi) =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "fragments.c")];
      ran(surroundings, 2, words, {});
      await codeHasCome(surroundings);
      const received = / received: (\d+) and (\d+) messages/g;
      const sides = (variables: readonly string[]): readonly string[] =>
        Array.from(
          ran(surroundings, 2, words, { variables }).errors.matchAll(received),
          ([, ours, native]) => `${ours} ${native}`,
        ).sort();
      expect(sides([])).toEqual(["0 0", "128 0"]);
      const told = await canBeTold(mpi);
      expect(sides(["MPIR_CVAR_UCX_DT_RECV=0"])).toEqual(["0 0", told ? "0 128" : "128 0"]);
      const { errors } = ran(surroundings, 2, words, { variables: ["MPIR_CVAR_UCX_DT_RECV=0"] });
      expect(errors.includes("received messages stay native: MPIR_CVAR_UCX_DT_RECV is off")).toBe(told);
    }),
);
