import { referencePack } from "@stowage/conformance/laws";
import { lower, printDatatypeText, runs, type Datatype, type Layout } from "@stowage/ir";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { exportDatatype, MpiLibraryError, pack, type Mpi } from "../src/index.js";
import { isMispacked, mayLosePadding } from "./deviations.js";
import { withEmptyMembers } from "./with-empty-members.js";

const SEED = Number(process.env["STOWAGE_SEED"] ?? 20261123);
const DATATYPES = 2000;
/** Most bytes that the elements of one reach over. */
const MOST_BYTES = 100_000;
const COUNT = 3;
/** Fewest that are compared: as drawn, two in five hold data and are within that reach. */
const LEAST_COMPARED = DATATYPES / 5;

/** Several elements of types that hold members of nothing: where each lies is a matter of bounds. */
export function describeElements(mpi: () => Mpi): void {
  it(`packs elements as the reference does, of ${DATATYPES} datatypes with the standard's bounds`, () => {
    let compared = 0;
    for (const datatype of packable(mpi())) {
      const { bytes, originBytes } = elementsOf(lower(datatype));
      const expected = referencePack(datatype, { bytes, originBytes, count: COUNT });
      compared += Number(isPackedAs(expected, mpi(), datatype, "standard"));
    }
    expect(compared).toBeGreaterThan(LEAST_COMPARED);
  });

  it(`packs elements as a walk over the layout, of ${DATATYPES} datatypes with the MPI's own bounds`, () => {
    const { bounds } = mpi();
    let compared = 0;
    for (const datatype of packable(mpi())) {
      const expected = walked(lower(datatype, { bounds }));
      compared += Number(isPackedAs(expected, mpi(), datatype, bounds));
    }
    expect(compared).toBeGreaterThan(LEAST_COMPARED);
  });
}

/** Fails where the bytes differ; false where MPICH 4.0 packs short once many datatypes have been, and says so. */
function isPackedAs(expected: Uint8Array, mpi: Mpi, datatype: Datatype, bounds: Mpi["bounds"]): boolean {
  try {
    expect(packed(mpi, datatype, bounds), printDatatypeText(datatype)).toEqual(expected);
    return true;
  } catch (error) {
    const isShort = error instanceof MpiLibraryError && /^position after MPI_Pack of mpich-4\.0/.test(error.message);
    if (isShort) return false;
    throw error;
  }
}

/** Datatypes with data, of a reach that a test may hold, without long doubles where their padding may be lost. */
function* packable(mpi: Mpi): Generator<Datatype> {
  const { bounds } = mpi;
  for (const datatype of fc.sample(withEmptyMembers, { numRuns: DATATYPES, seed: SEED })) {
    const isWithin = [lower(datatype), lower(datatype, { bounds })].every(
      (layout) => layout.sizeBytes > 0 && reachOf(layout).bytes <= MOST_BYTES,
    );
    const isPadded = mayLosePadding(mpi) && printDatatypeText(datatype).includes("MPI_LONG_DOUBLE");
    if (isWithin && !isPadded && !isMispacked(mpi, datatype)) yield datatype;
  }
}

function reachOf({ extentBytes, trueLowerBoundBytes, trueExtentBytes }: Layout): { low: number; bytes: number } {
  const last = (COUNT - 1) * extentBytes;
  return { low: trueLowerBoundBytes + Math.min(0, last), bytes: trueExtentBytes + Math.abs(last) };
}

/** Memory that holds the elements and no byte more, each byte unlike its neighbours. */
function elementsOf(layout: Layout): { readonly bytes: Uint8Array; readonly originBytes: number } {
  const { low, bytes } = reachOf(layout);
  return { bytes: Uint8Array.from({ length: bytes }, (_, i) => i * 131 + (i >> 8) * 17 + 7), originBytes: -low };
}

function packed(mpi: Mpi, datatype: Datatype, bounds: Mpi["bounds"]): Uint8Array {
  const layout = lower(datatype, { bounds });
  const { bytes: scattered, originBytes } = elementsOf(layout);
  using made = exportDatatype(mpi, datatype, { bounds });
  const stream = new Uint8Array(COUNT * layout.sizeBytes);
  pack(mpi, { datatype: made.handle, count: COUNT, scattered, originBytes, packed: stream });
  return stream;
}

function walked(layout: Layout): Uint8Array {
  const { bytes, originBytes } = elementsOf(layout);
  const stream = new Uint8Array(COUNT * layout.sizeBytes);
  let filled = 0;
  for (const run of runs(layout, { count: COUNT, first: 0, length: stream.length })) {
    const from = originBytes + run.offsetBytes;
    stream.set(bytes.subarray(from, from + run.lengthBytes), filled);
    filled += run.lengthBytes;
  }
  return stream;
}
