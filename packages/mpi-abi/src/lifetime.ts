import { quoted } from "@stowage/ir";
import { call } from "./check.js";
import { MpiLibraryError } from "./errors.js";
import { requireMpi, type Mpi } from "./mpi.js";
import { int32, takeInt } from "./native/cells.js";

/** Which threads may call MPI (MPI 4.1, section 11.6.2), in the order of what they allow. */
const THREAD_LEVELS = ["single", "funneled", "serialized", "multiple"] as const;
/** How threads may use MPI: MPI_THREAD_SINGLE, FUNNELED, SERIALIZED or MULTIPLE (MPI 4.1, section 11.6.2). */
export type ThreadLevel = (typeof THREAD_LEVELS)[number];

/**
 * Starts MPI where it is not yet running, as one of the processes that mpirun started or else as one alone, and lets
 * it return errors instead of aborting (MPI_Init_thread). Returns the level of threading that it provides.
 * Throws a MpiLibraryError where MPI was finalised before, for it cannot start twice in a process, or `wanted` is no
 * level; a MpiError where MPI refuses.
 */
export function initialise(mpi: Mpi, wanted: ThreadLevel = "funneled"): ThreadLevel {
  requireMpi(mpi);
  if (!THREAD_LEVELS.includes(wanted))
    throw new MpiLibraryError(`threads of MPI: expected ${THREAD_LEVELS.join(", ")}, got ${quoted(wanted)}`);
  if (isFinalised(mpi)) {
    throw new MpiLibraryError(
      `${mpi.name}: expected to be initialised once in a process, got a call after MPI_Finalize`,
    );
  }
  if (!isInitialised(mpi))
    call(mpi, "MPI_Init_thread", 0, 0, mpi.abi.threadLevels[THREAD_LEVELS.indexOf(wanted)] as number, int32);
  // Errors of datatype calls go to MPI_COMM_WORLD up to MPI 3.1 and to MPI_COMM_SELF from 4.0 on.
  for (const comm of [mpi.constants.world, mpi.constants.self]) {
    call(mpi, "MPI_Comm_set_errhandler", comm, mpi.constants.errorsReturn);
  }
  call(mpi, "MPI_Query_thread", int32);
  return THREAD_LEVELS[mpi.abi.threadLevels.indexOf(takeInt())] ?? "single";
}

/**
 * Ends MPI where it is running (MPI_Finalize). Nothing of it can be used afterwards. Throws a MpiError where it fails.
 */
export function finalise(mpi: Mpi): void {
  requireMpi(mpi);
  if (isInitialised(mpi) && !isFinalised(mpi)) call(mpi, "MPI_Finalize");
}

function isInitialised(mpi: Mpi): boolean {
  call(mpi, "MPI_Initialized", int32);
  return takeInt() !== 0;
}

function isFinalised(mpi: Mpi): boolean {
  call(mpi, "MPI_Finalized", int32);
  return takeInt() !== 0;
}
