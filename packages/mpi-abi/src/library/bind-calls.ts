import type { LibraryHandle } from "koffi";
import type { Abi } from "../abi/abi.js";
import { MpiLibraryError } from "../errors.js";
import type { AllCalls } from "../native/calls.js";
import { int32, takeInt } from "../native/cells.js";
import { PROTOTYPES } from "../native/prototypes.js";

type Name = keyof AllCalls;
type BareCall = (...args: never[]) => number;

/** What may be called where MPI does not run (MPI 4.1, section 11.4.1). */
const ANYWHERE: ReadonlySet<Name> = new Set([
  "MPI_Initialized",
  "MPI_Finalized",
  "MPI_Init_thread",
  "MPI_Error_class",
  "MPI_Error_string",
] as const);

/**
 * Every call of PROTOTYPES. One that this library lacks throws when it is made, not before; so does one that is made
 * where MPI does not run. Once MPI was seen to run each call is the library's own, until MPI_Finalize.
 */
export function bindCalls(library: LibraryHandle, abi: Abi, mpi: string): AllCalls {
  const names = Object.keys(PROTOTYPES) as Name[];
  const bare = Object.fromEntries(names.map((name) => [name, boundOrThrowing(library, abi, mpi, name)]));
  const calls: Record<string, BareCall> = { ...bare };
  const isRunning = (name: Name): void => requireRunning(bare as unknown as AllCalls, `${name} of ${mpi}`);
  const guarded = names.filter((name) => !ANYWHERE.has(name));
  const guardAll = (): void => {
    for (const name of guarded) {
      calls[name] = (...args) => {
        isRunning(name);
        Object.assign(calls, bare, { MPI_Finalize: finalise });
        return (calls[name] as BareCall)(...args);
      };
    }
  };
  const finalise = (): number => {
    isRunning("MPI_Finalize");
    guardAll();
    return (bare["MPI_Finalize"] as BareCall)();
  };
  guardAll();
  // The FFI edge: PROTOTYPES has a row for each call, so the record is complete.
  return calls as unknown as AllCalls;
}

function requireRunning(bare: AllCalls, call: string): void {
  bare.MPI_Initialized(int32);
  if (takeInt() === 0) throw new MpiLibraryError(`${call}: expected a running MPI, got a call before initialise`);
  bare.MPI_Finalized(int32);
  if (takeInt() !== 0) throw new MpiLibraryError(`${call}: expected a running MPI, got a call after finalise`);
}

/** A call by its C parameter list, where `Handle` stands for the ABI's handle type. */
export function bindCall(library: LibraryHandle, abi: Abi, mpi: string, name: string, parameters: string): BareCall {
  try {
    return library.func(`int ${name}(${parameters.replaceAll("Handle", abi.handleType)})`);
  } catch (error) {
    throw new MpiLibraryError(`${name}: expected a call of ${mpi}, got ${(error as Error).message}`, { cause: error });
  }
}

function boundOrThrowing(library: LibraryHandle, abi: Abi, mpi: string, name: Name): BareCall {
  try {
    return bindCall(library, abi, mpi, name, PROTOTYPES[name]);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
