import { MpiError } from "./errors.js";
import type { Mpi } from "./mpi.js";
import type { AllCalls } from "./native/calls.js";
import { int32, takeInt } from "./native/cells.js";

const SUCCESS = 0;
/** Larger than MPI_MAX_ERROR_STRING of any MPI: MPICH's is 512, Open MPI's 256. */
const ERROR_TEXT = new Uint8Array(new ArrayBuffer(4096));

/** Calls the MPI function `name`. Throws a MpiError, which has the MPI's own text, unless it returns MPI_SUCCESS. */
export function call<Name extends keyof AllCalls>(mpi: Mpi, name: Name, ...args: Parameters<AllCalls[Name]>): void {
  const bare = mpi.calls[name] as (...args: Parameters<AllCalls[Name]>) => number;
  check(mpi, name, bare(...args));
}

/** Throws a MpiError unless `code` is MPI_SUCCESS. Every error code of the library passes here. */
export function check(mpi: Mpi, name: string, code: number): void {
  if (code !== SUCCESS) throw new MpiError(name, code, errorClass(mpi, code), errorText(mpi, code));
}

/** The standard's name of a code's class; Open MPI's codes of datatypes and the like are classes of their own. */
function errorClass(mpi: Mpi, code: number): string {
  if (mpi.calls.MPI_Error_class(code, int32) !== SUCCESS) return "MPI_ERR_UNKNOWN";
  return mpi.constants.communication.errorClasses.get(takeInt()) ?? "MPI_ERR_UNKNOWN";
}

/** The library's own words in one line; MPICH adds a stack of calls on lines of its own. */
function errorText(mpi: Mpi, code: number): string {
  if (mpi.calls.MPI_Error_string(code, ERROR_TEXT, int32) !== SUCCESS) return `error ${code}`;
  const text = Buffer.from(ERROR_TEXT.subarray(0, takeInt())).toString("utf8");
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}
