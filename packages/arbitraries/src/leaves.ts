import { boundsOf, contiguous, predefined, PREDEFINED_NAMES, type Datatype } from "@stowage/ir";
import * as fc from "fast-check";

const names = PREDEFINED_NAMES.map((name) => ({ name, bounds: boundsOf(predefined(name)) }));
const pairs = names.filter(({ bounds }) => bounds.sizeBytes !== bounds.extentBytes);

/** Predefined types: all, the usual ones and pairs with gaps more often; and runs of bytes of odd length. */
export const anyLeaf: fc.Arbitrary<Datatype> = fc.oneof(
  fc.constantFrom(predefined("MPI_BYTE"), predefined("MPI_INT"), predefined("MPI_DOUBLE"), predefined("MPI_FLOAT")),
  fc.constantFrom(...names).map(({ name }) => predefined(name)),
  fc.constantFrom(...pairs).map(({ name }) => predefined(name)),
  fc.integer({ min: 1, max: 17 }).map((length) => contiguous(length, predefined("MPI_BYTE"))),
);
