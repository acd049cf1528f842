import { quoted, type PredefinedName } from "@stowage/ir";
import { call } from "../check.js";
import { MpiLibraryError } from "../errors.js";
import { requireMpi, type Mpi } from "../mpi.js";
import { int32, takeInt } from "../native/cells.js";

/** The MPI_Datatype handle of a predefined datatype. Throws a MpiLibraryError where this MPI was built without it. */
export function predefinedHandle(mpi: Mpi, name: PredefinedName): number {
  const handle = requireMpi(mpi).constants.datatypes.get(name);
  if (handle !== undefined) return handle;
  throw new MpiLibraryError(
    `${typeof name === "string" ? name : quoted(name)}: expected a datatype of ${mpi.name}, got none of that name`,
  );
}

/** The C name of a predefined datatype; of synonyms, the one that ir names first. Undefined for any other handle. */
export function predefinedName(mpi: Mpi, handle: number): PredefinedName | undefined {
  for (const [name, known] of requireMpi(mpi).constants.datatypes) if (known === handle) return name;
  return undefined;
}

/** MPI_MAX_OBJECT_NAME is 64 in Open MPI and 128 in MPICH. */
const NAME = new Uint8Array(new ArrayBuffer(512));

/**
 * The name that an MPI gives a datatype (MPI_Type_get_name; MPI 4.1, section 7.8): predefined ones have theirs, others
 * "". Throws a MpiLibraryError for a handle that is not known to be alive.
 */
export function typeName(mpi: Mpi, handle: number): string {
  requireMpi(mpi).live.require(handle);
  call(mpi, "MPI_Type_get_name", handle, NAME, int32);
  return Buffer.from(NAME.subarray(0, takeInt())).toString("utf8");
}
