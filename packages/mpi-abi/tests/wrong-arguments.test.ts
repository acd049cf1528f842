import { predefined, StowageError, vector } from "@stowage/ir";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as abi from "../src/index.js";
import { ADVICE, installed } from "./installed.js";

const SEED = Number(process.env["STOWAGE_SEED"] ?? 20_261_122);
const path = installed("mpich") ?? installed("openmpi");

const junk = fc.constantFrom<unknown>(undefined, null, NaN, -1, 0.5, 2 ** 53, 1n, "", "sideways", {}, [], () => 1);

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Object.isFrozen(value);

describe.skipIf(path === undefined)(`wrong arguments of an MPI (${ADVICE} installs one); seed ${SEED}`, () => {
  let mpi: abi.Mpi;
  beforeAll(() => {
    mpi = abi.loadMpi(path);
    abi.initialise(mpi);
  });
  afterAll(() => abi.finalise(mpi));

  const byte = () => abi.predefinedHandle(mpi, "MPI_BYTE");
  const packing = () => ({
    datatype: byte(),
    count: 3,
    scattered: new Uint8Array(3),
    originBytes: 0,
    packed: new Uint8Array(64),
  });
  /** Every function but the raw calls of C, and those that end MPI. */
  const calls: Readonly<Record<string, () => readonly unknown[]>> = {
    constructDatatype: () => [mpi, vector(3, 2, 5, predefined("MPI_BYTE"))],
    exportDatatype: () => [mpi, vector(3, 2, 5, predefined("MPI_BYTE")), {}],
    importDatatype: () => [mpi, byte()],
    initialise: () => [mpi, "funneled"],
    pack: () => [mpi, packing()],
    packSize: () => [mpi, byte(), 3],
    predefinedHandle: () => [mpi, "MPI_INT"],
    predefinedName: () => [mpi, byte()],
    realEnvelope: () => [mpi, byte()],
    typeBounds: () => [mpi, byte()],
    typeName: () => [mpi, byte()],
    unpack: () => [mpi, packing()],
  };

  test.each(Object.keys(calls))("%s gives StowageErrors alone", (name) => {
    const call = abi[name as keyof typeof abi] as (...given: readonly unknown[]) => unknown;
    const right = calls[name] as () => readonly unknown[];
    expect(() => call(...right())).not.toThrow();
    fc.assert(
      fc.property(fc.nat(), fc.nat(), junk, (index, field, wrong) => {
        const given = [...right()];
        const at = index % given.length;
        // A field may be wrong in records that are written by hand; a datatype is what a builder made.
        const keys = isRecord(given[at]) ? Object.keys(given[at]) : [];
        const key = keys[field % (keys.length + 1)];
        given[at] = key === undefined ? wrong : { ...(given[at] as object), [key]: wrong };
        try {
          const made = call(...given);
          if (made instanceof abi.MpiDatatype) made[Symbol.dispose]();
        } catch (error) {
          expect(error).toBeInstanceOf(StowageError);
          expect((error as Error).message).toMatch(/^\S[^\n]*$/);
        }
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  test("what is no library, no envelope and no handle to trust", () => {
    expect(() => abi.loadMpi(3 as never)).toThrow(abi.MpiLibraryError);
    expect(() => abi.realContents(mpi, byte(), null as never)).toThrow(abi.MpiLibraryError);
    expect(() => abi.trustHandle(null as never, byte())).toThrow(abi.MpiLibraryError);
    expect(() => new abi.MpiDatatype({} as never, byte(), false)).toThrow(abi.MpiLibraryError);
    expect(() => abi.finalise(undefined as never)).toThrow(abi.MpiLibraryError);
  });
});
