import type { LibraryHandle } from "koffi";
import type { Abi } from "../abi/abi.js";
import { MpiLibraryError } from "../errors.js";
import type { AllCalls } from "../native/calls.js";
import { PROTOTYPES } from "../native/prototypes.js";

type BareCall = (...args: never[]) => number;

/** Every call of PROTOTYPES. One that this library lacks throws when it is made, not before. */
export function bindCalls(library: LibraryHandle, abi: Abi, mpi: string): AllCalls {
  const names = Object.keys(PROTOTYPES) as (keyof AllCalls)[];
  const calls = names.map((name): [string, BareCall] => [name, boundOrThrowing(library, abi, mpi, name)]);
  // The FFI edge: PROTOTYPES has a row for each call, so the record is complete.
  return Object.fromEntries(calls) as unknown as AllCalls;
}

/** A call by its C parameter list, where `Handle` stands for the ABI's handle type. */
export function bindCall(library: LibraryHandle, abi: Abi, mpi: string, name: string, parameters: string): BareCall {
  try {
    return library.func(`int ${name}(${parameters.replaceAll("Handle", abi.handleType)})`);
  } catch (error) {
    throw new MpiLibraryError(`${name}: expected a call of ${mpi}, got ${(error as Error).message}`, { cause: error });
  }
}

function boundOrThrowing(library: LibraryHandle, abi: Abi, mpi: string, name: keyof AllCalls): BareCall {
  try {
    return bindCall(library, abi, mpi, name, PROTOTYPES[name]);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
