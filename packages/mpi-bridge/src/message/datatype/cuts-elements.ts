import type { Mpi } from "@stowage/mpi-abi";

/** From here on MPICH gives UCX the memory of a receive's datatype only where MPIR_CVAR_UCX_DT_RECV asks for it. */
const [MAJOR, MINOR] = [4, 2];

/**
 * Whether a receive into elements of several basic types may fail where what comes is bytes: in shared memory UCX cuts
 * contiguous messages into fragments of 8,240 bytes, and MPICH's unpack takes no part of a basic element, which it
 * tells as MPI_ERR_TRUNCATE. What its own datatypes send is cut between elements. The partner that it would take to try
 * is another process, so that the device and the version decide.
 */
export function cutsElements({ family, version, description }: Mpi, environment = process.env): boolean {
  if (family !== "mpich" || !/ch4:ucx/.test(description)) return false;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isBefore = major < MAJOR || (major === MAJOR && minor < MINOR);
  return isBefore || /^(1|y|yes|true|on)$/i.test(environment["MPIR_CVAR_UCX_DT_RECV"] ?? "");
}
