import type { BoundsRule } from "@stowage/ir";
import type { Abi, Constants, MpiFamily } from "./abi/abi.js";
import { quoted } from "@stowage/ir";
import { LiveHandles } from "./datatype/live-handles.js";
import { MpiLibraryError } from "./errors.js";
import type { AllCalls } from "./native/calls.js";

/** A user's MPI, loaded into this process. There is at most one. */
export interface Mpi {
  /** The family and version, such as `openmpi-4.1.4`, or `mpich-5.0.2-abi` for a library of the standard's ABI. */
  readonly name: string;
  readonly family: MpiFamily;
  /** The release, such as "4.1.4". */
  readonly version: string;
  /** The path of the file that was loaded, links resolved. */
  readonly path: string;
  /** All that the library says of itself (MPI_Get_library_version). */
  readonly description: string;
  /** The rule by which this MPI computes bounds that nobody set: what lower and boundsOf take as `bounds`. */
  readonly bounds: BoundsRule;
  readonly abi: Abi;
  readonly constants: Constants;
  /** Datatype handles that are known to be alive. */
  readonly live: LiveHandles;
  /**
   * The bare calls, each returning an error code. `call` makes one and checks the code. Where MPI does not run, before
   * `initialise` or after `finalise`, they throw a MpiLibraryError: most MPIs would end the process.
   */
  readonly calls: AllCalls;
  /** Whether the library exports a symbol. */
  exports(symbol: string): boolean;
  /**
   * The address of an exported symbol, for machine code that calls it. Throws an Error of koffi where there is none.
   */
  addressOf(symbol: string): number;
  /**
   * Binds another call of the library, by its C parameter list, such as "int, Handle, void *", where `Handle` is the C
   * type of any handle. It returns an error code, for `check`. Throws a MpiLibraryError where the library does not
   * export it.
   */
  bind(name: string, parameters: string): (...args: never[]) => number;
}

/** Throws a MpiLibraryError where plain JavaScript handed over something that loadMpi did not give. */
export function requireMpi(mpi: Mpi): Mpi {
  if (typeof mpi === "object" && (mpi as Mpi | null) !== null && mpi.live instanceof LiveHandles) return mpi;
  throw new MpiLibraryError(`MPI: expected one that loadMpi gave, got ${quoted(mpi)}`);
}
