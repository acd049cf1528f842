import { anyDatatype } from "@stowage/arbitraries";
import { printDatatypeText, type Datatype } from "@stowage/ir";
import {
  constructDatatype,
  finalise,
  initialise,
  loadMpi,
  typeBounds,
  type Mpi,
  type MpiFamily,
} from "@stowage/mpi-abi";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isRefused, stepsBackByOne } from "../../../mpi-abi/tests/deviations.js";
import { ADVICE, installed } from "../../../mpi-abi/tests/installed.js";
import { withEmptyMembers } from "../../../mpi-abi/tests/with-empty-members.js";
import { libstowage } from "../library/library.js";

const RUNS = Number(process.env["STOWAGE_LAW_RUNS"] ?? 5500);
const SEED = Number(process.env["STOWAGE_SEED"] ?? 44);

/** Where Open MPI makes the type, and all of it lies where its bounds say: packages/mpi-abi/tests/deviations.ts. */
const isAsked = (family: MpiFamily, datatype: Datatype): boolean =>
  family === "mpich" || !(stepsBackByOne(datatype) || isRefused(datatype));

/**
 * What libstowage's constructors, called in C, say of a type, and what the MPI that runs says of the same one, made by
 * its own: no rule of TypeScript's stands between them. One file and so one process an MPI.
 */
export function describeBounds(family: MpiFamily): void {
  const path = installed(family);
  if (path === undefined) {
    describe.skip(`${family}: not installed here; ${ADVICE} installs it`, () => test("is not run", () => undefined));
    return;
  }
  describe(family, () => {
    let mpi: Mpi;
    beforeAll(() => {
      mpi = loadMpi(path);
      initialise(mpi);
    });
    afterAll(() => finalise(mpi));

    test.each([
      ["any datatypes", anyDatatype()],
      ["datatypes with empty members", withEmptyMembers],
    ])("libstowage's constructors give %s the size and bounds that this MPI tells of them", (_, types) => {
      let asked = 0;
      const property = fc.property(types, (datatype) => {
        if (!isAsked(family, datatype)) return;
        asked++;
        requireSame(mpi, datatype);
      });
      fc.assert(property, { numRuns: RUNS, seed: SEED });
      expect(asked).toBeGreaterThan(0.8 * RUNS);
    });
  });
}

function requireSame(mpi: Mpi, datatype: Datatype): void {
  const text = printDatatypeText(datatype);
  using made = constructDatatype(mpi, datatype);
  using type = libstowage().commit(datatype, mpi.bounds);
  const theirs = typeBounds(mpi, made.handle);
  const { sizeBytes, bounds } = type;
  const { lower_bound: lowerBoundBytes, extent: extentBytes } = bounds;
  expect({ sizeBytes, lowerBoundBytes, extentBytes }, text).toEqual({
    sizeBytes: theirs.sizeBytes,
    lowerBoundBytes: theirs.lowerBoundBytes,
    extentBytes: theirs.extentBytes,
  });
  // Without data true bounds mean nothing, and MPICH counts members without data among them.
  if (sizeBytes === 0) return;
  const [from, end] = [bounds.true_lower_bound, bounds.true_lower_bound + bounds.true_extent];
  expect(theirs.trueLowerBoundBytes, text).toBeLessThanOrEqual(from);
  expect(theirs.trueLowerBoundBytes + theirs.trueExtentBytes, text).toBeGreaterThanOrEqual(end);
  if (mpi.family === "openmpi")
    expect([theirs.trueLowerBoundBytes, theirs.trueExtentBytes], text).toEqual([from, end - from]);
}
